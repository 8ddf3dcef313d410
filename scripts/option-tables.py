#!/usr/bin/env python3
"""Puts the options of commands into the documents: a table behind each marker line `<!-- options: COMMAND -->`.

usage: option-tables.py [--check] PROGRAM [FILE...]

With --check nothing is written, and a table that is not what the program says makes the exit code 1.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
MARKER = re.compile(r"<!-- options: (.+) -->$")


def cell(text):
    return text.replace("|", "\\|")


def table(program, command):
    result = subprocess.run([program, "help", "--json", *command.split()], stdout=subprocess.PIPE, text=True, check=True)
    rows = ["| option | meaning | without it |", "|---|---|---|"]
    for option in json.loads(result.stdout)["options"]:
        if option["positional"]:
            continue
        limits = f" ({option['range']})" if option["range"] else ""
        rows.append(f"| `{cell(option['shown'])}` | {cell(option['help'])}{limits} | {cell(option['default'])} |")
    return rows


def refreshed(program, text):
    lines, out, i = text.splitlines(), [], 0
    while i < len(lines):
        out.append(lines[i])
        marker = MARKER.match(lines[i])
        i += 1
        if marker:
            out += table(program, marker.group(1))
            while i < len(lines) and lines[i].startswith("|"):
                i += 1
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Puts the options of commands into the documents.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a table is not true")
    parser.add_argument("program")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="all documents if none is named")
    options = parser.parse_args()
    stale = []
    for file in options.files or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = file.read_text(encoding="utf-8")
        fresh = refreshed(options.program, text)
        if fresh == text:
            continue
        stale.append(file.name)
        if not options.check:
            file.write_text(fresh, encoding="utf-8")
    if options.check and stale:
        sys.exit(f"option-tables: not what the program says: {' '.join(stale)}; scripts/option-tables.py PROGRAM renews them")


if __name__ == "__main__":
    main()
