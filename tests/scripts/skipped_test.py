"""scripts/skipped.sh must name each skipped test with its reason, and no other."""
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "skipped.sh"

# What ctest 3.25 and GoogleTest 1.12 write, shortened.
LOG = """1/4 Testing: aes.ok
Output:
----------------------------------------------------------
[ RUN      ] aes.ok
this test prints the word Skipped
[       OK ] aes.ok (0 ms)
<end of output>
Test Passed.
2/4 Testing: aes.vaes
Output:
----------------------------------------------------------
[ RUN      ] aes.vaes
/src/tests/aes_test.cpp:4: Skipped
this CPU has no vaes:
see incore cpu
[  SKIPPED ] aes.vaes (0 ms)
<end of output>
Test Pass Reason:
Skip regular expression found in output. Regex=[\\[  SKIPPED \\]]
3/4 Testing: aes.silent
/src/tests/aes_test.cpp:9: Skipped

[  SKIPPED ] aes.silent (0 ms)
Test Pass Reason:
Skip regular expression found in output. Regex=[\\[  SKIPPED \\]]
4/4 Testing: aes.bad
Test Failed.
"""


class Skipped(unittest.TestCase):
    def run_on(self, log):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "CTestTestfile.cmake").write_text(
                'add_test(aes.ok "true")\nadd_test(aes.off "true")\n'
                'set_tests_properties(aes.off PROPERTIES DISABLED TRUE)\n', encoding="utf-8")
            (folder / "Testing" / "Temporary").mkdir(parents=True)
            (folder / "Testing" / "Temporary" / "LastTest.log").write_text(log, encoding="utf-8")
            return subprocess.run([SCRIPT, folder], capture_output=True, text=True, check=False)

    def test_each_skipped_test_has_its_reason(self):
        result = self.run_on(LOG)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.splitlines(), [
            "skipped: aes.off: disabled in its source",
            "skipped: aes.silent: no reason given",
            "skipped: aes.vaes: this CPU has no vaes: see incore cpu",
            "skipped in all: 3",
        ])

    def test_no_log_is_an_error(self):
        self.assertEqual(subprocess.run([SCRIPT, "/nonexistent"], capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    unittest.main()
