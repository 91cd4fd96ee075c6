#!/usr/bin/env python3
"""Hold sealcheck against what an independent program found in real signed files.

    corpus.py --sealcheck PATH --corpus FOLDER [--wheels FOLDER]

FOLDER holds machos.tsv (one row a slice), bundles.tsv (one row a seal) and samples/*.tar.xz. Every row must agree:
identifier, flags, version, hash types, page size, cdhash, page and slot problems; counts of the seal, and added, altered
and missing files. A disagreement that is settled stands in testdata/divergences.json with its reason; a settled one that
no longer occurs fails as well. Exit code 0 when everything agrees, 1 when not, 2 when it cannot run.
"""

import argparse
import csv
import hashlib
import json
import os
import shutil
import stat
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

DIVERGENCES = Path(__file__).resolve().parents[2] / "testdata" / "divergences.json"
BUNDLE_SUFFIXES = (".app", ".appex", ".framework", ".xpc", ".xctest", ".bundle")

# The rows' words for a special slot, and the findings that say the same.
SLOTS = {"info": "info-plist", "res": "seal", "req": "requirements", "ent": "entitlements", "der": "entitlements-der"}


def unpack_zip(archive, target):
    """A zip with its modes and links, which zipfile's own extractall drops."""
    with zipfile.ZipFile(archive) as z:
        for entry in z.infolist():
            mode, path = entry.external_attr >> 16, target / entry.filename
            if entry.is_dir():
                path.mkdir(parents=True, exist_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            if stat.S_ISLNK(mode):
                os.symlink(z.read(entry).decode(), path)
                continue
            path.write_bytes(z.read(entry))
            if mode:
                path.chmod(mode & 0o777)


def sample_roots(corpus, wheels, work):
    """The folder in which each sample's paths begin."""
    roots = {}
    for archive in sorted((corpus / "samples").glob("*.tar.xz")):
        name = archive.name.split("-")[0]
        root = work / name
        root.mkdir()
        with tarfile.open(archive) as tar:
            tar.extractall(root, **({"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}))
        for inner in list(root.rglob("*.zip")) + list(root.rglob("*.ipa")):
            target = Path(str(inner) + ".unpacked")
            if inner.is_file() and zipfile.is_zipfile(inner) and not target.exists():
                target.mkdir()
                unpack_zip(inner, target)
        roots[name] = [root]
    if wheels:
        files = [line.split()[3] for line in (corpus / "wheels.txt").read_text().splitlines() if line.strip()]
        for number, file in enumerate(files, 1):
            tree = wheels / "trees" / file.removesuffix(".whl")
            if not tree.is_dir():
                continue
            name = f"W{number:02}"
            roots[name] = [tree]
            for index, inner in enumerate(sorted(tree.rglob("*.zip"))):
                if zipfile.is_zipfile(inner):
                    target = work / f"{name}-zip{index}"
                    target.mkdir()
                    unpack_zip(inner, target)
                    roots[name].append(target)
    return roots


def locate(roots, path):
    for root in roots:
        if (root / path).exists():
            return root
    return None


def outermost_bundle(root, path):
    """The outermost folder on the way to `path` that is a bundle, or None."""
    parts = Path(path).parts
    for count in range(1, len(parts) + 1):
        folder = root.joinpath(*parts[:count])
        if parts[count - 1].endswith(BUNDLE_SUFFIXES) and folder.is_dir():
            # A dSYM is no bundle that anybody loads, and what lies below one is not code.
            return None if any(part.endswith(".dSYM") for part in parts[:count]) else folder
    return None


class Runner:
    def __init__(self, sealcheck):
        self.sealcheck = sealcheck
        self.reports = {}

    def report(self, path, file_only=False):
        key = (str(path), file_only)
        if key not in self.reports:
            command = [self.sealcheck, "verify", "--profile", "integrity", "--all-digests", "--format", "json", "--fail-on",
                       "never"] + (["--file-only"] if file_only else []) + ["--", str(path)]
            done = subprocess.run(command, capture_output=True)
            if done.returncode not in (0, 1, 3):
                sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
            self.reports[key] = json.loads(done.stdout)
        return self.reports[key]


def reported_problems(report, code, slice_):
    """The findings about one slice, in the words of the table: slot and kind, or pages."""
    found = set()
    for finding in report["findings"]:
        subject = finding["subject"]
        if subject["code"] != code["path"] or subject["slice"] not in (None, slice_["architecture"]):
            continue
        identifier = finding["id"]
        if identifier in ("page-altered", "code-limit-beyond-end"):
            found.add(("pages", "differ"))
        if identifier == "slice-seal-differs":
            found.add(("res", "no data" if "not there" in finding["message"] else "differ"))
        if identifier == "info-plist-not-bound":
            found.add(("info", "unsealed"))
        for slot, name in SLOTS.items():
            for ending, kind in (("altered", "differ"), ("missing", "no data")):
                if identifier == f"{name}-{ending}":
                    found.add((slot, kind))
    return found


def expected_problems(text):
    """The table's problems as a set; hash types are folded, since one CodeDirectory rules."""
    found = set()
    for problem in [] if text == "-" else text.split("; "):
        words = problem.split("] ", 1)[-1]
        if words == "Info.plist unsealed":
            found.add(("info", "unsealed"))
        elif words.startswith("slot "):
            slot = words.split()[1]
            found.add((slot, "no data" if words.endswith("no data") else "differ"))
        elif "page" in words:
            found.add(("pages", "differ"))
        else:
            found.add(("?", words))
    return found


def check_macho(row, roots, runner):
    root = locate(roots, row["path"])
    if root is None:
        yield "the file is not in the sample", row["path"], None
        return
    bundle = outermost_bundle(root, row["path"])
    target = bundle or root / row["path"]
    report = runner.report(target, file_only=bundle is None)
    inside = str((root / row["path"]).relative_to(target.parent))
    code = next((c for c in report["code"] if same_path(c, inside)), None)
    if code is None:
        # Files that need no signature are no code objects; the table lists them as unsigned.
        if row["signed"] == "no":
            return
        yield "listed as code", True, False
        return
    index = int(row["slice"])
    if index >= len(code["slices"]):
        yield "slices", index + 1, len(code["slices"])
        return
    slice_ = code["slices"][index]
    yield "architecture", row["arch"], slice_["architecture"]
    yield "platform", {"ios-sim": "ios-simulator", "None": None}.get(row["platform"], row["platform"]), slice_["platform"]
    if row["signed"] == "no":
        yield "signature", "unsigned", slice_["signature"]
        return
    yield "identifier", row["identifier"], slice_["identifier"]
    yield "flags", row["flags"], slice_["flags"]
    yield "version", row["cd_version"], slice_["version"]
    yield "hash types", row["hash_types"], "+".join(slice_["hashTypes"])
    yield "page size", int(row["page_size"]), slice_["pageSize"]
    yield "cdhash", row["best_cdhash"], slice_["cdhash"]
    yield "problems", sorted(expected_problems(row["problems"])), sorted(reported_problems(report, code, slice_))
    # Every certificate's message in the corpus is the right one for its code.
    doubts = {f["id"] for f in report["findings"] if "cms" in f["id"] and f["subject"]["code"] == code["path"]}
    yield "message", set(), doubts


def same_path(code, inside):
    return code["executablePath"] == inside


def check_bundle(row, roots, runner):
    path = row["bundle"].removesuffix("/Contents")
    root = locate(roots, row["bundle"])
    if root is None:
        yield "the bundle is not in the sample", row["bundle"], None
        return
    target = outermost_bundle(root, path) or root / path
    report = runner.report(target)
    inside = str((root / path).relative_to(target.parent))
    code = next((c for c in report["code"] if c["path"] == inside), None)
    if code is None:
        # Versions/A of a framework stands for the framework.
        parent = str(Path(inside).parent.parent)
        code = next((c for c in report["code"] if "/Versions/" in inside and c["path"] == parent), None)
    if code is None:
        yield "listed as code", True, False
        return
    seal = code["seal"] or {}
    yield "files", int(row["files"]), seal.get("files")
    yield "files2", int(row["files2"]), seal.get("files2")
    yield "nested entries", int(row["nested_entries"]), seal.get("nested")
    yield "symlinks", int(row["symlinks"]), seal.get("symlinks")
    base = str((root / row["bundle"]).relative_to(target.parent))
    found = []
    for finding in report["findings"]:
        if finding["subject"]["code"] != code["path"]:
            continue
        file = finding["subject"]["path"].removeprefix(base + "/")
        words = {
            "resource-added": "v2 extra file", "resource-altered": "v2 hash mismatch", "resource-missing": "v2 missing file",
            "resource-digest-absent": "v2 hash mismatch", "symlink-altered": "v2 symlink mismatch",
            "resource-became-symlink": "v2 hash mismatch", "symlink-became-file": "v2 symlink mismatch",
            "resource-sealed-but-omitted": "v2 missing file", "recorded-digest-differs": "v1 hash mismatch",
            "recorded-file-missing": "v1 missing file",
        }.get(finding["id"])
        if words:
            found.append(f"{words} {file}")
    yield "problems", sorted([] if row["problems"] == "-" else row["problems"].split("; ")), sorted(found)


def binds_its_files(contents):
    """Whether the CodeDirectory in a file has the hashes of Info.plist, requirements and seal that lie beside it."""
    path = contents / "_CodeSignature/CodeDirectory"
    if not path.is_file():
        return False
    blob = path.read_bytes()
    offset, count, size, kind = *struct.unpack_from(">I4xI", blob, 16), blob[36], blob[37]
    files = {1: "Info.plist", 2: "_CodeSignature/CodeRequirements", 3: "_CodeSignature/CodeResources"}
    for slot, name in files.items():
        digest = hashlib.new({1: "sha1", 2: "sha256"}[kind], (contents / name).read_bytes()).digest()
        if slot > count or blob[offset - slot * size:][:size] != digest:
            return False
    return True


def check_intact(row, roots, runner, tables):
    """A bundle in which the tables find nothing wrong, at any depth, is valid for Apple's tool."""
    below = row["bundle"].removesuffix("/Contents")
    below = below.split("/Versions/")[0] if ".framework/Versions/" in below else below
    inside = [r for r in tables["bundles"] if (r["bundle"] + "/").startswith(below + "/") and r["sample"] == row["sample"]]
    code = [r for r in tables["machos"] if r["path"].startswith(below + "/") and r["sample"] == row["sample"]]
    if any(r["problems"] != "-" for r in inside + code) or any(r["signed"] != "yes" for r in code):
        return
    root = locate(roots, row["bundle"])
    # A bundle whose executable is not there was never complete; of one without Mach-O the tables know the seal alone.
    if root is None or (not code and not binds_its_files(root / row["bundle"])):
        return
    codesign = runner.report(root / below)["verdict"]["codesign"]
    yield "intact", "valid", "valid" if codesign["valid"] else (codesign["error"] or {"name": "unknown"})["name"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sealcheck")
    parser.add_argument("--corpus", required=True, type=Path)
    parser.add_argument("--wheels", type=Path)
    parser.add_argument("--unpack", type=Path, help="unpack the samples into a new folder, and do nothing else")
    arguments = parser.parse_args()
    if not arguments.sealcheck and not arguments.unpack:
        parser.error("--sealcheck or --unpack is needed")
    if not (arguments.corpus / "machos.tsv").is_file():
        print(f"corpus: there is no machos.tsv in {arguments.corpus}", file=sys.stderr)
        return 2
    if arguments.unpack:
        shutil.rmtree(arguments.unpack, ignore_errors=True)
        arguments.unpack.mkdir(parents=True)
        sample_roots(arguments.corpus, arguments.wheels, arguments.unpack.resolve())
        return 0
    settled = {(d["table"], d["sample"], d["path"], d["fact"]): d for d in json.loads(DIVERGENCES.read_text())["corpus"]}
    used, wrong, counts = set(), [], Counter()
    with tempfile.TemporaryDirectory() as folder:
        roots = sample_roots(arguments.corpus, arguments.wheels, Path(folder).resolve())
        runner = Runner(arguments.sealcheck)
        tables = {}
        for table in ("machos", "bundles"):
            with open(arguments.corpus / f"{table}.tsv", newline="") as file:
                tables[table] = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        intact = lambda row, roots, runner: check_intact(row, roots, runner, tables)
        for table, name, check, key in (
            ("machos", "machos", check_macho, "path"), ("bundles", "bundles", check_bundle, "bundle"),
            ("bundles", "intact", intact, "bundle"),
        ):
            for row in tables[table]:
                if row["sample"] not in roots:
                    counts[name, "left out"] += 1
                    continue
                if name != "intact":
                    counts[name, "checked"] += 1
                for fact, expected, actual in check(row, roots[row["sample"]], runner):
                    counts["intact", "checked"] += fact == "intact"
                    if expected == actual:
                        continue
                    entry = (table, row["sample"], row[key], fact)
                    if entry in settled and fact != "intact":
                        used.add(entry)
                        continue
                    wrong.append((entry, expected, actual))
        checked_samples = set(roots)
    for (table, sample, path, fact), expected, actual in wrong:
        print(f"{table} {sample} {path}: {fact}: the table has {expected}, sealcheck {actual}")
    stale = [entry for entry in settled if entry not in used and entry[1] in checked_samples]
    for entry in stale:
        print(f"settled in divergences.json, but no longer so: {' '.join(entry)}")
    for table in ("machos", "bundles"):
        left = counts[table, "left out"]
        print(f"{table}: {counts[table, 'checked']} rows compared" + (f", {left} left out (no wheels)" if left else ""))
    print(f"{counts['intact', 'checked']} intact bundles held to be valid")
    print(f"{len(wrong)} disagreements, {len(used)} settled, {len(stale)} stale")
    if counts["machos", "checked"] == 0:
        print("corpus: nothing was compared", file=sys.stderr)
        return 2
    return 1 if wrong or stale else 0


if __name__ == "__main__":
    sys.exit(main())
