#!/usr/bin/env python3
"""Runs the commands that README.md and the documents below docs show, and puts what they print into the documents.

A marker line `<!-- output: COMMAND -->` is followed by a ``` block, whose text becomes the command and its output. The
commands run in the top folder by bash, with build/native first in PATH. A command that fails leaves its block as it is
and makes the exit code 1; a marker without a block does so too.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
MARKER = re.compile(r"<!-- output: (.+) -->$")


def run(command):
    """Returns what |command| prints, or None after saying why it failed."""
    environment = dict(os.environ, PATH=f"{ROOT}/build/native:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    result = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        print(f"readme-output: exit code {result.returncode}: {command}\n{result.stdout}", file=sys.stderr)
        return None
    return result.stdout


def refresh(text, name):
    """Returns the text with fresh blocks, and the number of failures."""
    lines, out, failures, i = text.splitlines(), [], 0, 0
    while i < len(lines):
        out.append(lines[i])
        marker = MARKER.match(lines[i])
        i += 1
        if not marker:
            continue
        end = next((j for j in range(i + 1, len(lines)) if lines[j] == "```"), None)
        if i >= len(lines) or not lines[i].startswith("```") or end is None:
            print(f"readme-output: {name}:{i}: no ``` block follows the marker", file=sys.stderr)
            failures += 1
            continue
        output = run(marker.group(1))
        if output is None:
            failures += 1
            continue
        out += [lines[i], f"$ {marker.group(1)}", *(line.rstrip() for line in output.rstrip().splitlines()), "```"]
        i = end + 1
    return "\n".join(out) + "\n", failures


def main():
    parser = argparse.ArgumentParser(description="Refreshes the outputs shown in the documents.")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="README.md and all below docs if none is named")
    options = parser.parse_args()
    failures = 0
    for file in options.files or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = file.read_text(encoding="utf-8")
        fresh, failed = refresh(text, file.name)
        failures += failed
        if fresh != text:
            file.write_text(fresh, encoding="utf-8")
            print(f"{file.name}: refreshed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
