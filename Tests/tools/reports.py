#!/usr/bin/env python3
"""Reads every report format of sealcheck with parsers that are not ours, on inputs whose names are hostile.

All formats must parse, hold no raw control character, carry the same findings after the folding that each format
prescribes, and agree in their totals. Nothing here shares code with the product.

usage: reports.py --sealcheck BINARY --demo testdata/Demo.ipa
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree as ElementTree
import zipfile

HOSTILE = [
    b"quote\"s & <b>bold<b>", b"new\nline", b"per%cent%0A::error::x", b"cdata]]>end", b"esc\x1b[2Jape", b"bad\xff\xfeutf8",
    b"c1\xc2\x9b31m", b"bidi\xe2\x80\xaetxt", b"zero\xe2\x80\x8bwidth", b"##[error]runner", b"##vso[task.complete]",
    b"::warning::hello", b"pipe|`tick`|", b"=HYPERLINK(1)", b"<script>x<!--", b"[link](http:x)", b"{0}brace",
    b"@someone", b" blank ends ", b"\xef\xbf\xbe", b"nul\x01soh", b"www.example.com", "caf\u00e9".encode(),
]
UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe]")
failures = []


def check(condition, text):
    if not condition:
        failures.append(text)


def run(binary, *arguments, env=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GITHUB_")} | (env or {})
    return subprocess.run([binary, "verify", *arguments], capture_output=True, env=environment)


def hostile_folder(demo, folder):
    with zipfile.ZipFile(demo) as archive:
        for info in archive.infolist():
            path = archive.extract(info, folder)
            mode = info.external_attr >> 16
            if mode and not os.path.isdir(path):
                os.chmod(path, mode & 0o777)
    app = os.path.join(folder, "Payload", "Demo.app").encode()
    for name in HOSTILE:
        with open(os.path.join(app, name), "wb") as file:
            file.write(b"x")
    # A finding about nested code, one with a cause, and one that could not be checked beside them.
    with open(os.path.join(app, b"PlugIns/DemoWidget.appex/DemoWidget"), "r+b") as file:
        file.seek(0x4100)
        byte = file.read(1)
        file.seek(0x4100)
        file.write(bytes([byte[0] ^ 1]))
    return app.decode()


def hostile_archive(demo, path):
    """The same names in an archive, as raw bytes: Python's zipfile would re-encode them."""
    shutil.copy(demo, path)
    with zipfile.ZipFile(path, "a") as archive:
        for number, name in enumerate(HOSTILE):
            # A stand-in of the same length in ASCII, replaced below.
            archive.writestr(f"Payload/Demo.app/@@{number:03}" + "z" * max(0, len(name) - 5), b"x")
    data = open(path, "rb").read()
    for number, name in enumerate(HOSTILE):
        stand_in = f"@@{number:03}".encode() + b"z" * max(0, len(name) - 5)
        data = data.replace(b"Payload/Demo.app/" + stand_in, b"Payload/Demo.app/" + name.ljust(len(stand_in), b"_"))
    open(path, "wb").write(data)


def check_text(name, text):
    for number, line in enumerate(text.split("\n")):
        check(not UNSAFE.search(line), f"{name}: raw control character in line {number + 1}: {line[:80]!r}")
        check(not re.match(r"^\s*::", line) or name == "github", f"{name}: a command of the runner: {line[:80]!r}")
        check(not re.search(r"##[A-Za-z]*\[", line), f"{name}: a command of a runner: {line[:80]!r}")


