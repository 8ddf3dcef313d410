"""scripts/boot-linux.py without a boot: what it refuses, how it reads a console, and which messages it takes for faults."""
import base64
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / "scripts/boot-linux.py"
sys.path.insert(0, str(SCRIPT.parent))
SPEC = importlib.util.spec_from_file_location("boot_linux", SCRIPT)
BOOT_LINUX = importlib.util.module_from_spec(SPEC)
sys.modules["boot_linux"] = BOOT_LINUX
SPEC.loader.exec_module(BOOT_LINUX)


def refused(*arguments):
    result = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)
    return result.returncode, result.stdout, result.stderr


class BootLinux(unittest.TestCase):
    def test_unknown_names_are_told_with_those_that_there_are(self):
        code, out, said = refused("--kernel", "sarge")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(said, r"^boot-linux: no kernel 'sarge'; there are: bookworm .*\n$")
        code, out, said = refused("--model", "c8")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(said, r"^boot-linux: no model 'c8'; there are: c5xl nehemiah .*\n$")

    def test_a_pair_that_cannot_be_and_a_missing_program_are_refused(self):
        self.assertEqual(refused("--incore", "/bin/true", "--kernel", "bookworm", "--model", "c5xl"),
                         (2, "", "boot-linux: none of these models boots a kernel of 64 bits\n"))
        self.assertEqual(refused("--incore", "/nowhere/incore"), (2, "", "boot-linux: /nowhere/incore does not exist; run `make build`\n"))

    def test_a_line_of_a_table_with_other_fields_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "kernels.tsv"
            table.write_text("# a comment\nbookworm\tbookworm\n")
            with self.assertRaisesRegex(BOOT_LINUX.Mistake, r"kernels\.tsv:2: 2 fields; there are 5, separated by tabs"):
                BOOT_LINUX.read_table(table, BOOT_LINUX.Kernel)

    def test_a_console_gives_checks_and_files(self):
        content = bytes(range(256))
        text = base64.b64encode(content).decode()
        lines = ["[    0.0] Linux version", "boot-linux check 1-drivers passed loaded: via-rng; refused: none",
                 "[    1.0] x boot-linux check 2-self-tests failed padlock-aes: unknown", f"boot-linux file random {text[:76]}",
                 f"boot-linux file random {text[76:]}", "boot-linux verdict 1"]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "console").write_text("\n".join(lines) + "\n")
            checks, files = BOOT_LINUX.read_console(folder)
            self.assertEqual((folder / "random").read_bytes(), content)
        self.assertEqual(checks, {"1-drivers": (True, "loaded: via-rng; refused: none"), "2-self-tests": (False, "padlock-aes: unknown")})
        self.assertEqual(files, {"random": content})

    def test_warnings_are_faults_unless_they_are_allowed(self):
        allowed = {"^quiet": BOOT_LINUX.Allowed("^quiet", "as on the chip")}
        raw = b"<6>[    1.0] information\n<4>[    1.0] quiet please\n<3>[    1.0] an error\n<12>[    1.0] of a program\nno message\n"
        self.assertEqual(BOOT_LINUX.unexpected_messages(raw, allowed), ["an error", "of a program"])

    def test_the_tables_are_right(self):
        source = ROOT / "tests/machine/linux"
        models = BOOT_LINUX.read_table(source / "models.tsv", BOOT_LINUX.Model)
        kernels = BOOT_LINUX.read_table(source / "kernels.tsv", BOOT_LINUX.Kernel)
        self.assertTrue(BOOT_LINUX.read_table(source / "messages.tsv", BOOT_LINUX.Allowed))
        for model in models.values():
            self.assertLessEqual(set(model.drivers.split()), set(BOOT_LINUX.DRIVERS))
            for program in model.programs.split():
                self.assertTrue((ROOT / "tests/guest" / f"{program}.c").is_file(), program)
        self.assertEqual({kernel.bits for kernel in kernels.values()}, {32, 64})


if __name__ == "__main__":
    unittest.main()
