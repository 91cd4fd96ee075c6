#!/usr/bin/env python3
"""Judge the fixtures' seals with nothing but Python's own library.

    check-seals.py [--mutate] ARCHIVE...

An independent reading of what an inside-out ad-hoc signing leaves behind, for the fixtures only: it knows the two
layouts, the rules and the hash types that they use, and takes anything else for a fault. With --mutate it also breaks
each archive in memory in every way it knows, one at a time, and fails when a break goes unnoticed: a judge that says
yes to everything proves nothing.
"""

import argparse
import hashlib
import plistlib
import posixpath
import re
import stat
import struct
import sys
import zipfile
from dataclasses import dataclass

CODE_SUFFIXES = (".app", ".appex", ".framework")
ADHOC = 0x2


@dataclass
class Node:
    kind: str  # "file", "link", "folder"
    mode: int
    data: bytes  # of a link: its target


# --- the archive ---------------------------------------------------------------------------------------------------


def read_archive(path):
    """The tree of an archive, and what is wrong with the archive itself."""
    tree, problems = {}, []
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        if names != sorted(names, key=lambda name: name.rstrip("/").encode()):
            problems.append("entries are not in the order of their names")
        for item in archive.infolist():
            name, mode = item.filename.rstrip("/"), item.external_attr >> 16
            kind = {stat.S_IFREG: "file", stat.S_IFLNK: "link", stat.S_IFDIR: "folder"}.get(stat.S_IFMT(mode))
            if item.create_system != 3 or kind is None:
                problems.append(f"{name}: no Unix mode")
                continue
            if (kind == "folder") != item.filename.endswith("/"):
                problems.append(f"{name}: kind and name disagree")
            if name in tree:
                problems.append(f"{name}: twice in the archive")
            parent = posixpath.dirname(name)
            if parent and (parent not in tree or tree[parent].kind != "folder"):
                problems.append(f"{name}: its folder is not listed before it")
            tree[name] = Node(kind, stat.S_IMODE(mode), archive.read(item))
    for name, node in tree.items():
        runs = node.kind != "file" or is_mach_o(node.data)
        if node.mode != (0o755 if runs else 0o644):
            problems.append(f"{name}: mode {node.mode:o}")
    return tree, problems


def resolve(tree, path):
    """Follow links in every component; None when something is missing or climbs out."""
    done, rest, steps = [], path.split("/"), 0
    while rest:
        part = rest.pop(0)
        if part == "..":
            if not done:
                return None
            done.pop()
            continue
        name = "/".join([*done, part])
        node = tree.get(name)
        if node is None or steps > 40:
            return None
        if node.kind == "link":
            steps += 1
            rest = node.data.decode().split("/") + rest
        else:
            done.append(part)
    return "/".join(done)


# --- Mach-O and its signature --------------------------------------------------------------------------------------


