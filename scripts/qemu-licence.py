#!/usr/bin/env python3
"""Checks that NOTICE offers under the GPL, too, just those of our files that a QEMU with PadLock contains; exit 1 if not.

usage: qemu-licence.py BUILD, a folder in which libincore was built by ninja, such as build/native
"""
import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# What machine/qemu/*/*.patch call; the linker says what that needs.
HEADER = "incore/processor.h"


def offered(notice):
    """The patterns of files in the section of NOTICE that names the GPL."""
    section = notice.split("Apache-2.0 OR GPL-2.0-or-later", 1)[-1]
    return re.findall(r"^  ((?:include|src)/\S+)", section, re.MULTILINE)


def called(patches):
    """The functions of libincore that the lines added by |patches| call."""
    added = "\n".join(line[1:] for text in patches for line in text.splitlines() if line.startswith("+"))
    return sorted(set(re.findall(r"\b(incore_\w+)\(", added)) - {"incore_padlock_mnemonic"})  # only a comment names that


def linked(build, functions):
    """The object files that a program with calls of |functions| gets, as ninja names them."""
    objects = sorted((build / "CMakeFiles/incore_objects.dir").rglob("*.o"))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "calls.c").write_text("".join(f"void {name}(void);\n" for name in functions) + "int main(void) {\n" +
                                        "".join(f"  {name}();\n" for name in functions) + "}\n")
        subprocess.run(["ar", "rcT", folder / "all.a", *objects], check=True)  # a thin archive keeps the paths
        subprocess.run(["cc", folder / "calls.c", folder / "all.a", f"-Wl,-Map={folder / 'map'}", "-o", folder / "program"], check=True)
        lines = set((folder / "map").read_text().splitlines())
    return [str(file.relative_to(build)) for file in objects if str(file) in lines]


def sources(build, objects):
    """Our files that |objects| were compiled from."""
    found = set()
    text = subprocess.run(["ninja", "-t", "deps", *objects], cwd=build, stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in text.splitlines():
        if line.startswith(" "):
            file = (build / line.strip()).resolve()
            if ROOT in file.parents and build not in file.parents:
                found.add(str(file.relative_to(ROOT)))
    return found


def mistakes(patterns, files):
    for file in sorted(files):
        if not any(fnmatch.fnmatchcase(file, pattern) for pattern in patterns):
            yield f"{file} is in QEMU, but NOTICE does not offer it under the GPL"
    for pattern in patterns:
        if not fnmatch.filter(files, pattern) and "power8" not in pattern:  # which other machines do not compile
            yield f"NOTICE offers {pattern} under the GPL, of which nothing is in QEMU"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    patches = [file.read_text() for file in sorted((ROOT / "machine/qemu").glob("*/*.patch"))]
    files = sources(build, linked(build, called(patches))) | {f"include/{HEADER}"}
    wrong = list(mistakes(offered((ROOT / "NOTICE").read_text(encoding="utf-8")), files))
    for mistake in wrong:
        print(f"qemu-licence: {mistake}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
