"""scripts/vectors.py must count what the tests tell, and show a kernel without answers as a hole."""
import importlib.util
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "vectors.py"
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("vectors", SCRIPT)
vectors = importlib.util.module_from_spec(spec)
spec.loader.exec_module(vectors)

LIST = """// Best first.
#if defined(__x86_64__)
X(wide)
#endif
#if defined(__x86_64__) || defined(__i386__)
X(narrow)
#elif defined(__powerpc64__)
X(power8)
#endif
X(portable)
"""
KERNELS = {"wide": {"x86_64"}, "narrow": {"x86_64", "i386"}, "power8": {"powerpc64"}, "portable": set()}


class Vectors(unittest.TestCase):
    def test_lists_say_which_machines_have_a_kernel(self):
        self.assertEqual(vectors.kernels_of(LIST), KERNELS)
        found = vectors.algorithms(ROOT)
        self.assertIn("x86_64", found["aes"]["vaes"])
        self.assertEqual(found["sha512"]["portable"], set())

    def test_a_vector_that_two_tests_ran_counts_once(self):
        counts = vectors.read_counts("aes\twide\tCAVP\t7\naes\twide\tCAVP\t7\naes\tnarrow\tCAVP\t7\naes\twide\tRFC\t2\n")
        self.assertEqual(counts["aes"], {"CAVP": {"wide": 7, "narrow": 7}, "RFC": {"wide": 2}})

    def test_each_empty_cell_has_its_reason(self):
        counts = {"CAVP": {"narrow": 7, "steps": 7}, "RFC": {"narrow": 2, "portable": 2}}
        lines, silent = vectors.table("aes", KERNELS, counts, {"x86_64"}, {"wide": ["vaes", "avx2"]})
        self.assertEqual(lines, ["aes   wide  narrow  power8  portable  steps",
                                 "CAVP     -       7       -         -      7",
                                 "RFC      -       2       -         2      -",
                                 "  wide: this CPU lacks vaes, avx2",
                                 "  power8: for powerpc64; no preset for that is built",
                                 "  portable: no test runs the other 1 on it"])
        self.assertEqual(silent, [])

    def test_a_kernel_without_vectors_is_a_hole(self):
        counts = {"CAVP": {"narrow": 7, "portable": 7}}
        lines, silent = vectors.table("aes", KERNELS, counts, {"x86_64", "powerpc64"}, {})
        self.assertEqual(silent, ["wide", "power8"])
        self.assertEqual(lines[-2:], ["  wide: gave no answer", "  power8: gave no answer"])

    def run_script(self, *arguments):
        if not (ROOT / "build/native/tests/incore_tests").exists():
            self.skipTest("the preset native is not built")
        return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)

    def test_a_filter_makes_holes_of_the_real_tests(self):
        all_run = self.run_script("--filter=*crc_kernels.published*", "crc32")
        self.assertEqual(all_run.returncode, 0, all_run.stdout + all_run.stderr)
        self.assertRegex(all_run.stdout, r"published CRCs .* 7\n")
        none_run = self.run_script("--filter=*crc_kernels.published*/crc32c_portable", "crc32", "crc32c")
        self.assertEqual(none_run.returncode, 1)
        self.assertIn("  portable: gave no answer\n", none_run.stdout)
        self.assertIn("no answer from crc32 ", none_run.stdout.splitlines()[-1])
        self.assertNotIn("crc32c portable", none_run.stdout.splitlines()[-1])

    def test_every_test_that_tells_its_answers_is_chosen(self):
        program = ROOT / "build/native/tests/incore_tests"
        if not program.exists():
            self.skipTest("the preset native is not built")
        listed = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={vectors.FILTER}"], capture_output=True, text=True, check=True).stdout
        suites = {line.split(".")[0].split("/")[-1] for line in listed.splitlines() if line and not line.startswith(" ")}
        for file in sorted((ROOT / "tests").rglob("*_test.cpp")):
            text = file.read_text(encoding="utf-8")
            if "gave_answers(" in text:
                names = set(re.findall(r"\bTEST(?:_F|_P)?\(\s*(\w+),", text))
                self.assertTrue(names & suites, file.name)

    def test_unknown_algorithms_are_refused(self):
        result = self.run_script("des")
        self.assertEqual(result.returncode, 2)
        self.assertIn("des is none of aes, crc32", result.stderr)


if __name__ == "__main__":
    unittest.main()
