#!/usr/bin/env python3
"""Remake the fixtures of this folder, byte for byte.

    make-demo.py            remake Demo.ipa, DemoFat.ipa, DemoMac.zip and demo-facts.json here
    make-demo.py --check    remake them in a temporary folder and fail when a committed one differs

Sources are in demo/. Every image is compiled and linked for Apple's platforms with LLVM's tools against the stubs in
demo/sdk, signed ad hoc inside-out with apple-platform-py, judged by check-seals.py (which shares no code with the
signer), read by read-facts.py, and packed with fixed times, modes and order.
"""

import argparse
import hashlib
import os
import plistlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from chain_arm64e import chain_arm64e

HERE = Path(__file__).resolve().parent
DEMO = HERE / "demo"
FIXTURES = ["Demo.ipa", "DemoFat.ipa", "DemoMac.zip"]
FACTS = "demo-facts.json"
METADATA = [f"metadata/{name}" for name in [
    "arm64-chained", "arm64-classic", "arm64e-chained", "x86_64-chained", "x86_64-classic",
]]
METADATA_FACTS = "metadata/facts.json"

# The bytes depend on these. Another version may well give the same ones; when it does not, --check names it.
MADE_WITH = {
    "clang": "21.0.0",
    "swiftc": "6.3.1",
    "ld64.lld": "16.0.6",
    "llvm-lipo": "14.0.6",
    "zlib": "1.2.13",
    "apple-platform-py": "0.1.0",
}

# --- tools ---------------------------------------------------------------------------------------------------------


class Failure(Exception):
    """Something that the person at the keyboard has to mend."""


TOOLS = {
    # name: (variable that overrides it, names tried in order, where it comes from)
    "clang": ("CLANG", ["clang"], "the Swift toolchain's (it knows arm64e), from https://swift.org/install"),
    "swiftc": ("SWIFTC", ["swiftc"], "the Swift toolchain, from https://swift.org/install"),
    "ld64.lld": (
        "LD64_LLD",
        ["ld64.lld-16", "ld64.lld"],
        "LLVM's linker for Mach-O (Debian: lld-16; the Swift toolchain's own refuses iOS)",
    ),
    "llvm-lipo": ("LLVM_LIPO", ["llvm-lipo", "llvm-lipo-14"], "LLVM's lipo (Debian: llvm-14)"),
}


def find_tools():
    found = {}
    for tool, (variable, names, source) in TOOLS.items():
        candidates = [os.environ[variable]] if os.environ.get(variable) else names
        path = next(filter(None, map(shutil.which, candidates)), None)
        if path is None:
            raise Failure(
                f"{tool} is missing (looked for {', '.join(candidates)}): install {source}, or set {variable}"
            )
        found[tool] = path
    return found


def tool_versions(tools):
    versions = {"zlib": zlib.ZLIB_RUNTIME_VERSION, "apple-platform-py": version("apple-platform-py")}
    for tool, path in tools.items():
        output = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
        match = re.search(r"\d+\.\d+(\.\d+)?", output)
        versions[tool] = match.group() if match else "unknown"
    return versions


def import_signer():
    try:
        import apple_platform
        import lief  # noqa: F401  (read-facts.py needs it; better to hear of it now)
    except ImportError as error:
        raise Failure(f"{error.name} is missing: pip install -r {HERE.name}/requirements.txt") from error
    return apple_platform


# --- compiling and linking -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    architecture: str
    triple: str
    platform: str
    minimum: str


IOS = Target("arm64", "arm64-apple-ios16.1", "ios", "16.1")
IOS_ARM64E = Target("arm64e", "arm64e-apple-ios16.1", "ios", "16.1")
SIMULATOR = Target("x86_64", "x86_64-apple-ios16.1-simulator", "ios-simulator", "16.1")
MAC_ARM = Target("arm64", "arm64-apple-macos13.0", "macos", "13.0")
MAC_INTEL = Target("x86_64", "x86_64-apple-macos13.0", "macos", "13.0")


