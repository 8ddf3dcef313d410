"""scripts/bench-rng.py: what it prints, with small programs in place of the real ones."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "bench-rng.py"


class BenchRng(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def program(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    def bench(self, incore, *arguments):
        return subprocess.run([sys.executable, SCRIPT, "--incore", incore, "--mib", "2", "--runs", "3", *arguments],
                              capture_output=True, text=True, check=False, env={"PATH": "/nonexistent:/usr/bin:/bin"})

    def test_rates_and_memory_are_those_of_the_program(self):
        """A sleep of 0.1 s for 2 MiB is 21 MB/s or less; one of 0.4 s is a quarter of that."""
        result = self.bench(self.program("ours", '[ "$1 $2 $3 $4" = "rng analyze --suites bytes" ] && sleep 0.1'),
                            "--suites", "bytes", "--json", "--tool", "ent=" + self.program("peer", "sleep 0.4"))
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = {row["program"]: row for row in json.loads(result.stdout)}
        self.assertEqual(set(rows), {"incore", "ent", "ent -b"})
        for name, low, high in (("incore", 1e6, 21e6), ("ent", 0.5e6, 5.3e6)):
            self.assertGreater(rows[name]["bytes_per_second"], low)
            self.assertLess(rows[name]["bytes_per_second"], high)
            self.assertLessEqual(rows[name]["lowest"], rows[name]["bytes_per_second"])
            self.assertEqual(rows[name]["bytes"], 2 << 20)
            self.assertGreater(rows[name]["peak_rss_bytes"], 100_000)

    def test_a_slow_tool_gets_fewer_bytes_and_ours_as_many(self):
        result = self.bench(self.program("ours", "true"), "--suites", "sp800-90b", "--json", "--tool",
                            "ea_non_iid=" + self.program("peer", '[ $(wc -c < "$1") = 1000000 ] && [ "$2" = 8 ]'))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([row["bytes"] for row in json.loads(result.stdout)], [1_000_000] * 2)

    def test_rngtest_gets_the_bytes_as_its_input_and_may_find_blocks_that_fail(self):
        result = self.bench(self.program("ours", "true"), "--suites", "fips140", "--json", "--tool",
                            "rngtest=" + self.program("peer", "[ $(wc -c) = 2097152 ] || exit 2; exit 1"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual({row["program"] for row in json.loads(result.stdout)}, {"incore", "rngtest"})

    def test_a_program_that_is_missing_is_named(self):
        result = self.bench(self.program("ours", "true"), "--suites", "sp800-90b-iid", "--tool", "x=y")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("bench-rng: NIST ea_iid: not installed\n", result.stderr)
        self.assertIn("| sp800-90b-iid | incore | 2,097,152 | ", result.stdout)

    def test_failures_and_bad_usage_are_said(self):
        fails = self.bench(self.program("ours", "echo found fault; exit 1"), "--suites", "repeats")
        self.assertEqual(fails.returncode, 1)
        self.assertIn("bench-rng: incore: exit code 1: found fault", fails.stderr)
        for wrong in (("--suites", "x"), ("--mib", "0"), ("--tool", "ent")):
            self.assertEqual(self.bench("/bin/true", *wrong).returncode, 2)
        self.assertEqual(self.bench("/nonexistent").returncode, 2)


if __name__ == "__main__":
    unittest.main()
