"""scripts/check-includes.py must catch a wrong include and let a right one pass."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "check-includes.py"
spec = importlib.util.spec_from_file_location("check_includes", SCRIPT)
check_includes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_includes)

FILES = """include/incore/aes.h src/base/bytes.h src/cpu/cpu.h src/crypto/aes/aes_kernel.h src/crypto/aes/aes_steps.h
src/padlock/state.h src/padlock/insns.def src/scan/site.h src/vemicry/machine.h tools/base/quote.h tools/report/png.h
tools/sweep/sweep_plan.h cli/command.h""".split()

RIGHT = [
    ("src/crypto/aes/a.cpp", '"base/bytes.h"'),
    ("src/crypto/aes/a.cpp", "<immintrin.h>"),
    ("src/padlock/insns/a.cpp", '"crypto/aes/aes_kernel.h"'),
    ("src/padlock/insns/a.cpp", '"padlock/insns.def"'),
    ("src/vemicry/a.cpp", '"crypto/aes/aes_steps.h"'),
    ("src/scan/a.cpp", "<Zydis/Zydis.h>"),
    ("src/run/a.cpp", "<vector>"),
    ("src/run/a.cpp", '"scan/site.h"'),
    ("src/capi/a.cpp", '"incore/aes.h"'),
    ("src/capi/hosted/a.cpp", '"vemicry/machine.h"'),
    ("src/capi/hosted/a.cpp", "<vector>"),
    ("cli/a.cpp", '"command.h"'),
    ("cli/a.cpp", '"tools/base/quote.h"'),
    ("tools/sweep/a.cpp", '"tools/report/png.h"'),
    ("tools/base/a.cpp", "<nlohmann/json.hpp>"),
    ("examples/a.c", "<incore/aes.h>"),
]

WRONG = [
    ("cli/a.cpp", "<nlohmann/json.hpp>"),
    ("tools/sweep/a.cpp", "<nlohmann/json.hpp>"),
    ("src/base/a.cpp", '"cpu/cpu.h"'),  # against the direction
    ("src/cpu/a.cpp", '"crypto/aes/aes_kernel.h"'),
    ("src/crypto/aes/a.cpp", '"padlock/state.h"'),
    ("src/crypto/aes/a.cpp", '"../../padlock/state.h"'),
    ("src/padlock/a.cpp", '"scan/site.h"'),
    ("src/run/a.cpp", '"vemicry/machine.h"'),
    ("src/scan/a.cpp", '"run/protocol.h"'),
    ("src/vemicry/a.cpp", '"crypto/aes/aes_kernel.h"'),
    ("src/vemicry/a.cpp", '"padlock/state.h"'),
    ("src/crypto/aes/a.cpp", '"incore/aes.h"'),  # the public interface is above the library's inside
    ("tools/base/a.cpp", '"tools/report/png.h"'),  # what all use is below
    ("tools/report/a.cpp", '"tools/sweep/sweep_plan.h"'),
    ("tools/sweep/a.cpp", '"cli/command.h"'),  # no way back up
    ("tools/sweep/a.cpp", "<CLI/CLI.hpp>"),
    ("cli/a.cpp", '"scan/site.h"'),  # clients see the public interface only
    ("cli/a.cpp", '"../src/padlock/state.h"'),
    ("examples/a.c", '"base/bytes.h"'),
    ("include/incore/a.h", '"base/bytes.h"'),
    ("src/base/a.cpp", "<string>"),  # the library needs libc only
    ("src/padlock/a.cpp", "<vector>"),
    ("src/padlock/a.cpp", "<unistd.h>"),  # the processor knows no host
    ("src/padlock/a.cpp", "<immintrin.h>"),
    ("src/crypto/aes/a.cpp", "<iostream>"),
    ("src/capi/a.cpp", "<map>"),
    ("src/capi/a.cpp", '"scan/site.h"'),
    ("src/scan/a.cpp", '"incore/aes.h"'),  # the C interface is above what it serves
    ("src/vemicry/a.cpp", '"incore/aes.h"'),
    ("src/capi/a.cpp", "<Zydis/Zydis.h>"),  # third-party headers where they belong
    ("cli/a.cpp", "<gelf.h>"),
    ("src/run/a.cpp", "<fmt/format.h>"),
    ("cli/a.cpp", "<boost/any.hpp>"),
    ("cli/a.cpp", '"missing.h"'),
    ("src/stray/a.cpp", "<cstdint>"),  # a folder without a rule
]


class CheckIncludes(unittest.TestCase):
    def complaints(self, path, include):
        with tempfile.TemporaryDirectory() as root:
            self.fill(root, path, include)
            return check_includes.check(root)[0]

    def fill(self, root, path, include):
        for file in FILES + [f"{folder}/own.h" for folder in check_includes.RULES]:
            self.write(root, file, "// nothing\n")
        self.write(root, path, f"// A file.\n#include {include}\n")

    @staticmethod
    def write(root, path, text):
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def test_a_right_include_passes(self):
        for path, include in RIGHT:
            with self.subTest(path=path, include=include):
                self.assertEqual(self.complaints(path, include), [])

    def test_a_wrong_include_is_named_with_file_and_line(self):
        for path, include in WRONG:
            with self.subTest(path=path, include=include):
                line = 1 if path.startswith("src/stray/") else 2
                complaints = self.complaints(path, include)
                self.assertEqual(len(complaints), 1, complaints)
                self.assertTrue(complaints[0].startswith(f"{path}:{line}: "), complaints)

    def test_a_rule_about_no_folder_is_named(self):
        with tempfile.TemporaryDirectory() as root:
            self.fill(root, *RIGHT[0])
            os.remove(os.path.join(root, "examples/own.h"))
            complaints, _ = check_includes.check(root)
            self.assertEqual([line.split(":")[0] for line in complaints], ["examples/"])

    def test_a_loop_over_a_list_in_braces_needs_its_header(self):
        loop = "<cstdint>\nvoid f() {\n  for (const int i : {1, 2}) g(i);\n}"
        for folder in ("src/crypto/aes", "src/capi"):
            self.assertEqual(self.complaints(f"{folder}/a.cpp", loop),
                             [f"{folder}/a.cpp:4: a loop over {{...}} needs #include <initializer_list>"])
            self.assertEqual(self.complaints(f"{folder}/a.cpp", "<initializer_list>\n#include " + loop), [])
        self.assertEqual(self.complaints("src/run/a.cpp", loop), [])  # where containers' headers bring it along

    def test_the_exit_code_tells(self):
        for (path, include), code in ((RIGHT[0], 0), (WRONG[0], 1)):
            with tempfile.TemporaryDirectory() as root:
                self.fill(root, path, include)
                result = subprocess.run([sys.executable, SCRIPT, "--root", root], capture_output=True, text=True,
                                        check=False)
                self.assertEqual((result.returncode, result.stdout != ""), (code, code == 1))

    def test_an_empty_tree_is_an_error(self):
        with tempfile.TemporaryDirectory() as root:
            result = subprocess.run([sys.executable, SCRIPT, "--root", root], capture_output=True, check=False)
            self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main()
