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

from marked_blocks import Mistake, refresh

ROOT = pathlib.Path(__file__).resolve().parents[1]
MARKER = re.compile(r"<!-- output: (.+) -->$")


def shown(command):
    """The lines that show |command| and what it prints."""
    environment = dict(os.environ, PATH=f"{ROOT}/build/native:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    result = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        raise Mistake(f"exit code {result.returncode}: {command}\n{result.stdout}")
    return [f"$ {command}", *(line.rstrip() for line in result.stdout.rstrip().splitlines())]


def main():
    parser = argparse.ArgumentParser(description="Refreshes the outputs shown in the documents.")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="README.md and all below docs if none is named")
    options = parser.parse_args()
    failures = 0
    for file in options.files or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = file.read_text(encoding="utf-8")
        fresh, mistakes = refresh(text, MARKER, shown)
        for line, mistake in mistakes:
            print(f"readme-output: {file.name}:{line}: {mistake}", file=sys.stderr)
        failures += len(mistakes)
        if fresh != text:
            file.write_text(fresh, encoding="utf-8")
            print(f"{file.name}: refreshed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
