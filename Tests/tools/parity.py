"""Writes docs/parity.md: the 120 conditions that Apple's verifier decides, and what the tests hold sealcheck to.

The table is made from the tests themselves (Tests/SealCheckTests/ParityConditions), Apple's errors in the sources and
the catalogue of findings, so that it cannot say what no test asserts.
Usage: parity.py --sealcheck BINARY [--check]; with --check the file is compared instead of written.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "Tests/SealCheckTests/ParityConditions"
ERRORS = ROOT / "Sources/SealCheck/Evaluation/AppleError.swift"
TABLE = ROOT / "docs/parity.md"
CONDITIONS = 120
# Conditions whose test also judges the neighbouring input, which differs in the one deciding fact.
LEAST_NEIGHBOURS = 60

HEAD = """# Parity with Apple's verifier

What `codesign --verify --deep --strict` decides, condition by condition, as far as Apple's published source tells, and
what `sealcheck` is held to: its own `verdict.codesign`, and the findings that it has beside it. Every row is a test that
builds real bytes and judges them through the public interface. A verdict "valid" in a row with another one belongs to
the neighbouring input that differs in the deciding fact, to other options (without `--strict`, say), or to what Apple's
tool does not look at; "unknown" and "invalid" stand where the source leaves the answer, or the error, open.

This file is written by `Tests/tools/parity.py` from the tests and the catalogue of findings; CI fails when it is stale.

| # | condition | verdicts | findings | neighbour | test |
|---|---|---|---|---|---|
"""


def error_names():
    """Names of Apple's errors as tests write them: without errSecCS."""
    names = re.findall(r'(?:Self|unix)\(\s*"(\w+)",', ERRORS.read_text())
    return {name.removeprefix("errSecCS") for name in names}


def finding_ids(sealcheck):
    done = subprocess.run([sealcheck, "explain", "--all", "--format", "json"], capture_output=True, check=True)
    catalogue = json.loads(done.stdout)
    rows = catalogue if isinstance(catalogue, list) else catalogue["findings"]
    return {row["id"] for row in rows}


def bodies():
    """Number, text, file and body of each test."""
    for file in sorted(TESTS.glob("*.swift")):
        source = file.read_text()
        starts = list(re.finditer(r'@Test\("condition (\d{3}): (.*)"\)\n', source))
        for start in starts:
            # A function of an extension ends at the first brace in its own column.
            end = re.compile(r"^    }$", re.M).search(source, start.end())
            yield int(start[1]), start[2], file.name, source[start.end():end.start() if end else None]


def row_of(parts, errors, ids):
    verdicts, findings = [], []
    for body in parts:
        # Defaults of the helper for broken CodeDirectories.
        calls = re.findall(r"expectBroken\((.*)", body)
        for text in re.findall(r'"((?:[^"\\]|\\.)*)"', body):
            word = re.sub(r"^(error|warning|note) ", "", text)
            if word in errors | {"valid", "unknown", "invalid"} and word not in verdicts:
                verdicts.append(word)
            if word in ids and word not in findings:
                findings.append(word)
        if calls and not set(verdicts) & errors:
            verdicts.append("SignatureFailed")
        if calls and not findings:
            findings.append("code-directory-malformed")
    return verdicts, findings


def cell(text):
    return text.replace("|", "\\|")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sealcheck", required=True)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    errors, ids = error_names(), finding_ids(arguments.sealcheck)
    tests = {}
    for number, text, file, body in bodies():
        tests.setdefault(number, (text, file, []))[2].append(body)
    missing = [number for number in range(1, CONDITIONS + 1) if number not in tests]
    if missing:
        sys.exit(f"parity: no test for condition {', '.join(map(str, missing))}")
    lines, neighbours, silent = [], 0, []
    for number, (text, file, parts) in sorted(tests.items()):
        verdicts, findings = row_of(parts, errors, ids)
        has_neighbour = len(verdicts) > 1 or any("Neighbour" in part for part in parts)
        neighbours += has_neighbour
        if not verdicts:
            silent.append(number)
        lines.append(
            f"| {number} | {cell(text)} | {', '.join(verdicts)} | {', '.join(f'`{f}`' for f in findings)} | "
            f"{'yes' if has_neighbour else ''} | `condition {number:03}` in {file.removesuffix('.swift')} |"
        )
    if silent:
        sys.exit(f"parity: no verdict is asserted for condition {', '.join(map(str, silent))}")
    if neighbours < LEAST_NEIGHBOURS:
        sys.exit(f"parity: only {neighbours} conditions are told with their neighbour, {LEAST_NEIGHBOURS} are asked for")
    wanted = HEAD + "\n".join(lines) + "\n"
    if not arguments.check:
        TABLE.write_text(wanted)
        print(f"parity: {len(lines)} conditions, {neighbours} with their neighbour")
        return 0
    if not TABLE.exists() or TABLE.read_text() != wanted:
        print("parity: docs/parity.md is stale; run Tests/tools/parity.py", file=sys.stderr)
        return 1
    print(f"parity: docs/parity.md is current: {len(lines)} conditions, {neighbours} with their neighbour")
    return 0


if __name__ == "__main__":
    sys.exit(main())
