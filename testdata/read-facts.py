#!/usr/bin/env python3
"""Write down the facts of the fixtures, as two programs read them that have nothing to do with each other.

    read-facts.py [--output FILE] ARCHIVE...

LIEF finds slices and load commands, and this script decodes the CodeDirectory that LIEF points at; apple-platform-py
(Rust: apple-codesign) reads the same file on its own. A fact that both know must be the same, or nothing is written.
"""

import argparse
import hashlib
import json
import plistlib
import re
import struct
import sys
import tempfile
import zipfile
from pathlib import Path

import apple_platform
import lief

PLATFORMS = {"IOS": "ios", "IOS_SIMULATOR": "ios-simulator", "MACOS": "macos"}
ARCHITECTURES = {("ARM64", 0): "arm64", ("ARM64", 2): "arm64e", ("X86_64", 3): "x86_64"}
KINDS = {".app": "app", ".appex": "appex", ".framework": "framework"}
HASH_TYPES = {1: "sha1", 2: "sha256"}


def by_lief(path):
    """Facts of each slice, in the order of the file."""
    universal = lief.MachO.parse(str(path))
    facts = []
    for image in sorted(universal, key=lambda image: image.fat_offset):
        blobs = embedded_blobs(bytes(image.code_signature.content))
        directory = blobs[0]
        version, flags, _, identifier, special, pages, limit = struct.unpack_from(">7I", directory, 8)
        hash_size, hash_type, _, page_shift = directory[36:40]
        facts.append(
            {
                "architecture": ARCHITECTURES[image.header.cpu_type.name, image.header.cpu_subtype & 0xFFFFFF],
                "cdhash": hashlib.new(HASH_TYPES[hash_type], directory).hexdigest()[:40],
                "codeLimit": limit,
                "entitlements": plistlib.loads(blobs[5][8:]) if 5 in blobs else None,
                "executableSegmentFlags": hex(struct.unpack_from(">Q", directory, 80)[0]),
                "fileType": image.header.file_type.name.lower(),
                "flags": hex(flags),
                "hashType": HASH_TYPES[hash_type],
                "identifier": directory[identifier : directory.index(b"\0", identifier)].decode(),
                "minimumOS": ".".join(map(str, image.build_version.minos[:2])),
                "offset": image.fat_offset,
                "pageSize": 1 << page_shift,
                "pages": pages,
                "platform": PLATFORMS[image.build_version.platform.name],
                "size": image.original_size,
                "slots": sorted(slot for slot in blobs),
                "specialSlots": special,
                "version": hex(version),
            }
        )
    return facts


def embedded_blobs(content):
    count = struct.unpack_from(">I", content, 8)[0]
    index = [struct.unpack_from(">II", content, 12 + 8 * row) for row in range(count)]
    return {slot: content[at : at + struct.unpack_from(">I", content, at + 4)[0]] for slot, at in index}


# As apple-platform-py spells them; a name that is not here stops the script.
FLAG_NAMES = {"ADHOC": 0x2}
SEGMENT_FLAG_NAMES = {"MAIN_BINARY": 0x1, "0x0": 0}


def by_apple_platform(path):
    """The same facts as far as apple-platform-py knows them, in the order of the file."""
    facts = []
    for entity in apple_platform.read_signature(path):
        image = entity["entity"]["mach_o"]
        signature = image["signature"]
        directory = signature["code_directory"]
        blob = next(blob for blob in signature["blobs"] if blob["slot"] == "CodeDirectory (0)")
        entitlements = signature.get("entitlements_plist")
        from_der = signature.get("entitlements_der_plist")
        if as_plist(entitlements) != as_plist(from_der):
            raise SystemExit(f"{path}: the DER entitlements say something else than the XML ones")
        facts.append(
            {
                "cdhash": blob[directory["digest_type"]][:40],
                "codeLimit": directory["signed_entity_size"],
                "entitlements": as_plist(entitlements),
                "executableSegmentFlags": hex(flag_bits(directory["executable_segment_flags"], SEGMENT_FLAG_NAMES)),
                "flags": hex(flag_bits(directory["flags"], FLAG_NAMES)),
                "hashType": directory["digest_type"],
                "identifier": directory["identifier"],
                "pages": directory["code_digests_count"],
                "size": int(image["macho_end_offset"].split()[0]),
                "slots": sorted(int(re.search(r"\((\d+)\)", blob["slot"]).group(1)) for blob in signature["blobs"]),
                "specialSlots": len(directory["slot_digests"]),
                "version": directory["version"],
            }
        )
    return facts


def as_plist(lines):
    return plistlib.loads("\n".join(lines).encode()) if lines else None


def flag_bits(text, names):
    inside = re.fullmatch(r"\w+\((.*)\)", text).group(1)
    return sum(names[name.strip()] for name in inside.split("|"))


def read(path):
    first, second = by_lief(path), by_apple_platform(path)
    if len(first) != len(second):
        raise SystemExit(f"{path}: LIEF sees {len(first)} slices, apple-platform-py {len(second)}")
    for ours, theirs in zip(first, second):
        for key, value in theirs.items():
            if ours[key] != value:
                raise SystemExit(f"{path}: {key} is {ours[key]} for LIEF, {value} for apple-platform-py")
    return first


def code_objects(root):
    """Every Mach-O below a folder, told by its magic: as the bundle whose main executable it is, or as itself."""
    owners = {}
    for info in sorted(root.rglob("Info.plist")):
        if any(parent.is_symlink() for parent in info.parents):
            continue
        bundle = info.parent
        if bundle.name == "Contents":
            executable = bundle / "MacOS"
            bundle = bundle.parent
        elif bundle.name == "Resources" and bundle.parent.parent.name == "Versions":
            executable = bundle.parent
            bundle = bundle.parent.parent.parent
        else:
            executable = bundle
        values = plistlib.loads(info.read_bytes())
        if bundle.suffix in KINDS:
            owners[executable / values["CFBundleExecutable"]] = (bundle, values["CFBundleIdentifier"])
    found = []
    for path in sorted(root.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        if path.read_bytes()[:4] not in (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"):
            continue
        bundle, identifier = owners.get(path, (path, None))
        slices = read(path)
        kind = KINDS.get(bundle.suffix) or ("dylib" if slices[0]["fileType"] == "dylib" else "tool")
        found.append(
            {
                "bundleIdentifier": identifier,
                "executable": path.relative_to(root).as_posix(),
                "kind": kind,
                "path": bundle.relative_to(root).as_posix(),
                "slices": slices,
            }
        )
    return sorted(found, key=lambda code: code["path"])


def unpack(archive, folder):
    """Like unzip: with symlinks. Only for archives of our own making."""
    with zipfile.ZipFile(archive) as source:
        for item in source.infolist():
            target = folder / item.filename
            if (item.external_attr >> 16) & 0o170000 == 0o120000:
                target.symlink_to(source.read(item).decode())
            elif item.is_dir():
                target.mkdir(parents=True, exist_ok=True)
            else:
                target.write_bytes(source.read(item))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", help="write here instead of to standard output")
    parser.add_argument("archive", nargs="+", type=Path)
    options = parser.parse_args()
    facts = {}
    for archive in options.archive:
        with tempfile.TemporaryDirectory(prefix="read-facts-") as temporary:
            root = Path(temporary).resolve()
            unpack(archive, root)
            data = archive.read_bytes()
            facts[archive.name] = {
                "code": code_objects(root),
                "sha256": hashlib.sha256(data).hexdigest(),
                "size": len(data),
            }
    text = json.dumps(facts, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    if options.output:
        Path(options.output).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
