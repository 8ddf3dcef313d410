#!/usr/bin/env python3
"""Runs the commands that README.md and the documents below docs show, and puts what they print into the documents.

A marker line `<!-- output: COMMAND -->` is followed by a ``` block, whose text becomes the command and its output. The
commands run in the top folder by bash, with build/native first in PATH. A command that fails leaves its block as it is
and makes the exit code 1; a marker without a block does so too. The help of each command goes to tests/data/cli/help/.

With --check nothing is written, and what differs from what the commands print now is an error. In a block whose marker
says `output, figures vary:` numbers may differ, and with `output, of this machine:` all but the command; where a command
names a file below build/ that was not built, its block is counted as skipped.
"""
import argparse
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys

from marked_blocks import Mistake, blocks, refresh

ROOT = pathlib.Path(__file__).resolve().parents[1]
MARKER = re.compile(r"<!-- output(?:, (?:figures vary|of this machine))?: (?P<command>.+) -->$")
KIND = re.compile(r"<!-- output, (figures vary|of this machine):")
HELP = ROOT / "tests/data/cli/help"


def output(command):
    """What |command| prints."""
    environment = dict(os.environ, PATH=f"{ROOT}/build/native:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    result = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        raise Mistake(f"exit code {result.returncode}: {command}\n{result.stdout}")
    return [line.rstrip() for line in result.stdout.rstrip().splitlines()]


def shown(command):
    """The lines that show |command| and what it prints."""
    return [f"$ {command}", *output(command)]


def help_pages():
    """{file: the help of a command}."""
    def names(command):
        yield command["command"]
        for below in command.get("commands", []):
            yield from names(below)
    described = json.loads("\n".join(output("incore help --json")))
    return {HELP / f"{name.replace(' ', '-')}.txt": "\n".join(output(f"{name} --help")) + "\n" for name in names(described)}


def masked(lines, kind):
    """The lines without what may differ."""
    if kind is None:
        return lines
    if kind[1] == "of this machine":
        return lines[:1]
    return [lines[0], *(re.sub(r"\s+", " ", re.sub(r"0x[0-9a-f]+|\d[\d.]*", "#", line)) for line in lines[1:])]


def differences(document):
    """What the blocks of |document| show and their commands do not print any more; and how many could not be run."""
    lines, found, skipped = document.read_text(encoding="utf-8").splitlines(), [], 0
    for number, line in enumerate(lines, 1):
        if line.startswith("<!-- output") and not MARKER.match(line):
            found.append(f"{document.relative_to(ROOT)}:{number}: no marker that is known: {line}")
    for match, begin, end in blocks("\n".join(lines), MARKER):
        place = f"{document.relative_to(ROOT)}:{begin}"
        command, kind = match["command"], KIND.match(match[0])
        missing = [path for path in re.findall(r"(?<![\w/.>-])build/[\w/.-]+", command.split(">")[0].split(" -o ")[0])
                   if not (ROOT / path).exists()]
        if missing:
            skipped += 1
            continue
        try:
            if end is None:
                raise Mistake("no ``` block follows the marker")
            old, new = masked(lines[begin + 1:end], kind), masked(shown(command), kind)
        except Mistake as mistake:
            found.append(f"{place}: {mistake}")
            continue
        if old != new:
            found.append("\n".join([f"{place}: not what the command prints now",
                                    *difflib.unified_diff(old, new, "shown", "printed", lineterm="", n=1)]))
    return found, skipped


def check(files):
    found, skipped = [], 0
    for file in files:
        wrong, not_run = differences(file)
        found += wrong
        skipped += not_run
    pages = help_pages()
    for page, text in pages.items():
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            found.append(f"{page.relative_to(ROOT)}: not what the command's help says now")
    found += [f"{page.relative_to(ROOT)}: there is no such command" for page in HELP.glob("*") if page not in pages]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(found)} differ, {skipped} skipped: not built here. `make readme-output` renews them.")
    return 1 if found else 0


def renew(files):
    failures = 0
    for file in files:
        text = file.read_text(encoding="utf-8")
        fresh, mistakes = refresh(text, MARKER, shown)
        for line, mistake in mistakes:
            print(f"readme-output: {file.name}:{line}: {mistake}", file=sys.stderr)
        failures += len(mistakes)
        if fresh != text:
            file.write_text(fresh, encoding="utf-8")
            print(f"{file.name}: refreshed")
    return 1 if failures else 0


def renew_help():
    pages = help_pages()
    HELP.mkdir(parents=True, exist_ok=True)
    for page in HELP.glob("*"):
        if page not in pages:
            page.unlink()
    for page, text in pages.items():
        page.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Refreshes the outputs shown in the documents, and the approved help texts.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if something differs")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="README.md and all below docs if none is named")
    options = parser.parse_args()
    files = [file.resolve() for file in options.files] or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if options.check:
        return check(files)
    if not options.files:
        renew_help()
    return renew(files)


if __name__ == "__main__":
    sys.exit(main())
