"""The generator of SHA-2 assembly for POWER8: flavours, names, what the assembler says, the stack; and the program that
calls what it wrote."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from power8_env import BUILD, EMULATOR, ROOT

EXAMPLE = ROOT / "examples" / "power8"
GENERATOR = EXAMPLE / "sha2_p8.py"
FLAVOURS = ["linux32", "linux64", "linux64le", "aix32", "aix64", "osx32", "osx64"]
# Assembler and its options beside -mpower8, and what an ELF header begins with: class and byte order.
ASSEMBLERS = {
    "linux32": (["powerpc64-linux-gnu-as", "-a32"], b"\x7fELF\x01\x02"),
    "linux64": (["powerpc64-linux-gnu-as"], b"\x7fELF\x02\x02"),
    "linux64le": (["powerpc64le-linux-gnu-as"], b"\x7fELF\x02\x01"),
}


class Generator(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def generate(self, flavour, name):
        output = self.folder / name
        subprocess.run([sys.executable, GENERATOR, flavour, output], check=True)
        return output

    def refused(self, *args):
        result = subprocess.run([sys.executable, GENERATOR, *args], capture_output=True, text=True, check=False)
        return result.returncode == 2 and not list(self.folder.iterdir()) and result.stderr

    def test_all_flavours_are_accepted_and_no_others(self):
        # clause: P8-ASM-004
        for flavour in FLAVOURS:
            text = self.generate(flavour, f"{flavour}_256.s").read_text(encoding="ascii")
            self.assertIn("vshasigmaw", text)
            # clause: P8-ASM-005
            self.assertEqual("stdu" in text, "64" in flavour, flavour)
            self.assertEqual("vperm" in text, flavour.endswith("le"), flavour)
        for output in self.folder.iterdir():
            output.unlink()
        self.assertIn("linux64le", self.refused("linux16", self.folder / "256.s"))

    def test_the_name_of_the_output_selects_the_hash(self):
        # clause: P8-ASM-006
        for bits, other in (256, 512), (512, 256):
            text = self.generate("linux64le", f"x{bits}.s").read_text(encoding="ascii")
            self.assertIn(f"sha{bits}_block_p8:", text)
            self.assertNotIn(f"sha{other}", text)
            (self.folder / f"x{bits}.s").unlink()
        for name in "x.s", "x256_512.s":
            self.assertIn("256 or 512", self.refused("linux64le", self.folder / name))

    def test_the_assembler_takes_it(self):
        for flavour, (assembler, head) in ASSEMBLERS.items():
            if not shutil.which(assembler[0]):
                print(f"{flavour}: there is no {assembler[0]} to try")
                continue
            for bits in 256, 512:
                source = self.generate(flavour, f"{flavour}_{bits}.s")
                # clause: P8-ASM-007
                subprocess.run([*assembler, "-mpower8", source, "-o", source.with_suffix(".o")], check=True)
                self.assertTrue(source.with_suffix(".o").read_bytes().startswith(head), flavour)

    def test_the_stack_stays_aligned(self):
        for flavour in FLAVOURS:
            text = self.generate(flavour, "512.s").read_text(encoding="ascii")
            # clause: P8-ASM-020
            taken = [int(frame) for frame in re.findall(r"st[dw]u r?1,-(\d+)\(r?1\)", text)]
            given = [int(frame) for frame in re.findall(r"addi r?1,r?1,(\d+)", text)]
            self.assertEqual(len(taken), 1)
            self.assertEqual(taken, given)
            self.assertEqual(taken[0] % 16, 0)

    def test_the_program_hashes_the_empty_message(self):
        program = BUILD / "examples" / "power8" / "sha256_empty"
        result = subprocess.run([*EMULATOR, program], capture_output=True, text=True, check=False)
        # clause: P8-ASM-012
        # clause: P8-ASM-013
        # clause: P8-ASM-014
        # clause: P8-ASM-015
        # clause: P8-ASM-016
        # clause: P8-ASM-018
        self.assertEqual(result.stdout, "SHA256 hash of empty message: E3B0C44298FC1C14...\nSuccess!\n")
        self.assertEqual(result.returncode, 0)

    def test_all_is_our_own(self):
        # clause: P8-ASM-019
        self.assertEqual(sorted(path.suffix for path in EXAMPLE.iterdir() if path.is_file()), [".cpp", ".py", ".txt"])
        for path in EXAMPLE.iterdir():
            if path.is_file():
                text = path.read_text(encoding="utf-8").lower()
                for word in "cryptogams", "openssl", "appro", "copyright":
                    self.assertFalse(word in text, f"{path}: {word}")


if __name__ == "__main__":
    unittest.main()
