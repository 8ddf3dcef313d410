"""scripts/mutate.py must find the tests of a clause, and refuse rows that do not apply."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "mutate.py"
sys.path.insert(0, str(SCRIPT.parent))
sys.dont_write_bytecode = True
import mutate  # noqa: E402

CLAUSES = "id\tsource\tarea\tstatement\tcheck\nT-A-001\tGuide\tace\tFirst.\ta test\nT-A-002\tGuide\tace\tSecond.\ta test\n"
HEADER = "# A comment.\nfile\told\tnew\tclause\ttests\n"
MARK = "clause"  # put together here so that this file's own text holds no marker
TESTS = f"""
void helper() {{
  // {MARK}: T-A-002
}}
TEST(suite, plain) {{
  // {MARK}: T-A-001
}}
TEST_F(fixture,
       on_two_lines) {{
  // {MARK}: T-A-001
}}
// Each value.
// {MARK}: T-A-001
TEST_P(values, each) {{
}}
"""


class Mutate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, text in {"docs/clauses/guide.tsv": CLAUSES, "tests/a_test.cpp": TESTS, "a.cpp": "once\ntwice twice\n"}.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")

    def check(self, *rows):
        text = HEADER + "".join(row + "\n" for row in rows)
        (self.root / "tests" / "mutations.tsv").write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, SCRIPT, "--root", self.root, "--check"], capture_output=True, text=True)

    def test_tests_are_those_that_name_the_clause_within_or_right_above(self):
        names = mutate.tests_by_clause(self.root / "tests")
        self.assertEqual(names["T-A-001"], ["suite.plain", "fixture.on_two_lines", "*/values.each/*"])
        self.assertNotIn("T-A-002", names)  # in a helper, not in a test

    def test_rows_that_apply(self):
        result = self.check("a.cpp\tonce\tnever\tT-A-001\t", "a.cpp\tonce\tnever\tT-A-002\tsuite.*")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_rows_that_do_not_apply(self):
        for row, why in (("a.cpp\tgone\tnew\tT-A-001\t", "0 times"), ("a.cpp\ttwice\tnew\tT-A-001\t", "2 times"),
                         ("b.cpp\tonce\tnew\tT-A-001\t", "0 times"), ("a.cpp\tonce\tnew\tT-A-009\t", "no such clause"),
                         ("a.cpp\tonce\tnew\tT-A-002\t", "no test names")):
            with self.subTest(row=row):
                result = self.check(row)
                self.assertEqual(result.returncode, 1)
                self.assertIn(why, result.stderr)

    def test_a_damaged_table_is_bad_input(self):
        for row in ("a.cpp\tonce\tnew\tT-A-001", "a.cpp\tonce\tonce\tT-A-001\t", "a.cpp\t\tnew\tT-A-001\t"):
            self.assertEqual(self.check(row).returncode, 2)
        self.assertEqual(self.check().returncode, 2)


if __name__ == "__main__":
    unittest.main()
