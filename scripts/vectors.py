#!/usr/bin/env python3
"""Runs the tests of third parties' known answers, and prints which vectors ran on which kernel, a table for each algorithm.

A cell is the number of cases whose answers were right, told by the tests themselves (tests/support/known_answers.h). Below a
table stands why a cell is empty: the kernel is for another machine, this CPU lacks what it needs, or no test runs these vectors
on it. Each preset that is built takes part. Exit 1 if a test failed, or a kernel that runs here gave no answer at all.
"""
import argparse
import collections
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# The machines of the presets, as the lists of kernels name them.
PRESETS = {"native": platform.machine(), "i686": "i386", "ppc64le": "powerpc64", "ppc64le-short": "powerpc64",
           "ppc64": "powerpc64", "ppc64-short": "powerpc64"}
# The tests that give known answers. The last two start processes, one for each kernel.
FILTER = ":".join("""*aes_vectors* *gcm_vectors* *gcm_cavp* *sha_kernels.nist* *sha_many.nist* *crc_kernels.published* *ghash_kernels.published*
*gf2_kernels.published* *gf2_kernels.generators* rsa.signatures* capi_vectors* every_kernel.gives* padlock_kernel.gives*""".split())


def kernels_of(text):
    """The kernels of a .def file in its order, each with the machines that have it (none: all)."""
    kernels, machines = {}, set()
    for line in text.splitlines():
        if line.startswith(("#if", "#elif")):
            machines = set(re.findall(r"__(\w+?)__", line))
        elif line.startswith("#endif"):
            machines = set()
        elif found := re.match(r"X\((\w+)\)", line):
            kernels[found[1]] = machines
    return kernels


def algorithms(root):
    """The kernels of each algorithm, by name."""
    files = sorted((root / "src/crypto").glob("*/*_kernels.def"))
    return {file.name.removesuffix("_kernels.def"): kernels_of(file.read_text(encoding="utf-8")) for file in files}


def read_counts(text):
    """counts[algorithm][vectors][kernel]: a vector that several tests ran is counted once."""
    counts = collections.defaultdict(lambda: collections.defaultdict(dict))
    for line in text.splitlines():
        algorithm, kernel, vectors, num = line.split("\t")
        row = counts[algorithm][vectors]
        row[kernel] = max(int(num), row.get(kernel, 0))
    return counts


def table(algorithm, kernels, counts, machines, missing):
    """The lines of a table, and the kernels that gave no answer for no reason. |machines|: those whose tests ran. |missing|: what
    this CPU lacks, by kernel."""
    extra = sorted({kernel for row in counts.values() for kernel in row} - set(kernels))
    columns = [*kernels, *extra]
    rows = [(vectors, [str(row.get(kernel, "-")) for kernel in columns]) for vectors, row in sorted(counts.items())]
    first = max(len(name) for name in [algorithm, *counts])
    widths = [max([len(kernel), *(len(cells[i]) for _, cells in rows)]) for i, kernel in enumerate(columns)]

    def line(name, cells):
        return "  ".join([name.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, widths))]).rstrip()

    lines, silent = [line(algorithm, columns), *(line(*row) for row in rows)], []
    for kernel in kernels:  # not of the plain steps, which need no vectors of every kind
        holes = [vectors for vectors, row in counts.items() if kernel not in row]
        if len(holes) < len(counts):
            if holes:
                lines.append(f"  {kernel}: no test runs the other {len(holes)} on it")
        elif kernels[kernel] and not kernels[kernel] & machines:
            lines.append(f"  {kernel}: for {' and '.join(sorted(kernels[kernel]))}; no preset for that is built")
        elif missing.get(kernel):
            lines.append(f"  {kernel}: this CPU lacks {', '.join(missing[kernel])}")
        else:
            lines.append(f"  {kernel}: gave no answer")
            silent.append(kernel)
    return lines, silent


def run_tests(folder, chosen, file):
    """Runs the tests of the build in |folder|; they add to |file|. Returns whether they passed."""
    cache = (folder / "CMakeCache.txt").read_text(encoding="utf-8")
    emulator = re.search(r"^CMAKE_CROSSCOMPILING_EMULATOR:\w+=(.*)$", cache, re.M)
    command = [*(emulator[1].split(";") if emulator and emulator[1] else []), str(folder / "tests/incore_tests"),
               "--gtest_brief=1", f"--gtest_filter={chosen}"]
    result = subprocess.run(command, env={**os.environ, "INCORE_KNOWN_ANSWERS": str(file)}, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        print(result.stdout + result.stderr, file=sys.stderr)
    return result.returncode == 0


def missing_features(program):
    """What this CPU lacks for each kernel of each algorithm."""
    result = subprocess.run([program, "cpu", "--json"], capture_output=True, text=True, check=True)
    return {algorithm["name"]: {kernel["name"]: kernel["missing"] for kernel in algorithm["kernels"]}
            for algorithm in json.loads(result.stdout)["algorithms"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--filter", default=FILTER, help="run only the tests that this GoogleTest filter chooses")
    parser.add_argument("algorithms", nargs="*", metavar="ALGORITHM", help="the tables to print (all)")
    options = parser.parse_args()
    known = algorithms(ROOT)
    if unknown := [name for name in options.algorithms if name not in known]:
        parser.error(f"{unknown[0]} is none of {', '.join(known)}")
    built = [preset for preset in PRESETS if (ROOT / "build" / preset / "tests/incore_tests").exists()]
    if "native" not in built:
        parser.error("build/native/tests/incore_tests is not there: build it first (make vectors does)")
    with tempfile.NamedTemporaryFile(mode="r", encoding="utf-8") as file:
        passed = [run_tests(ROOT / "build" / preset, options.filter, file.name) for preset in built]
        counts = read_counts(file.read())
    missing = missing_features(ROOT / "build/native/incore")
    all_silent = []
    for algorithm in options.algorithms or known:
        lines, silent = table(algorithm, known[algorithm], counts[algorithm], {PRESETS[preset] for preset in built}, missing.get(algorithm, {}))
        print("\n".join(lines), end="\n\n")
        all_silent += [f"{algorithm} {kernel}" for kernel in silent]
    print(f"known answers by {', '.join(built)}: " +
          (f"no answer from {', '.join(all_silent)}" if all_silent else "each kernel that runs here gave some"))
    return 0 if all(passed) and not all_silent else 1


if __name__ == "__main__":
    sys.exit(main())
