#!/usr/bin/env python3
"""Writes manual pages of the program from what its --help says: incore(1), incore-COMMAND(1) for every command, and
incore-COMMAND-SUBCOMMAND(1) where a command has commands of its own.

usage: make-man.py PROGRAM FOLDER
"""
import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys
import textwrap

# A heading of --help stands alone at the line's beginning and ends with a colon: "Options:".
HEADING = re.compile(r"^([A-Z][A-Za-z ]*):$")
# An option or command: two blanks, its name and arguments, then, behind more blanks or on the next line, what it does.
ITEM = re.compile(r"^  (-?\S(?:\S| (?! ))*)(?:  +(\S.*))?$")
DEEP = re.compile(r"^ {10,}(\S.*)$")


def escaped(text):
    """|text| as troff prints it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def lines_of(text):
    """|text| in lines of the length that troff's readers like."""
    return [escaped(line) for line in textwrap.wrap(text, 76, break_long_words=False, break_on_hyphens=False)]


def help_of(program, *command):
    result = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"make-man: {program} {' '.join(command)} --help failed: {result.stderr.strip()}")
    return result.stdout.splitlines()


def sections_of(lines):
    """The lines before the first heading, and (heading, lines) for what follows."""
    intro, sections = [], []
    for line in lines:
        heading = HEADING.match(line)
        if heading:
            sections.append((heading.group(1), []))
        else:
            (sections[-1][1] if sections else intro).append(line)
    return intro, sections


def items(lines):
    """A list of options or commands as tagged paragraphs; other lines as they are."""
    out, verbatim = [], False
    for line in "\n".join(lines).strip("\n").splitlines():
        item, deep = ITEM.match(line), DEEP.match(line)
        if not line.strip():
            out += [".EE"] if verbatim else []
            out += [".PP"] if verbatim else []  # before an item there is no need of it
            verbatim = False
        elif deep and not verbatim:
            out += lines_of(deep.group(1))
        elif item and not verbatim:
            out += [".TP", f".B {escaped(item.group(1))}"] + lines_of(item.group(2) or "")
        else:
            out += ([] if verbatim else [".EX"]) + [escaped(line)]
            verbatim = True
    return out + ([".EE"] if verbatim else [])


def split_prose(lines):
    """The lists of a section, and the sentences at the line's beginning that stand behind them."""
    prose = [line for line in lines if line and not line.startswith(" ")]
    return [line for line in lines if line not in prose], prose


def page(name, version, date, lines, others):
    intro, sections = sections_of(lines)
    summary = intro[0].strip() if intro else name
    usage = next((line.removeprefix("Usage: ").strip() for line in lines if line.startswith("Usage: ")), name)
    prose, lists, status = [], [], []
    for heading, body in sections:
        body, sentences = split_prose(body)
        if heading.startswith("Example"):  # sentences about the exit code end it
            first = next((i for i, line in enumerate(sentences) if line.startswith("Exit code")), len(sentences))
            status += sentences[first:]
            sentences = sentences[:first]
        prose += sentences
        if heading.startswith("Example"):
            lists.append((heading, [".EX"] + [escaped(line.strip()) for line in body if line.strip()] + [".EE"]))
        else:
            lists.append((heading, items(body)))
    out = [f'.TH {name.upper()} 1 "{date}" "{version}" "Incore"', ".SH NAME", f"{escaped(name)} \\- {escaped(summary)}",
           ".SH SYNOPSIS", f".B {escaped(usage)}"]
    if prose:
        out += [".SH DESCRIPTION"] + lines_of(" ".join(prose))
    for heading, body in lists:
        out += [f".SH {heading.upper()}", *body]
    if status:
        out += [".SH EXIT STATUS"] + lines_of(" ".join(status).removeprefix("Exit code: "))
    out += [".SH SEE ALSO", ",\n".join(f"\\fB{escaped(other)}\\fR(1)" for other in others)]
    return "\n".join(out) + "\n"


def commands_of(lines):
    """The names under the heading Subcommands."""
    return [ITEM.match(line).group(1) for heading, body in sections_of(lines)[1] if heading == "Subcommands"
            for line in body if ITEM.match(line)]


def pages_of(program, command=()):
    """For |command| and those below it: its name, what its --help says, and the names of its neighbours."""
    lines = help_of(program, *command)
    name, below = "-".join(["incore", *command]), commands_of(lines)
    above = ["-".join(["incore", *command[:-1]])] if command else []
    yield name, lines, above + [f"{name}-{one}" for one in below]
    for one in below:
        yield from pages_of(program, (*command, one))


def main():
    parser = argparse.ArgumentParser(description="Writes manual pages from the program's --help.")
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    version = subprocess.run([options.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    # The program's, so that the same program gives the same pages.
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or os.stat(options.program).st_mtime)
    date = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%d")
    pages = list(pages_of(options.program))
    if len(pages) == 1:
        sys.exit("make-man: --help lists no commands")
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, lines, others in pages:
        (options.folder / f"{name}.1").write_text(page(name, version, date, lines, others), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
