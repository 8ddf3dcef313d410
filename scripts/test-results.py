#!/usr/bin/env python3
"""Prints what the last run of ctest in BUILD_DIR did not test and why, a line each, then how many tests passed, failed and were
skipped. Tests of GoogleTest are counted one by one, though ctest runs a suite at once. All is read from ctest's own log, which
holds the whole output of every test.

usage: test-results.py BUILD_DIR
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^\d+/\d+ Testing: (.*)$", re.MULTILINE)
ENDED = re.compile(r"^\[ +(OK|SKIPPED|FAILED) +\] (\S+?),? .*\(\d+ ms\)$", re.MULTILINE)
REASON = re.compile(r": Skipped\n(.*?)^\[  SKIPPED \] ", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"^Skip (regular expression found|return code)", re.MULTILINE)
PASSED = re.compile(r"^Test (Passed\.|Pass Reason:)$", re.MULTILINE)


def reason_in(output):
    found = REASON.search(output)
    return " ".join(found[1].split()) if found and found[1].strip() else "no reason given"


def results_of(name, output):
    """(result, test, reason) of each test in one block of the log: OK, SKIPPED or FAILED."""
    results, begin = [], 0
    for ended in ENDED.finditer(output):
        results.append((ended[1], ended[2], reason_in(output[begin:ended.end()])))
        begin = ended.end()
    if NOT_RUN.search(output) and not results:
        return [("SKIPPED", name, reason_in(output))]
    if not PASSED.search(output) and not any(result == "FAILED" for result, _, _ in results):
        results.append(("FAILED", name, ""))
    return results or [("OK", name, "")]


def main(arguments):
    if len(arguments) != 1:
        print("usage: test-results.py BUILD_DIR", file=sys.stderr)
        return 2
    log = pathlib.Path(arguments[0], "Testing", "Temporary", "LastTest.log")
    try:
        blocks = BLOCK.split(log.read_text(encoding="utf-8", errors="replace"))[1:]
    except OSError as error:
        print(f"test-results.py: {log}: {error.strerror}; run ctest first", file=sys.stderr)
        return 2
    results = [r for name, output in zip(blocks[::2], blocks[1::2]) for r in results_of(name, output)]
    for _, name, reason in sorted(r for r in results if r[0] == "SKIPPED"):
        print(f"skipped: {name}: {reason}")
    count = {wanted: sum(r[0] == wanted for r in results) for wanted in ("OK", "FAILED", "SKIPPED")}
    print(f"{count['OK']} passed, {count['FAILED']} failed, {count['SKIPPED']} skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