class Builder:
    """Compiles and links for one target. Everything it makes lies in one folder, by name."""

    def __init__(self, tools, folder, target):
        self.tools = tools
        self.target = target
        self.folder = folder / f"{target.platform}-{target.architecture}"
        self.folder.mkdir(parents=True)

    def run(self, tool, *arguments):
        command = [self.tools[tool], *map(str, arguments)]
        # Nothing of the caller's environment may reach the bytes: an SDKROOT, a CPATH, a deployment target.
        environment = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR") if key in os.environ}
        environment["LC_ALL"] = "C"
        # From inside demo/, with relative names: no path of the machine can end in an image.
        done = subprocess.run(command, cwd=DEMO, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"{tool} failed\n  {' '.join(command)}\n{done.stderr}")

    def compile_c(self, name):
        output = self.folder / f"{name}.o"
        self.run(
            "clang", "-target", self.target.triple, "-O2", "-Wall", "-Werror", "-c", f"code/{name}.c", "-o", output
        )
        return output

    def compile_swift(self, module, sources, *flags):
        return self.swift_frontend("-c", module, *flags, *[f"code/{source}.swift" for source in sources])

    def compile_stub_modules(self, *modules):
        for module in modules:
            self.swift_frontend("-emit-module", module, "-enable-library-evolution", f"sdk/swift/{module}.swift")

    def swift_frontend(self, mode, module, *rest):
        output = self.folder / (module + (".o" if mode == "-c" else ".swiftmodule"))
        # -parse-stdlib: without Apple's standard library, which no one but Apple may ship.
        self.run(
            "swiftc",
            "-frontend",
            mode,
            "-module-name",
            module,
            "-target",
            self.target.triple,
            "-parse-stdlib",
            "-parse-as-library",
            "-O",
            "-wmo",
            "-swift-version",
            "5",
            "-runtime-compatibility-version",
            "none",
            "-module-cache-path",
            self.folder / "cache",
            "-I",
            self.folder,
            "-o",
            output,
            *rest,
        )
        return output

    def link(self, name, inputs, *flags):
        # Into a folder of its own: an executable and an object may share a name where case does not count.
        output = self.folder / "linked" / name
        output.parent.mkdir(exist_ok=True)
        target = self.target
        fixups = [] if target.architecture == "arm64e" else ["-fixup_chains"]  # this linker cannot chain arm64e's
        self.run(
            "ld64.lld",
            "-arch",
            target.architecture,
            "-platform_version",
            target.platform,
            target.minimum,
            target.minimum,
            "-syslibroot",
            "sdk",
            "-L",
            "sdk/usr/lib/swift",
            "-no_adhoc_codesign",
            *fixups,
            *inputs,
            *flags,
            "-lSystem",
            "-o",
            output,
        )
        if target.architecture == "arm64e":
            mark_arm64e(output)
        return output

    def dylib(self, name, install_name, inputs, *flags):
        versions = ["-current_version", "1.4", "-compatibility_version", "1"]
        return self.link(
            name, inputs, "-dylib", "-application_extension", "-install_name", install_name, *versions, *flags
        )


def mark_arm64e(path):
    """This linker writes arm64e as plain arm64: set the subtype that Apple's writes (2, pointer authentication)."""
    data = bytearray(path.read_bytes())
    data[8:12] = bytes([2, 0, 0, 0x80])
    path.write_bytes(data)


def ios_images(tools, folder, target):
    builder = Builder(tools, folder, target)
    builder.compile_stub_modules("ActivityKit", "SwiftUI", "WidgetKit")
    group = builder.compile_c("AppGroup")
    system = ["-framework", "SwiftUI", "-framework", "ActivityKit", "-lswiftCore", "-lobjc"]

    core = builder.dylib("DemoCore", "@rpath/DemoCore.framework/DemoCore", [builder.compile_c("DemoCore")])
    kit = builder.dylib(
        "DemoKit",
        "@rpath/DemoKit.framework/DemoKit",
        [builder.compile_c("DemoKit"), core],
        *["-rpath", "@loader_path/Frameworks"],
    )
    tools_dylib = builder.dylib("libDemoTools.dylib", "@rpath/libDemoTools.dylib", [builder.compile_c("DemoTools")])
    app = builder.link(
        "Demo",
        [builder.compile_swift("Demo", ["DemoApp", "DeliveryAttributes"]), group, kit, tools_dylib],
        *system,
        *["-rpath", "@executable_path/Frameworks"],
    )
    widget = builder.link(
        "DemoWidget",
        [
            builder.compile_swift("DemoWidget", ["DemoWidget", "DeliveryAttributes"], "-application-extension"),
            *[group, kit],
        ],
        *["-application_extension", "-e", "_NSExtensionMain", "-framework", "Foundation", "-framework", "WidgetKit"],
        *system,
        *["-rpath", "@executable_path/Frameworks", "-rpath", "@executable_path/../../Frameworks"],
    )
    return {path.name: path for path in [core, kit, tools_dylib, app, widget]}


