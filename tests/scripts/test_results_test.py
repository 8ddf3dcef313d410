"""scripts/test-results.py must name each skipped test with its reason, and count every test."""
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "test-results.py"

# What ctest 3.25 and GoogleTest 1.12 write, shortened.
LOG = """1/7 Testing: aes
Command: "incore_tests" "--gtest_filter=aes.*"
Output:
----------------------------------------------------------
[ RUN      ] aes.ok
this test prints the word Skipped
[       OK ] aes.ok (0 ms)
[ RUN      ] aes.vaes
/src/tests/aes_test.cpp:4: Skipped
this CPU has no vaes:
see incore cpu
[  SKIPPED ] aes.vaes (0 ms)
[ RUN      ] aes.silent
/src/tests/aes_test.cpp:9: Skipped

[  SKIPPED ] aes.silent (0 ms)
[----------] 3 tests from aes (0 ms total)
[  SKIPPED ] 2 tests, listed below:
[  SKIPPED ] aes.vaes
[  SKIPPED ] aes.silent
<end of output>
Test time =   0.01 sec
----------------------------------------------------------
Test Passed.
2/7 Testing: sha
Output:
[       OK ] sha.ok (3 ms)
[  FAILED  ] sha.bad (1 ms)
[  FAILED  ] all/sha.vectors/3, where GetParam() = 12 (1 ms)
[  FAILED  ] 2 tests, listed below:
[  FAILED  ] sha.bad
<end of output>
Test Failed.
3/7 Testing: gcm
Output:
[       OK ] gcm.ok (3 ms)
[ RUN      ] gcm.crashes
<end of output>
Test Failed.
4/7 Testing: scripts.sbom
Output:
Ran 4 tests in 1.0s
<end of output>
Test Passed.
5/7 Testing: power8.guide
Output:
no POWER8 compiler
<end of output>
Test Pass Reason:
Skip return code=77
6/7 Testing: examples
Output:
<end of output>
Test Pass Reason:
Required regular expression found. Regex=[x]
7/7 Testing: rtl
Output:
<end of output>
Test Timeout.
"""


class TestResults(unittest.TestCase):
    def run_on(self, log):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "Testing" / "Temporary").mkdir(parents=True)
            (folder / "Testing" / "Temporary" / "LastTest.log").write_text(log, encoding="utf-8")
            return subprocess.run([SCRIPT, folder], capture_output=True, text=True, check=False)

    def test_each_skipped_test_has_its_reason_and_every_test_is_counted(self):
        result = self.run_on(LOG)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.splitlines(), [
            "skipped: aes.silent: no reason given",
            "skipped: aes.vaes: this CPU has no vaes: see incore cpu",
            "skipped: power8.guide: no reason given",
            "5 passed, 4 failed, 3 skipped",
        ])

    def test_no_log_is_an_error(self):
        self.assertEqual(subprocess.run([SCRIPT, "/nonexistent"], capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    unittest.main()
