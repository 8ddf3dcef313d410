#!/usr/bin/env python3
"""Puts code of this tree into the documents that quote it, so that a quotation is always what is compiled.

In a document, a marker line `<!-- quote: FILE NAME -->` is followed by a ``` block, whose text becomes the lines of FILE
between the comment lines `// quote: NAME` and `// end of quote` (in scripts with #), moved to the left margin. Marks stand
alone on their lines. With --check nothing is written, and a block that differs is an error, as a wrong mark always is.
"""
import argparse
import difflib
import pathlib
import re
import sys
import textwrap

from marked_blocks import Mistake, refresh

ROOT = pathlib.Path(__file__).resolve().parents[1]
MARKER = re.compile(r"<!-- quote:(.*)-->$")
BEGIN = re.compile(r"\s*(?://|#) quote: (\S+)$")
END = re.compile(r"\s*(?://|#) end of quote$")


def quotes_of(root, name):
    """{quote: its lines} of the file |name|."""
    path = root / name
    if not path.is_file() or not path.resolve().is_relative_to(root.resolve()):
        raise Mistake(f"there is no file {name}")
    quotes, current = {}, None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        begin = BEGIN.match(line)
        if begin:
            if current:
                raise Mistake(f"{name}:{number}: quote {begin.group(1)} begins before {current} has ended")
            current = begin.group(1)
            if current in quotes:
                raise Mistake(f"{name}:{number}: there is another quote {current}")
            quotes[current] = []
        elif END.match(line):
            if not current:
                raise Mistake(f"{name}:{number}: no quote ends here")
            current = None
        elif current:
            quotes[current].append(line)
    if current:
        raise Mistake(f"{name}: quote {current} has no end")
    return {quote: textwrap.dedent("\n".join(lines)).strip("\n").split("\n") for quote, lines in quotes.items()}


def quoted(root, argument):
    """The lines that a marker with |argument| asks for."""
    words = argument.split()
    if len(words) != 2:
        raise Mistake("a marker reads <!-- quote: FILE NAME -->")
    quotes = quotes_of(root, words[0])
    if words[1] not in quotes:
        raise Mistake(f"{words[0]} has no quote {words[1]}; it has {' '.join(quotes) or 'none'}")
    if quotes[words[1]] == [""]:
        raise Mistake(f"quote {words[1]} of {words[0]} is empty")
    return quotes[words[1]]


def main():
    parser = argparse.ArgumentParser(description="Puts the code that documents quote into them.")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="README.md and all below docs if none is named")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a quotation differs from its source")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the tree to read (this one)")
    options = parser.parse_args()
    errors = []
    for file in options.files or [options.root / "README.md", *sorted((options.root / "docs").rglob("*.md"))]:
        text = file.read_text(encoding="utf-8")
        fresh, wrong = refresh(text, MARKER, lambda argument: quoted(options.root, argument))
        errors += [f"{file}:{line}: {mistake}" for line, mistake in wrong]
        if fresh == text or wrong:
            continue
        if options.check:
            difference = difflib.unified_diff(text.splitlines(), fresh.splitlines(), "document", "source", lineterm="", n=1)
            errors.append("\n".join([f"{file}: a quotation differs (run scripts/quote-code.py)", *difference]))
        else:
            file.write_text(fresh, encoding="utf-8")
            print(f"{file}: refreshed")
    for error in errors:
        print(f"quote-code: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
