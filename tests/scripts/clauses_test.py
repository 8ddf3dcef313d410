"""scripts/clauses.py must count what tests name, and refuse ids that no clause file defines."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "clauses.py"

TABLE = """id\tsource\tarea\tstatement\tcheck
T-A-001\tGuide 1\tace\tFirst.\ta test
T-A-002\tGuide 1\tace\tSecond.\ta test
T-A-003\tGuide 1\tace\tThird.\tdocumentation only (an aside)
T-R-001\tGuide 2\trng\tFourth.\tfigure: a test
"""
MUTATIONS = """# A comment.
file\told\tnew\tclause\ttests
a.cpp\tx\ty\tT-A-002\t
a.cpp\tx\tz\tT-A-002\t
"""


def mark(name, comment="//"):
    """A marker line; put together here so that this file's own text holds none."""
    return f"  {comment} {'clause'}: {name}\n"


class Clauses(unittest.TestCase):
    def run_on(self, test_text, *options, table=TABLE):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs" / "clauses").mkdir(parents=True)
            (root / "tests").mkdir()
            (root / "docs" / "clauses" / "guide.tsv").write_text(table, encoding="utf-8")
            (root / "tests" / "a_test.cpp").write_text(test_text, encoding="utf-8")
            (root / "tests" / "mutations.tsv").write_text(MUTATIONS, encoding="utf-8")
            (root / "tests" / "data.bin").write_bytes(b"\xff\x00\xfe")
            return subprocess.run([sys.executable, SCRIPT, "--root", root, *options], capture_output=True, text=True)

    def test_named_clauses_are_counted_once(self):
        result = self.run_on(mark("T-A-001") + mark("T-A-001", "#"), "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        areas = {row["area"]: row for row in json.loads(result.stdout)["areas"]}
        self.assertEqual((areas["ace"]["testable"], areas["ace"]["named"]), (2, 1))
        self.assertEqual(areas["ace"]["documentation_only"], 1)
        self.assertEqual((areas["rng"]["testable"], areas["rng"]["named"]), (1, 0))

    def test_the_table_ends_with_the_total(self):
        result = self.run_on(mark("T-A-001"))
        *_, total, legend = result.stdout.splitlines()
        self.assertEqual(total.split(), ["total", "3", "1", "33.3", "1", "1"])
        self.assertTrue(legend.startswith("named: "))

    def test_figures_and_clauses_that_were_broken_are_counted_apart(self):
        areas = {row["area"]: row for row in json.loads(self.run_on("", "--json").stdout)["areas"]}
        self.assertEqual((areas["ace"]["figures"], areas["ace"]["broken"]), (0, 1))
        self.assertEqual((areas["rng"]["figures"], areas["rng"]["broken"]), (1, 0))

    def test_missing_lists_what_needs_a_test_and_has_none(self):
        for area in ("ace", "guide/ace"):
            result = self.run_on(mark("T-A-001"), "--missing", area)
            self.assertEqual(result.stdout, "T-A-002  Second.\n")
        result = self.run_on(mark("T-A-001"), "--missing", "guide")
        self.assertEqual(result.stdout, "T-A-002  Second.\nT-R-001  Fourth.\n")

    def test_an_unknown_area_is_bad_usage(self):
        self.assertEqual(self.run_on("", "--missing", "phe").returncode, 2)

    def test_wrong_markers_are_errors(self):
        for text in ("x = 1;" + mark("T-A-001"), mark("T-A-999"), mark("T-A-001, T-A-002"), mark("T-A-001 and more"), mark("")):
            with self.subTest(text=text):
                result = self.run_on(text)
                self.assertEqual(result.returncode, 1)
                self.assertIn("a_test.cpp:1:", result.stderr)

    def test_a_damaged_table_is_an_error(self):
        self.assertEqual(self.run_on("", table=TABLE + TABLE.splitlines()[1] + "\n").returncode, 1)
        self.assertEqual(self.run_on("", table=TABLE + "T-A-009\tonly two\n").returncode, 1)
        self.assertEqual(self.run_on("", table="id\tarea\n").returncode, 1)


if __name__ == "__main__":
    unittest.main()