def is_mach_o(data):
    return data[:4] in (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


def slices(data):
    """(offset, size) of each slice, and the faults of the universal header that a strict verifier refuses."""
    if data[:4] != b"\xca\xfe\xba\xbe":
        return [(0, len(data))], []
    count = struct.unpack_from(">I", data, 4)[0]
    rows = [struct.unpack_from(">IIIII", data, 8 + 20 * index) for index in range(count)]
    problems = []
    if len({row[:2] for row in rows}) != count:
        problems.append("two slices of one architecture")
    end, gap_limit = 8 + 20 * count, None
    for _, _, offset, size, align in sorted(rows, key=lambda row: row[2]):
        if offset < end or any(data[end:offset]) or offset % (1 << align):
            problems.append(f"slice at {offset}: overlaps, is not aligned, or follows bytes that are not zero")
        if gap_limit is not None and offset - end >= 1 << align:
            problems.append(f"slice at {offset}: the gap before it is wider than its alignment asks for")
        end = gap_limit = offset + size
    if end != len(data):
        problems.append(f"the last slice ends at {end}, the file at {len(data)}")
    return [(row[2], row[3]) for row in rows], problems


class Signature:
    """The signature of one slice, read from its bytes alone."""

    def __init__(self, image):
        self.image = image
        self.problems = []
        self.text = self.linkedit = self.where = None
        self.file_type, count, size = struct.unpack_from("<III", image, 12)
        position = 32
        for _ in range(count):
            command, length = struct.unpack_from("<II", image, position)
            if command == 0x19:  # LC_SEGMENT_64
                name = image[position + 8 : position + 24].rstrip(b"\0")
                extent = struct.unpack_from("<QQ", image, position + 40)
                self.text = extent if name == b"__TEXT" else self.text
                self.linkedit = extent if name == b"__LINKEDIT" else self.linkedit
            elif command == 0x1D:  # LC_CODE_SIGNATURE
                self.where = struct.unpack_from("<II", image, position + 8)
            position += length
        if position != 32 + size:
            self.problems.append("the load commands do not fill their area")
        if self.where is None:
            self.problems.append("unsigned")
            return
        self.read_super_blob()

    def read_super_blob(self):
        start, room = self.where
        area = self.image[start : start + room]
        magic, length, count = struct.unpack_from(">III", area, 0)
        if magic != 0xFADE0CC0 or length > room:
            self.problems.append("no embedded signature where the load command points")
            return
        self.blobs = {}
        for index in range(count):
            slot, offset = struct.unpack_from(">II", area, 12 + 8 * index)
            self.blobs[slot] = area[offset : offset + struct.unpack_from(">I", area, offset + 4)[0]]
        if len(self.blobs) != count or sum(map(len, self.blobs.values())) + 12 + 8 * count != length:
            self.problems.append("the blobs do not fill the signature exactly")
        if any(area[length:]):
            self.problems.append("bytes after the signature")
        if sum(self.linkedit) != len(self.image) or start + room != len(self.image):
            self.problems.append("the signature or __LINKEDIT does not end with the slice")
        if set(self.blobs) - {0, 2, 5, 7, 0x10000}:
            self.problems.append(f"unexpected slots {sorted(self.blobs)}")
        if self.blobs.get(0x10000) != bytes.fromhex("fade0b0100000008"):
            self.problems.append("the CMS slot is not the empty one of an ad-hoc signature")
        if self.blobs.get(2) != bytes.fromhex("fade0c010000000c00000000"):
            self.problems.append("the requirement set is not the empty one")
        self.read_code_directory(self.blobs[0])

    def read_code_directory(self, blob):
        (
            magic,
            length,
            version,
            self.flags,
            hashes,
            identifier,
            self.special,
            self.pages,
            limit,
            hash_size,
            hash_type,
        ) = struct.unpack_from(">IIIIIIIIIBB", blob, 0)
        page_size = 1 << blob[39]
        executable_segment = struct.unpack_from(">QQQ", blob, 64)
        if (magic, version, hash_size, hash_type) != (0xFADE0C02, 0x20400, 32, 2) or length != len(blob):
            self.problems.append("not a SHA-256 CodeDirectory of version 0x20400")
            return
        self.identifier = blob[identifier : blob.index(b"\0", identifier)].decode()
        self.cdhash = hashlib.sha256(blob).hexdigest()[:40]
        self.slot = lambda number: blob[hashes + 32 * number : hashes + 32 * number + 32]
        if self.flags != ADHOC:
            self.problems.append(f"flags {self.flags:#x}")
        if limit != self.where[0]:
            self.problems.append("covers something else than all before the signature")
        if executable_segment[:2] != self.text or executable_segment[2] != (self.file_type == 2):
            self.problems.append(f"executable segment {executable_segment}")
        covered = self.image[:limit]
        pages = [covered[start : start + page_size] for start in range(0, limit, page_size)]
        if len(pages) != self.pages:
            self.problems.append(f"{self.pages} page hashes for {len(pages)} pages")
        for index, page in enumerate(pages):
            if hashlib.sha256(page).digest() != self.slot(index):
                self.problems.append(f"page {index} differs")

    def special_slots(self, info, seal):
        """Each slot is hashed exactly when its component is there, and with the right bytes."""
        found = {1: info, 2: self.blobs.get(2), 3: seal, 5: self.blobs.get(5), 7: self.blobs.get(7)}
        for number in range(1, 12):
            hashed = self.slot(-number) if number <= self.special else bytes(32)
            data = found.get(number)
            if hashed != (bytes(32) if data is None else hashlib.sha256(data).digest()):
                yield f"special slot {number} differs"

    def entitlements(self):
        return plistlib.loads(self.blobs[5][8:]) if 5 in self.blobs else None


# --- bundles and their seals ---------------------------------------------------------------------------------------


@dataclass
class Bundle:
    path: str
    root: str  # what the seal covers
    info: str
    executable: str
    identifier: str

    @property
    def seal(self):
        return self.root + "/_CodeSignature/CodeResources"


def open_bundle(tree, path):
    root, info, folder = path, path + "/Info.plist", path
    if path + "/Contents" in tree:
        root, info, folder = path + "/Contents", path + "/Contents/Info.plist", path + "/Contents/MacOS"
    elif path + "/Versions" in tree:
        root = folder = resolve(tree, path + "/Versions/Current")
        info = root + "/Resources/Info.plist"
    values = plistlib.loads(tree[info].data)
    return Bundle(path, root, info, folder + "/" + values["CFBundleExecutable"], values["CFBundleIdentifier"])


def find_bundles(tree):
    """Innermost first. (Version folders of a framework have no name of their own; the framework stands for them.)"""
    names = [name for name, node in tree.items() if node.kind == "folder" and name.endswith(CODE_SUFFIXES)]
    return [open_bundle(tree, name) for name in sorted(names, key=lambda name: (-name.count("/"), name))]


def children(tree, folder):
    return {posixpath.basename(name): node for name, node in tree.items() if posixpath.dirname(name) == folder}


def check_surroundings(tree, bundle):
    """What no seal covers: the top of a deep bundle or of a versioned framework, and the signature's own folder."""
    top = children(tree, bundle.path)
    if "Contents" in top and len(top) > 1:
        yield f"beside Contents: {sorted(set(top) - {'Contents'})}"
    if "Versions" in top:
        versions = children(tree, bundle.path + "/Versions")
        if any(node.kind != "folder" for name, node in versions.items() if name != "Current"):
            yield f"in Versions: {sorted(versions)}"
        if versions["Current"].kind != "link" or versions["Current"].data.decode() not in versions:
            yield "Versions/Current is not a link to a version"
        for name, node in top.items():
            if name != "Versions" and (node.kind, node.data.decode()) != ("link", f"Versions/Current/{name}"):
                yield f"beside Versions: {name}"
    if set(children(tree, bundle.root + "/_CodeSignature")) != {"CodeResources"}:
        yield "_CodeSignature holds something beside CodeResources"


def winning_rule(rules, path):
    best, weight = None, -1
    for pattern, value in rules.items():
        rule = {} if value is True else value
        if re.search(pattern, path) and rule.get("weight", 1) > weight:
            best, weight = rule, rule.get("weight", 1)
    return best


def walk(tree, bundle, rules, nested_counts):
    """(path in the seal, node, rule) of everything that must be sealed."""
    units = []
    for name in sorted(name for name in tree if name.startswith(bundle.root + "/")):
        path, node = name[len(bundle.root) + 1 :], tree[name]
        if name == bundle.executable or path == "_CodeSignature" or path.startswith("_CodeSignature/"):
            continue
        if any(path.startswith(unit + "/") for unit in units):
            continue
        rule = winning_rule(rules, path)
        if node.kind == "folder":
            if nested_counts and rule and rule.get("nested") and "." in posixpath.basename(path):
                units.append(path)
                yield path, node, rule
        elif rule is not None and not rule.get("omit"):
            yield path, node, rule


def check_seal(tree, bundle, codes):
    seal = plistlib.loads(tree[bundle.seal].data)
    if set(seal) != {"rules", "files", "rules2", "files2"}:
        yield "the seal has other keys than those four"
        return
    for version, digest in (("2", "sha256"), ("", "sha1")):
        entries, met = seal["files" + version], set()
        for path, node, rule in walk(tree, bundle, seal["rules" + version], nested_counts=bool(version)):
            if not version and node.kind != "file":
                continue
            entry = entries.get(path)
            met.add(path)
            if entry is None:
                yield f"{path}: not in files{version}"
            elif version and rule.get("nested") and node.kind != "link":
                yield from check_nested(tree, bundle, path, entry, codes)
            else:
                entry = {"hash": entry} if isinstance(entry, bytes) else entry
                expected = {"hash" + version: hashlib.new(digest, node.data).digest()}
                if node.kind == "link":
                    expected = {"symlink": node.data.decode()}
                if rule.get("optional"):
                    expected["optional"] = True
                if entry != expected:
                    yield f"{path}: files{version} holds {entry}"
        for path in set(entries) - met:
            if not (isinstance(entries[path], dict) and entries[path].get("optional")):
                yield f"{path}: missing, though in files{version}"


def check_nested(tree, bundle, path, entry, codes):
    name = bundle.root + "/" + path
    file = name if tree[name].kind == "file" else open_bundle(tree, name).executable
    cdhashes = [signature.cdhash for signature in codes.get(file, [])]
    named = re.findall(r'cdhash H"([0-9a-f]{40})"', entry.get("requirement", ""))
    shape = " or ".join(f'(cdhash H"{cdhash}")' for cdhash in cdhashes)
    if len(cdhashes) == 1:
        shape = shape[1:-1]
    if named != cdhashes or entry != {"cdhash": bytes.fromhex(cdhashes[0]), "requirement": shape}:
        yield f"{path}: the nested entry is {entry}"


# --- the whole -----------------------------------------------------------------------------------------------------


def judge(tree):
    problems, codes = [], {}
    try:
        bundles = find_bundles(tree)
        owners = {bundle.executable: bundle for bundle in bundles}
        for name, node in tree.items():
            if node.kind == "link":
                if resolve(tree, posixpath.dirname(name) + "/" + node.data.decode()) is None:
                    problems.append(f"{name}: leads nowhere")
            elif node.kind == "file" and is_mach_o(node.data):
                extents, faults = slices(node.data)
                codes[name] = [Signature(node.data[offset : offset + size]) for offset, size in extents]
                problems += [f"{name}: {fault}" for fault in faults]
                for signature in codes[name]:
                    problems += [f"{name}: {fault}" for fault in signature.problems]
        for name, signatures in codes.items():
            owner = owners.get(name)
            info, seal = (tree[owner.info].data, tree[owner.seal].data) if owner else (None, None)
            for signature in signatures:
                problems += [f"{name}: {fault}" for fault in signature.special_slots(info, seal)]
                if owner and signature.identifier != owner.identifier:
                    problems.append(f"{name}: signed as {signature.identifier}, is {owner.identifier}")
        for bundle in bundles:
            if bundle.executable not in codes:
                problems.append(f"{bundle.path}: no executable")
            problems += [f"{bundle.path}: {fault}" for fault in check_surroundings(tree, bundle)]
            problems += [f"{bundle.path}: {fault}" for fault in check_seal(tree, bundle, codes)]
    except Exception as error:
        # This script is for files of our own making: what it cannot read is a fault of theirs, whatever the reason.
        problems.append(f"unreadable: {error!r}")
    if not codes:
        problems.append("there is no code in it")
    return problems, codes


def mutations(tree):
    """(description, broken tree, whether an inside-out seal has to notice)."""
    deep = any(name.endswith(".app/Contents") for name in tree)

    def without(name):
        return {other: node for other, node in tree.items() if other != name}

    for name, node in tree.items():
        optional = re.search(r"(?<!/Base)\.lproj/", name) is not None and node.kind == "file"
        # Apple's rules omit PkgInfo; in a deep bundle no older rule covers it either.
        uncovered = deep and name.endswith("Contents/PkgInfo")
        if node.kind == "file":
            spots = {0, len(node.data) // 2, len(node.data) - 1} if node.data else set()
            for spot in sorted(spots):
                changed = bytearray(node.data)
                changed[spot] ^= 1
                other = Node("file", node.mode, bytes(changed))
                yield f"{name}: byte {spot} changed", {**tree, name: other}, not uncovered
            longer = Node("file", node.mode, node.data + b"\0")
            yield f"{name}: longer", {**tree, name: longer}, not uncovered
            yield f"{name}: gone", without(name), not (uncovered or optional)
        elif node.kind == "link":
            other = Node("link", node.mode, b"../" + node.data)
            yield f"{name}: leads elsewhere", {**tree, name: other}, True
            # A framework may lack the links at its top; whoever needs them is told by nothing in the seal.
            yield f"{name}: gone", without(name), not re.search(r"\.framework/[^/]+$", name)
        elif re.search(r"\.app(/|$)", name):
            stray = Node("file", 0o644, b"stray")
            yield f"{name}/stray: added", {**tree, name + "/stray": stray}, True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutate", action="store_true", help="also prove that every kind of break is noticed")
    parser.add_argument("archive", nargs="+")
    options = parser.parse_args()
    failed = False
    for archive in options.archive:
        tree, problems = read_archive(archive)
        found, codes = judge(tree)
        problems += found
        tried = 0
        if options.mutate and not problems:
            for description, other, expected in mutations(tree):
                tried += 1
                if expected and not judge(other)[0]:
                    problems.append(f"not noticed: {description}")
        for problem in problems:
            print(f"{archive}: {problem}", file=sys.stderr)
        failed = failed or bool(problems)
        if not problems:
            slice_count = sum(map(len, codes.values()))
            noticed = f", {tried} breaks tried" if options.mutate else ""
            print(f"{posixpath.basename(archive)}: {len(tree)} entries, {slice_count} slices sealed{noticed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
