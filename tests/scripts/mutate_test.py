"""scripts/mutate.py must find the tests of a clause, and refuse rows that do not apply."""
import os
import pathlib
import shutil
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
// {MARK}: T-A-001
TYPED_TEST(types, all) {{
}}
"""

# A project of one file, built and tested as the script does it: the "tests" are its own exit code.
CMAKE = """cmake_minimum_required(VERSION 3.25)
project(tiny CXX)
add_executable(incore_tests src/vemicry/a.cpp)
set_target_properties(incore_tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
"""
PROGRAM = """int hangs() { for (volatile int i = 1; i;) ; return 0; }
int good() { return 0; }
int unused() { return 1; }
int main() { return good(); }
"""


class Mutate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, text in {"docs/clauses/guide.tsv": CLAUSES, "tests/a_test.cpp": TESTS, "a.cpp": "once\ntwice twice\n"}.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")

    def run_on(self, *rows, options=(), path=None):
        text = HEADER + "".join(row + "\n" for row in rows)
        (self.root / "tests" / "mutations.tsv").write_text(text, encoding="utf-8")
        environment = os.environ if path is None else {**os.environ, "PATH": path}
        return subprocess.run([sys.executable, SCRIPT, "--root", self.root, *options], capture_output=True, text=True,
                              env=environment)

    def check(self, *rows):
        return self.run_on(*rows, options=["--check"])

    def test_tests_are_those_that_name_the_clause_within_or_right_above(self):
        names = mutate.tests_by_clause(self.root / "tests")
        self.assertEqual(names["T-A-001"], ["suite.plain", "fixture.on_two_lines", "values.each/*", "*/values.each/*", "types/*.all"])
        self.assertNotIn("T-A-002", names)  # in a helper, not in a test

    def test_rows_that_apply(self):
        result = self.check("a.cpp\tonce\tnever\tT-A-001\t", "a.cpp\tonce\tnever\tT-A-002\tsuite.*", "a.cpp\tonce\tnever\t-\tsuite.*")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_rows_that_do_not_apply(self):
        for row, why in (("a.cpp\tgone\tnew\tT-A-001\t", "0 times"), ("a.cpp\ttwice\tnew\tT-A-001\t", "2 times"),
                         ("b.cpp\tonce\tnew\tT-A-001\t", "0 times"), ("a.cpp\tonce\tnew\tT-A-009\t", "no such clause"),
                         ("a.cpp\tonce\tnew\tT-A-002\t", "no test names"), ("a.cpp\tonce\tnew\t-\t", "no test names")):
            with self.subTest(row=row):
                result = self.check(row)
                self.assertEqual(result.returncode, 1)
                self.assertIn(why, result.stderr)

    def test_the_file_says_what_a_row_is_built_for(self):
        for file, kind in (("src/crypto/aes/aes_power8_keys.h", "power8"), ("src/crypto/power8/vector.h", "power8"),
                           ("src/cpu/hwcap_power.cpp", "power8"), ("src/vemicry/word.h", "vemicry"),
                           ("programs/vemicry/ghash.s", "vemicry"), ("src/crypto/gcm/gcm.cpp", "host"),
                           ("src/capi/hosted/vemicry_trace.cpp", "vemicry"), ("src/crypto/aes/aes_padlock.cpp", "padlock"),
                           ("tools/run/result_search.cpp", "padlock"), ("src/run/filter.cpp", "padlock"),
                           ("src/cpu/cache_line.cpp", "host"), ("src/padlock/rng.cpp", "host")):
            self.assertEqual(mutate.kind_of(mutate.Row(1, file, "", "", "", "")).name, kind, file)

    def test_rows_of_one_kind_are_chosen(self):
        gone = "src/vemicry/gone.cpp\tonce\tnever\tT-A-001\t"
        rows = ("a.cpp\tonce\tnever\tT-A-001\t", gone)
        self.assertEqual(self.run_on(*rows, options=["--check", "--kind", "host"]).returncode, 0)
        self.assertEqual(self.run_on(*rows, options=["--check", "--kind", "vemicry"]).returncode, 1)
        self.assertEqual(self.run_on(*rows, options=["--check", "--kind", "power8"]).returncode, 2)  # there is none

    def make_project(self):
        for name, text in {"CMakeLists.txt": CMAKE, "src/vemicry/a.cpp": PROGRAM}.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")
        subprocess.run(["git", "init", "-q", self.root], check=True)

    @unittest.skipUnless(shutil.which("cmake") and shutil.which("ninja"), "needs CMake and Ninja")
    def test_rows_are_tried_one_by_one(self):
        self.make_project()
        row = "src/vemicry/a.cpp\t{}\t{}\tT-A-001\t"
        result = self.run_on(row.format("int good() { return 0; }", "int good() { return 1; }"),
                             row.format("int unused() { return 1; }", "int unused() { return 2; }"),
                             row.format("return good();", "return gone();"),
                             row.format("int gone", "int here"))
        lines = result.stdout.splitlines()
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(lines[0], "^ *1 of 4 killed ")
        self.assertRegex(lines[1], "^ *2 of 4 SURVIVED ")
        self.assertRegex(lines[2], "^ *3 of 4 DOES NOT APPLY: does not compile")
        self.assertRegex(lines[3], "^ *4 of 4 DOES NOT APPLY: its text is found 0 times")
        self.assertRegex(lines[4], r"^2 DOES NOT APPLY, 1 SURVIVED, 1 killed; [0-9.]+ minutes$")
        self.assertEqual((self.root / "src/vemicry/a.cpp").read_text(encoding="utf-8"), PROGRAM)

    @unittest.skipUnless(shutil.which("cmake") and shutil.which("ninja"), "needs CMake and Ninja")
    def test_tests_that_fail_anyway_prove_nothing(self):
        self.make_project()
        program = self.root / "src/vemicry/a.cpp"
        program.write_text(PROGRAM.replace("return 0; }\nint unused", "return 1; }\nint unused"), encoding="utf-8")
        result = self.run_on("src/vemicry/a.cpp\tgood();\tunused();\tT-A-001\t")
        self.assertEqual(result.returncode, 2)
        self.assertIn("fail before anything is changed", result.stderr)

    def test_rows_without_their_compiler_are_skipped_with_the_reason(self):
        self.make_project()
        (self.root / "src/cpu").mkdir()
        (self.root / "src/cpu/power.h").write_text("once\n", encoding="utf-8")
        with tempfile.TemporaryDirectory() as programs:
            os.symlink(shutil.which("git"), pathlib.Path(programs, "git"))
            result = self.run_on("src/cpu/power.h\tonce\tnever\tT-A-001\t", path=programs)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 of 1 skipped: no powerpc64le-linux-gnu-gcc", result.stdout)
        self.assertRegex(result.stdout.splitlines()[-1], "^1 skipped; ")

    def test_a_damaged_table_is_bad_input(self):
        for row in ("a.cpp\tonce\tnew\tT-A-001", "a.cpp\tonce\tonce\tT-A-001\t", "a.cpp\t\tnew\tT-A-001\t"):
            self.assertEqual(self.check(row).returncode, 2)
        self.assertEqual(self.check().returncode, 2)


if __name__ == "__main__":
    unittest.main()
