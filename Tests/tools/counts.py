"""Asserts from the log of `swift test` how many tests of a suite passed.

A suite that silently lost tests is as green as before. Usage: counts.py LOG SUITE=NUMBER...
A log with fewer, or without the suite, is a failure; more is told, so that the number can be raised. Tests are counted
by the number in their names, so that a case that is told in two tests counts once.
"""

import re
import sys

# What names a test in each of the suites whose tests are numbered.
IDENTIFIERS = {"FieldCases": r"[A-Z]+-[0-9]{2}", "ParityConditions": r"condition [0-9]+"}


def main(log, wanted):
    with open(log, encoding="utf-8", errors="replace") as file:
        passed = re.findall(r'Test "([^"]*)".* passed after', file.read())
    status = 0
    for entry in wanted:
        suite, number = entry.split("=")
        found = {m[0] for m in (re.match(IDENTIFIERS[suite] + r"\b", name) for name in passed) if m}
        print(f"{suite}: {len(found)} passed, at least {number} expected")
        if len(found) < int(number):
            status = 1
    return status


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
