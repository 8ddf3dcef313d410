#!/usr/bin/env python3
"""Counts what the POWER8 kernels execute, which is exact, and compares with bench/power8/instructions.tsv: a change that
makes a kernel slower, or a call of a short message, shows without the hardware. Another compiler makes other code, so
only counts by the same version are compared; --update writes those of this build.
"""
import argparse
import csv
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "power8"))

import traces  # noqa: E402

TABLE = ROOT / "bench" / "power8" / "instructions.tsv"
COLUMNS = ["compiler", "endian", "operation", "kernel", "length", "instructions"]
TOLERANCE = 0.02
SKIPPED = 77


def lengths_of(operation, unit):
    """The shortest call, and longer ones that show the loops."""
    if operation == "aes-128-key":
        return [unit]
    if operation.startswith("gf2"):
        return [16, 64, 144]  # of 1, 4 and 9 words
    return [max(unit, 16), 256, 4096]


def count(build):
    """{(operation, kernel, length): instructions} of all kernels for POWER8, and of the assembly."""
    return {(operation, kernel, length): build.passes(operation, kernel, length)[0].instructions
            for operation, unit, kernel in build.kernels() if kernel != "portable"
            for length in lengths_of(operation, unit)}


def read_table():
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def update(build):
    """Puts the counts of this build in the place of those by the same compiler for the same byte order."""
    rows = [row for row in read_table() if (row["compiler"], row["endian"]) != (build.compiler, build.endian)]
    rows += [dict(zip(COLUMNS, (build.compiler, build.endian, *key, number))) for key, number in count(build).items()]
    rows.sort(key=lambda row: (row["compiler"], row["endian"]))
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


class InstructionCounts(unittest.TestCase):
    def test_kernels_execute_no_more_than_they_did(self):
        expected = {(row["operation"], row["kernel"], int(row["length"])): int(row["instructions"])
                    for row in read_table() if (row["compiler"], row["endian"]) == (build.compiler, build.endian)}
        found = count(build)
        advice = f"; if that is meant, run POWER8_BUILD={build.folder} {pathlib.Path(__file__).name} --update"
        self.assertTrue(found)
        self.assertEqual(found.keys(), expected.keys(), "other kernels than those of instructions.tsv" + advice)
        for key, number in found.items():
            with self.subTest(key):
                self.assertLessEqual(abs(number - expected[key]), TOLERANCE * expected[key],
                                     f"{number} instructions, not {expected[key]}{advice}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true", help="write the counts of this build into instructions.tsv")
    options = parser.parse_args()
    build = traces.Build(os.environ.get("POWER8_BUILD", ROOT / "build" / "ppc64le"))
    if options.update:
        update(build)
    elif build.build_type != "Release":
        print(f"instruction_count_test: Skipped\nthe counts are of Release builds, this one is {build.build_type}")
        sys.exit(SKIPPED)
    elif not any((row["compiler"], row["endian"]) == (build.compiler, build.endian) for row in read_table()):
        print(f"instruction_count_test: Skipped\nno counts by {build.compiler} for {build.endian} in instructions.tsv")
        sys.exit(SKIPPED)
    else:
        unittest.main(argv=sys.argv[:1])
