"""scripts/check-library.sh must refuse a library that needs or exports more than it may."""
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "check-library.sh"
GOOD = 'extern "C" const char* incore_version() { return "1"; }\n'


class CheckLibrary(unittest.TestCase):
    def run_on(self, source, *flags, archived=""):
        with tempfile.TemporaryDirectory() as folder:
            if archived:
                subprocess.run(["gcc", "-x", "assembler", "-", "-c", "-o", f"{folder}/libincore.a"], input=archived, text=True, check=True)
            subprocess.run(["g++", "-x", "c++", "-", "-shared", "-fPIC", "-O1", "-fstack-protector-all", "-o", f"{folder}/libincore.so",
                            "-Wl,-z,now", "-Wl,-z,relro", *flags], input=source, text=True, check=True)
            return subprocess.run([SCRIPT, folder], capture_output=True, text=True)

    def test_libc_alone_passes(self):
        source = "#include <stdlib.h>\n" + GOOD + 'extern "C" const char* incore_x() { return getenv("X"); }\n'
        result = self.run_on(source, "-nostdlib", "-lc")
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_another_library_is_refused(self):
        result = self.run_on(GOOD, "-nostdlib", "-Wl,--no-as-needed", "-lm", "-lc")
        self.assertEqual(result.returncode, 1)
        self.assertIn("needs other libraries than libc: libm.so.6", result.stdout)

    def test_the_cxx_runtime_is_refused(self):
        result = self.run_on(GOOD + 'extern "C" int* incore_x() { return new int; }\n', "-nostdlib", "-lc")
        self.assertEqual(result.returncode, 1)
        self.assertIn("takes symbols of the C++ run-time: _Znwm", result.stdout)

    def test_a_foreign_export_is_refused(self):
        result = self.run_on(GOOD + 'extern "C" int helper() { return 1; }\n', "-nostdlib", "-lc")
        self.assertEqual(result.returncode, 1)
        self.assertIn("exports names that are not incore_*: helper", result.stdout)

    def test_a_library_without_exports_is_refused(self):
        self.assertEqual(self.run_on("static int x;\n", "-nostdlib", "-lc").returncode, 1)

    def test_a_library_that_is_bound_call_by_call_is_refused(self):
        result = self.run_on(GOOD, "-nostdlib", "-lc", "-Wl,-z,lazy")
        self.assertEqual(result.returncode, 1)
        self.assertIn("is not bound when it is loaded", result.stdout)

    def test_a_library_whose_bindings_stay_writable_is_refused(self):
        result = self.run_on(GOOD, "-nostdlib", "-lc", "-Wl,-z,norelro")
        self.assertEqual(result.returncode, 1)
        self.assertIn("keeps what was bound writable", result.stdout)

    def test_a_library_without_stack_protector_is_refused(self):
        result = self.run_on(GOOD, "-nostdlib", "-lc", "-fno-stack-protector")
        self.assertEqual(result.returncode, 1)
        self.assertIn("does not notice a stack that is overrun", result.stdout)

    def test_what_the_linker_would_merge_is_refused(self):
        symbols = ".weak _ZN6incore12_GLOBAL__N_11fEv\n_ZN6incore12_GLOBAL__N_11fEv: ret\n.weak _ZN6incore1gEv\n_ZN6incore1gEv: ret\n"
        result = self.run_on(GOOD, "-nostdlib", "-lc", archived=symbols)
        self.assertEqual(result.returncode, 1)
        self.assertIn("has weak symbols of unnamed namespaces: _ZN6incore12_GLOBAL__N_11fEv \n", result.stdout)
        self.assertEqual(self.run_on(GOOD, "-nostdlib", "-lc", archived=symbols.replace(".weak", ".local")).returncode, 0)

    def test_a_missing_library_is_bad_usage(self):
        self.assertEqual(subprocess.run([SCRIPT, "/nonexistent"], capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    unittest.main()