def arm64e_tools(tools, folder):
    builder = Builder(tools, folder, IOS_ARM64E)
    return builder.dylib("libDemoTools.dylib", "@rpath/libDemoTools.dylib", [builder.compile_c("DemoTools")])


def mac_images(tools, folder, target):
    builder = Builder(tools, folder, target)
    core = builder.compile_c("DemoCore")
    kit = builder.dylib("DemoKit", "@rpath/DemoKit.framework/Versions/A/DemoKit", [builder.compile_c("DemoKit"), core])
    tools_dylib = builder.dylib("libDemoTools.1.dylib", "@rpath/libDemoTools.1.dylib", [builder.compile_c("DemoTools")])
    app = builder.link(
        "DemoMac",
        [builder.compile_c("DemoMac"), kit, tools_dylib],
        *["-rpath", "@executable_path/../Frameworks"],
    )
    helper = builder.link("demo-helper", [builder.compile_c("DemoHelper")])
    widget = builder.link(
        "DemoMacWidget",
        [builder.compile_c("DemoMacWidget"), core],
        *["-application_extension", "-e", "_NSExtensionMain", "-framework", "Foundation"],
    )
    return {path.name: path for path in [kit, tools_dylib, app, helper, widget]}


def metadata_images(tools, folder, out):
    """Libraries with conformances of every form, their pointers bound in each way that loaders know."""
    for target in (IOS, SIMULATOR):
        builder = Builder(tools, folder, target)
        builder.compile_stub_modules("ActivityKit", "SwiftUI", "WidgetKit")
        for module in ("AppIntents", "Kitchen"):
            builder.swift_frontend("-emit-module", module, "-enable-library-evolution", f"metadata/{module}.swift")
        code = builder.swift_frontend("-c", "Shop", "metadata/Shop.swift")
        for form, flag in [("chained", "-fixup_chains"), ("classic", "-no_fixup_chains")]:
            flags = ["-dylib", "-install_name", "@rpath/Shop", "-undefined", "dynamic_lookup", flag]
            image = builder.link(f"Shop-{form}", [code], *flags)
            shutil.copy(image, out / f"{target.architecture}-{form}")
    (out / "arm64e-chained").write_bytes(chain_arm64e((out / "arm64-chained").read_bytes()))


def join(tools, folder, images):
    """One universal file of several thin ones."""
    output = folder / images[0].name
    output.parent.mkdir(parents=True, exist_ok=True)
    command = [tools["llvm-lipo"], "-create", *map(str, images), "-output", str(output)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"llvm-lipo failed\n  {' '.join(command)}\n{done.stderr}")
    return output


# --- laying out the bundles ----------------------------------------------------------------------------------------


