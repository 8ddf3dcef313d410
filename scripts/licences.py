#!/usr/bin/env python3
"""Shows what built programs are made of and under which licences; exit 1 if one does not fit Apache-2.0.

usage: licences.py [--files | --lgpl] BUILD BINARY...      such as: licences.py build/tarball incore
"""
import argparse
import pathlib
import sys

from linked_parts import Unknown, fits, parts_of


def how(part):
    ways = [("linked", part.archives), ("headers", part.has_headers), ("shared", part.shared)]
    return ", ".join(name for name, used in ways if used)


def copyright_file(part):
    """The file with the part's licence, which one of its packages has."""
    files = [pathlib.Path(f"/usr/share/doc/{package}/copyright") for package in sorted(part.packages)]
    found = [file for file in files if file.exists()]
    if not found:
        raise Unknown(f"{part.source} has no copyright file: {', '.join(map(str, files))}")
    return found[0]


def main():
    parser = argparse.ArgumentParser(description="Shows what programs are made of, and fails for a licence that does not fit Apache-2.0.")
    parser.add_argument("--files", action="store_true", help="print each part that is inside, and the file with its licence")
    parser.add_argument("--lgpl", action="store_true", help="print SOURCE=VERSION of each part that is inside and under the LGPL")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("binaries", type=pathlib.Path, nargs="+", help="names in the folder")
    options = parser.parse_args()
    mistakes = []
    for binary in options.binaries:
        try:
            parts = parts_of(options.build, options.build / binary)
            for part in parts:
                if options.lgpl:
                    if part.is_inside and part.licence.startswith("LGPL-"):
                        print(f"{part.source}={part.version}")
                elif not options.files:
                    print(f"{binary}  {part.name:20} {part.version:22} {how(part):16} {part.licence}")
                elif part.is_inside:
                    print(part.source, copyright_file(part))
        except Unknown as error:
            mistakes.append(f"{binary}: {error}")
            continue
        mistakes += [f"{binary}: {part.name} is under {part.licence}, which does not fit Apache-2.0"
                     for part in parts if not fits(part.licence)]
    for mistake in mistakes:
        print(f"licences: {mistake}", file=sys.stderr)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
