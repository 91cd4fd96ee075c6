#!/usr/bin/env python3
"""Runs the steps of the README's workflow in bash, once for a good app and once for a broken one, and reads what the
runner would read: exit code, annotations, summary, report files.

usage: readme.py --sealcheck BINARY --demo testdata/Demo.ipa
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile


def steps(readme):
    """The scripts of the workflow's `run:` steps, in order."""
    (workflow,) = re.findall(r"```yaml\n(name: seal.*?)```", readme, re.S)
    found = []
    lines = workflow.split("\n")
    for number, line in enumerate(lines):
        one = re.match(r"( *)run: (.*)", line)
        if not one:
            continue
        if one.group(2) != "|":
            found.append(one.group(2))
            continue
        body = []
        for rest in lines[number + 1:]:
            if rest.strip() and len(rest) - len(rest.lstrip()) <= len(one.group(1)):
                break
            body.append(rest[len(one.group(1)) + 2:])
        found.append("\n".join(body))
    return found


def broken(demo, path):
    """The demo without its widget: what a packaging step loses."""
    with zipfile.ZipFile(demo) as old, zipfile.ZipFile(path, "w") as new:
        for info in old.infolist():
            if "DemoWidget.appex" not in info.filename:
                new.writestr(info, old.read(info))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sealcheck", required=True)
    parser.add_argument("--demo", required=True)
    options = parser.parse_args()
    demo = os.path.abspath(options.demo)
    scripts = [s for s in steps(open("README.md").read()) if "sealcheck" in s]
    assert len(scripts) == 1, scripts
    for is_good in (True, False):
        with tempfile.TemporaryDirectory() as folder:
            tools = os.path.join(folder, "tools")
            os.mkdir(tools)
            os.symlink(os.path.abspath(options.sealcheck), os.path.join(tools, "sealcheck"))
            work = os.path.join(folder, "work")
            os.mkdir(work)
            if is_good:
                os.symlink(demo, os.path.join(work, "App.ipa"))
            else:
                broken(demo, os.path.join(work, "App.ipa"))
            summary = os.path.join(folder, "summary.md")
            environment = os.environ | {
                "PATH": tools + os.pathsep + os.environ["PATH"], "GITHUB_STEP_SUMMARY": summary, "GITHUB_WORKSPACE": work,
            }
            # As the runner starts bash.
            done = subprocess.run(
                ["bash", "-e", "-o", "pipefail", "-c", scripts[0]], cwd=work, env=environment, capture_output=True, text=True)
            commands = [line for line in done.stdout.split("\n") if line.startswith("::")]
            errors = [line for line in commands if line.startswith("::error ")]
            results = json.load(open(os.path.join(work, "sealcheck.sarif")))["runs"][0]["results"]
            failures = int(ElementTree.parse(os.path.join(work, "sealcheck.xml")).getroot().get("failures"))
            text = open(summary).read()
            if is_good:
                assert done.returncode == 0 and not commands and not results and failures == 0, done
                assert "✅" in text and "DemoWidget.appex" in text, text
            else:
                assert done.returncode == 1 and errors and failures > 0, done
                assert {r["ruleId"] for r in results} >= {"nested-code-removed", "live-activity-widget-missing"}, results
                assert "❌" in text and "Fix:" in text, text
    print("passed: the workflow of the README gates a good and a broken app")


if __name__ == "__main__":
    sys.exit(main())