def stand_in(magic, size):
    """Bytes that look like what a compiler of assets leaves: the format's own magic, then noise, the same each time."""
    noise = b"".join(hashlib.sha256(magic + bytes([block])).digest() for block in range(size // 32 + 1))
    return (magic + noise)[:size]


def copy_sources(source, bundle):
    """Copy a tree from demo/, with its Info.plists compiled to the binary form as Xcode does."""
    for path in sorted(source.rglob("*")):
        target = bundle / path.relative_to(source)
        if path.is_dir():
            target.mkdir(parents=True, exist_ok=True)
        elif path.name != ".DS_Store":
            target.parent.mkdir(parents=True, exist_ok=True)
            data = path.read_bytes()
            if path.name == "Info.plist" and path.parent.name not in KEPT_AS_XML:
                data = plistlib.dumps(plistlib.loads(data), fmt=plistlib.FMT_BINARY)
            target.write_bytes(data)


# One of each kind stays XML, so that a rewriter of plists has both forms to keep.
KEPT_AS_XML = {"DemoCore.framework", "DemoData.bundle"}


def lay_out_ios(bundle, images):
    copy_sources(DEMO / "ios/Demo.app", bundle)
    (bundle / "PkgInfo").write_bytes(b"APPL????")
    (bundle / "Assets.car").write_bytes(stand_in(b"BOMStore", 6000))
    (bundle / "Base.lproj/LaunchScreen.storyboardc/LaunchScreen.nib").write_bytes(stand_in(b"NIBArchive", 700))
    (bundle / "PlugIns/DemoWidget.appex/Assets.car").write_bytes(stand_in(b"BOMStore", 2000))
    # Composed (NFC) in the archive, whatever the disk of a checkout does to names: hence not a file in demo/.
    (bundle / "greetings.txt").rename(bundle / "Gr\u00fc\u00dfe.txt")
    (bundle / "Legal.html").symlink_to("Terms and Conditions.html")
    framework = bundle / "Frameworks/DemoKit.framework"
    place(images["Demo"], bundle)
    place(images["DemoWidget"], bundle / "PlugIns/DemoWidget.appex")
    place(images["DemoKit"], framework)
    place(images["DemoCore"], framework / "Frameworks/DemoCore.framework")
    place(images["libDemoTools.dylib"], bundle / "Frameworks")


def lay_out_mac(bundle, images):
    copy_sources(DEMO / "mac/DemoMac.app", bundle)
    contents = bundle / "Contents"
    (contents / "PkgInfo").write_bytes(b"APPL????")
    (contents / "Resources/AppIcon.icns").write_bytes(stand_in(b"icns", 1500))
    place(images["DemoMac"], contents / "MacOS")
    place(images["demo-helper"], contents / "Helpers")
    place(images["DemoMacWidget"], contents / "PlugIns/DemoMacWidget.appex/Contents/MacOS")
    place(images["libDemoTools.1.dylib"], contents / "Frameworks")
    (contents / "Frameworks/libDemoTools.dylib").symlink_to("libDemoTools.1.dylib")
    framework = contents / "Frameworks/DemoKit.framework"
    place(images["DemoKit"], framework / "Versions/A")
    (framework / "Versions/Current").symlink_to("A")
    (framework / "DemoKit").symlink_to("Versions/Current/DemoKit")
    (framework / "Resources").symlink_to("Versions/Current/Resources")


def place(image, folder):
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(image, folder / image.name)


def sign(bundle, entitlements, extension, data_bundles=()):
    """Sign ad hoc, inside-out. Data bundles hold no code: left to the signer they would get a seal of their own."""
    signer = import_signer()
    scopes = {extension: signer.PathSettings(entitlements_xml_file=DEMO / entitlements)}
    signer.sign(bundle, entitlements_xml_file=DEMO / entitlements, paths=scopes, exclude=list(data_bundles))


# --- packing -------------------------------------------------------------------------------------------------------

MACH_O = {bytes.fromhex(magic) for magic in ("cffaedfe", "cafebabe")}
STORED = (".car", ".png", ".icns")
WHEN = (2024, 1, 1, 12, 0, 0)


def pack(root, archive):
    """Zip a folder: directories listed, symlinks as symlinks, modes by kind and not by what this disk says."""
    with zipfile.ZipFile(archive, "w") as output:
        for path in sorted(root.rglob("*"), key=lambda path: os.fsencode(path.relative_to(root).as_posix())):
            name = path.relative_to(root).as_posix()
            if path.is_symlink():
                add(output, name, stat.S_IFLNK | 0o755, os.fsencode(os.readlink(path)), stored=True)
            elif path.is_dir():
                add(output, name + "/", stat.S_IFDIR | 0o755, b"", stored=True)
            else:
                data = path.read_bytes()
                mode = 0o755 if data[:4] in MACH_O else 0o644
                add(output, name, stat.S_IFREG | mode, data, stored=not data or path.suffix in STORED)


def add(output, name, mode, data, stored):
    entry = zipfile.ZipInfo(name, WHEN)
    entry.create_system = 3  # Unix, on whatever this runs
    entry.external_attr = mode << 16 | (0x10 if name.endswith("/") else 0)
    entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    output.writestr(entry, data, compresslevel=9)


# --- the whole -----------------------------------------------------------------------------------------------------


def make_all(tools, work, out):
    images = work / "images"
    device = ios_images(tools, images, IOS)
    simulator = ios_images(tools, images, SIMULATOR)
    universal = {name: [device[name], simulator[name]] for name in device}
    universal["libDemoTools.dylib"].insert(1, arm64e_tools(tools, images))
    universal = {name: join(tools, images / "ios-universal", parts) for name, parts in universal.items()}

    mac_arm, mac_intel = (mac_images(tools, images, target) for target in (MAC_ARM, MAC_INTEL))
    mac = {name: join(tools, images / "macos-universal", [mac_arm[name], mac_intel[name]]) for name in mac_arm}
    mac["demo-helper"] = mac_arm["demo-helper"]  # one that is thin beside those that are not

    for archive, set_of_images in [("Demo.ipa", device), ("DemoFat.ipa", universal)]:
        root = work / archive
        app = root / "Payload/Demo.app"
        lay_out_ios(app, set_of_images)
        sign(app, "entitlements/ios.plist", "PlugIns/DemoWidget.appex", data_bundles=["DemoData.bundle"])
        pack(root, out / archive)

    root = work / "DemoMac.zip"
    lay_out_mac(root / "DemoMac.app", mac)
    sign(root / "DemoMac.app", "entitlements/mac.plist", "Contents/PlugIns/DemoMacWidget.appex")
    pack(root, out / "DemoMac.zip")

    (out / "metadata").mkdir()
    metadata_images(tools, work / "metadata", out / "metadata")
    script("read-metadata.py", "--output", str(out / METADATA_FACTS), *[str(out / name) for name in METADATA])

    made = [str(out / name) for name in FIXTURES]
    script("check-seals.py", "--mutate", *made)
    script("read-facts.py", "--output", str(out / FACTS), *made)


def script(name, *arguments):
    if subprocess.run([sys.executable, str(HERE / name), *arguments]).returncode != 0:
        raise Failure(f"{name} is not content with what was made")


def differences(made, committed):
    """What differs between two archives, entry by entry; for anything else just the name."""
    if not committed.exists():
        return ["is not there"]
    if made.read_bytes() == committed.read_bytes():
        return []
    if made.suffix not in (".ipa", ".zip"):
        return ["differs"]
    entries = []
    try:
        for path in (made, committed):
            with zipfile.ZipFile(path) as archive:
                entries.append({item.filename: (item.external_attr, archive.read(item)) for item in archive.infolist()})
    except (zipfile.BadZipFile, zlib.error) as error:
        return [f"is damaged: {error}"]
    names = sorted(set(entries[0]) | set(entries[1]))
    changed = [name for name in names if entries[0].get(name) != entries[1].get(name)]
    return changed or ["same entries, packed differently"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; fail when a committed fixture differs")
    options = parser.parse_args()
    tools = find_tools()
    import_signer()
    with tempfile.TemporaryDirectory(prefix="make-demo-") as temporary:
        work, out = Path(temporary) / "work", Path(temporary) / "out"
        out.mkdir()
        make_all(tools, work, out)
        names = [*FIXTURES, FACTS, *METADATA, METADATA_FACTS]
        if not options.check:
            (HERE / "metadata").mkdir(exist_ok=True)
            for name in names:
                shutil.copyfile(out / name, HERE / name)
                print(f"made {HERE.name}/{name} ({(HERE / name).stat().st_size} bytes)")
            return
        different = {name: found for name in names if (found := differences(out / name, HERE / name))}
    for name, found in different.items():
        print(f"{HERE.name}/{name}: {', '.join(found[:8])}{', …' if len(found) > 8 else ''}", file=sys.stderr)
    if different:
        here = tool_versions(tools)
        other = [f"{tool} {here[tool]} (made with {MADE_WITH[tool]})" for tool in here if here[tool] != MADE_WITH[tool]]
        hint = "other tools: " + ", ".join(other) if other else "the tools are the same, so a source or a fixture has changed"
        raise Failure(f"not what the sources make; {hint}")
    print(f"{', '.join(names)}: as the sources make them")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"make-demo.py: {failure}")