def check_sarif(text, report, schema):
    log = json.loads(text)
    check(log["version"] == "2.1.0" and len(log["runs"]) == 1, "sarif: one run of version 2.1.0")
    driver = log["runs"][0]["tool"]["driver"]
    rules = [rule["id"] for rule in driver["rules"]]
    check(len(rules) == len(set(rules)), "sarif: a rule twice")
    for rule in driver["rules"]:
        for key in ("shortDescription", "fullDescription", "help"):
            check(0 < len(rule[key]["text"]) <= 1024, f"sarif: {key} of {rule['id']}")
        check("security-severity" not in rule.get("properties", {}), "sarif: a security score")
    results = log["runs"][0]["results"]
    for result in results:
        check(rules[result["ruleIndex"]] == result["ruleId"], f"sarif: index of {result['ruleId']}")
        check(len(result["locations"]) == 1, "sarif: one location")
        place = result["locations"][0]["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        check(re.fullmatch(r"[A-Za-z0-9\-._~/%@+]+|file:///[A-Za-z0-9\-._~/%@+]*", uri) is not None, f"sarif: uri {uri}")
        check(place["region"]["startLine"] == 1, "sarif: region")
        check(result["partialFingerprints"]["primaryLocationLineHash"], "sarif: fingerprint")
    check("automationDetails" not in log["runs"][0], "sarif: a category that nobody asked for")
    ours = collections.Counter((f["id"], f["severity"]) for f in report["findings"])
    check(ours == collections.Counter((r["ruleId"], r["level"]) for r in results), "sarif: other findings than json")
    levels = collections.Counter(r["level"] for r in results if "suppressions" not in r)
    for level in ("error", "warning", "note"):
        check(levels[level] == report["counts"][level], f"sarif: count of {level}")
    check(log["runs"][0]["invocations"][0]["exitCode"] == report["exitCode"], "sarif: exit code")
    if schema:
        schema.model_validate(log)


def check_junit(text, report):
    root = ElementTree.fromstring(text)
    totals = collections.Counter()
    keys = []
    named = collections.Counter()
    for suite in root:
        cases = suite.findall("testcase")
        count = collections.Counter(child.tag for case in cases for child in case)
        check(int(suite.get("tests")) == len(cases), "junit: tests of a suite")
        check(int(suite.get("failures")) == count["failure"], "junit: failures of a suite")
        check(int(suite.get("errors")) == count["error"], "junit: errors of a suite")
        check(int(suite.get("skipped")) == count["skipped"], "junit: skipped of a suite")
        totals.update(tests=len(cases), failures=count["failure"], errors=count["error"], skipped=count["skipped"])
        for case in cases:
            keys.append((case.get("classname"), case.get("name")))
            check(case.get("name") and case.get("time") is not None, "junit: a case without name or time")
            check(len(case.findall("failure") + case.findall("error")) <= 1, "junit: two results in a case")
            for element in case:
                for line in (element.text or "").split("\n"):
                    found = re.match(r"(?:(?:warning|note|error|allowed): )?([a-z0-9-]+): ", line)
                    if found and found.group(1) not in ("cause", "fix"):
                        named[found.group(1)] += 1
    check(len(keys) == len(set(keys)), "junit: two cases of one name: " + str([k for k, n in collections.Counter(keys).items() if n > 1]))
    check(totals["tests"] > 0, "junit: no case")
    for key, value in totals.items():
        check(int(root.get(key)) == value, f"junit: total of {key}")
    check(named == collections.Counter(f["id"] for f in report["findings"]), "junit: other findings than json")
    check((totals["failures"] > 0) == (report["outcome"] == "fail"), "junit: failures and outcome")


def check_totals(name, text, report):
    """The summary that people read says the numbers of the report, and none that the report does not have."""
    line = next((line for line in text.split("\n") if re.search(r"\d+ code objects?, \d+ files?", line)), None)
    if line is None:
        check(report["problem"], f"{name}: no line of totals")
        return
    counts = report["counts"]
    for key in ("error", "warning", "note", "allowed"):
        said = re.search(rf"(\d+) {key}s?\b", line)
        check((int(said.group(1)) if said else 0) == counts[key], f"{name}: total of {key}: {line}")
    for key, word in (("codeObjects", "code object"), ("files", "file")):
        said = re.search(rf"(\d+) {word}s?\b", line)
        check(said and int(said.group(1)) == counts[key], f"{name}: total of {key}: {line}")


def decode_command(line):
    found = re.fullmatch(r"::(error|warning|notice) ?([^:]*)::(.*)", line)
    if not found:
        return None
    undo = lambda text: text.replace("%0A", "\n").replace("%0D", "\r").replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
    values = dict(part.split("=", 1) for part in found.group(2).split(",") if part)
    return found.group(1), {key: undo(value) for key, value in values.items()}, undo(found.group(3))


def check_github(text, report):
    commands = [line for line in text.split("\n") if line.lstrip().startswith("::")]
    decoded = [decode_command(line) for line in commands]
    check(all(decoded), "github: an unreadable command")
    check(len(commands) <= 10, "github: more commands than the runner keeps")
    for kind, values, message in decoded:
        check(values.get("title") and message, "github: no title or message")
        check(len(message) <= 4096, "github: a long message")
    groups = {f["cause"] or f["id"] for f in report["findings"] if not f["allowed"]}
    worst = {f["cause"] or f["id"] for f in report["findings"] if f["severity"] == "error" and not f["allowed"]}
    check(len(decoded) >= min(9, len(groups)), "github: too few annotations")
    check(sum(kind == "error" for kind, _, _ in decoded) >= min(9, len(worst)), "github: errors that are not annotated")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sealcheck", required=True)
    parser.add_argument("--demo", required=True)
    options = parser.parse_args()
    try:
        from sarif_pydantic import Sarif as schema
    except ImportError:
        schema = None
        print("the SARIF models are not installed: the schema is not checked")
    with tempfile.TemporaryDirectory() as folder:
        app = hostile_folder(options.demo, folder)
        archive = os.path.join(folder, "Hostile.ipa")
        hostile_archive(options.demo, archive)
        for path in (app, archive, options.demo, os.path.join(folder, "nothing.ipa")):
            check_input(options.sealcheck, path, folder, schema)
        check_several(options.sealcheck, [options.demo, app], folder)
    for text in failures:
        print("FAILED", text)
    print(f"{'failed' if failures else 'passed'}: every report format, read by other parsers")
    return 1 if failures else 0


def check_input(binary, path, folder, schema):
    before = len(failures)
    first = run(binary, "--format", "json", path)
    report = json.loads(first.stdout)
    expected = first.returncode
    check(expected == report["exitCode"], "json: exit code")
    check_text("json", first.stdout.decode())
    check_text("standard error", first.stderr.decode())
    summary = os.path.join(folder, "summary.md")
    if os.path.exists(summary):
        os.remove(summary)
    for form in ("text", "jsonl", "markdown", "sarif", "junit", "github"):
        for extra in ((), ("-v",), ("-q",)):
            done = run(binary, "--format", form, *extra, path, env={"GITHUB_STEP_SUMMARY": summary} if form == "github" else None)
            text = done.stdout.decode()
            check(done.returncode == expected, f"{form}: exit code {done.returncode}")
            check_text(form, text)
            if form == "jsonl":
                check(text.count("\n") == 1 and json.loads(text) == report, "jsonl: another object than json")
            elif form == "sarif" and report["problem"]:
                run_ = json.loads(text)["runs"][0]
                check(run_["results"] == [] and not run_["invocations"][0]["executionSuccessful"], "sarif: an unread input is clean")
            elif form == "sarif":
                check_sarif(text, report, schema)
            elif form == "junit" and report["problem"]:
                check(ElementTree.fromstring(text).get("errors") == "1", "junit: an unread input is clean")
            elif form == "junit":
                check_junit(text, report)
            elif form == "github":
                check_github(text, report)
    check("Demo" in open(summary).read() or report["problem"], "github: no summary")
    check_text("summary", open(summary).read())
    check_totals("summary", open(summary).read(), report)
    check_totals("markdown", run(binary, "--format", "markdown", path).stdout.decode(), report)
    # Several reports of one run are those of several runs.
    files = {form: os.path.join(folder, "report." + form) for form in ("sarif", "junit", "markdown", "json")}
    run(binary, "-q", *[f"--report={form}={file}" for form, file in files.items()], path)
    for form, file in files.items():
        check(open(file, "rb").read() == run(binary, "--format", form, path).stdout, f"--report {form}: another document")
    for text in failures[before:]:
        print(f"in {path}: {text}")


def check_several(binary, paths, folder):
    for form in ("sarif", "junit", "markdown", "jsonl", "github", "text"):
        done = run(binary, "--format", form, *paths)
        check(done.returncode == 1, f"{form}: exit code of several")
        text = done.stdout.decode()
        if form == "sarif":
            check(len(json.loads(text)["runs"]) == 1, "sarif: several runs")
        if form == "junit":
            keys = [(c.get("classname"), c.get("name")) for c in ElementTree.fromstring(text).iter("testcase")]
            check(len(keys) == len(set(keys)), "junit: doubles among several inputs")


if __name__ == "__main__":
    sys.exit(main())
