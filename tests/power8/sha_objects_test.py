"""What the compiler makes of the SHA-2 kernels for POWER8, by disassembly; how the sigma instructions are encoded and
which arguments are refused, by trying; and that no source uses others than the kernels need.
"""
import pathlib
import re
import tempfile
import unittest

from power8_env import BUILD, COMPILER, LITTLE_ENDIAN, ROOT, TRIPLE, compile_source, tool

IS_GCC = TRIPLE in COMPILER[0]

# What the round loop needs general registers for: addresses, the count of blocks, the branches.
INTEGER = re.compile(r"(li|lis|addi|addis|addic|add|mr|nop|ori|cmp\w*|mtctr|b\w*)[.+-]?$")
VECTOR = re.compile(r"(v|xx|lxv|lvx|stxv|stvx)")
VECTOR_STORE = re.compile(r"(stxv|stvx)")


def disassemble(path):
    """[(address, mnemonic, operands)] of an object."""
    text = tool("objdump", "-d", "-M", "power8", "--no-show-raw-insn", path)
    return [(int(address, 16), mnemonic, operands)
            for address, mnemonic, operands in re.findall(r"^\s*([0-9a-f]+):\t(\S+)[ \t]*(.*)$", text, re.M)]


def round_loops(insns):
    """The instructions between each backward branch and its target, if there are sigmas among them but no other such
    branch: the expanding rounds."""
    by_address = {insn[0]: i for i, insn in enumerate(insns)}
    ranges = []
    for i, (address, mnemonic, operands) in enumerate(insns):
        target = re.search(r"([0-9a-f]+) <", operands)
        if mnemonic.startswith("b") and mnemonic != "bl" and target and int(target.group(1), 16) < address:
            ranges.append((by_address[int(target.group(1), 16)], i))
    innermost = [(a, b) for a, b in ranges if not any((c, d) != (a, b) and a <= c and d <= b for c, d in ranges)]
    return [insns[a:b + 1] for a, b in innermost if any("vshasigma" in insn[1] for insn in insns[a:b + 1])]


def is_accepted(text):
    """Whether the compiler makes an object of it: of operands GCC thinks only then."""
    with tempfile.TemporaryDirectory() as folder:
        return compile_source(text, "-mcpu=power8", "-c", output=f"{folder}/x.o").returncode == 0


class Kernels(unittest.TestCase):
    def kernels(self):
        for bits, rounds in (256, 64), (512, 80):
            path = BUILD / f"CMakeFiles/incore_objects.dir/src/crypto/sha/sha{bits}_power8.cpp.o"
            yield path, disassemble(path), rounds

    def test_rounds_are_computed_in_vector_registers_alone(self):
        for path, insns, _ in self.kernels():
            loops = round_loops(insns)
            self.assertTrue(loops, path.name)
            for address, mnemonic, operands in (insn for loop in loops for insn in loop):
                # clause: P8-SHA-001
                self.assertTrue(VECTOR.match(mnemonic) or INTEGER.match(mnemonic),
                                f"{path.name}: {address:x} {mnemonic} {operands}")

    def test_the_schedule_is_16_words_in_registers(self):
        for path, insns, rounds in self.kernels():
            # Rounds 0 to rounds - 17 in a loop of 16, expanding; 16 more behind it: 2 sigmas each, and 16 words with
            # two, for which SHA-256 needs three instructions for every four.
            sigmas = sum("vshasigma" in insn[1] for insn in insns)
            # clause: P8-SHA-002
            self.assertEqual(sigmas, 2 * 32 + (12 if rounds == 64 else 16), path.name)
            if IS_GCC:
                for loop in round_loops(insns):
                    stores = [insn for insn in loop if VECTOR_STORE.match(insn[1])]
                    self.assertEqual(stores, [], path.name)


class Instructions(unittest.TestCase):
    def test_other_arguments_than_the_manuals_are_refused(self):
        built_in = ("#include <altivec.h>\n__vector unsigned f(__vector unsigned x)"
                    " {{ return __builtin_crypto_vshasigmaw(x, {}, {}); }}\n")
        ours = ('#include "crypto/power8/insns.h"\nincore::power8::uint32x4_p8 f(incore::power8::uint32x4_p8 x)'
                " {{ return incore::power8::vshasigmaw<{}, {}>(x); }}\n")
        # clause: P8-SHA-012
        for upper, which, allowed in (0, 0, True), (1, 15, True), (2, 0, False), (0, 16, False):
            self.assertEqual(is_accepted(built_in.format(upper, which)), allowed, (upper, which))
            self.assertEqual(is_accepted(ours.format(upper, which)), allowed, (upper, which))
        # clause: P8-SHA-022
        self.assertFalse(is_accepted(ours.format(0, 8)))

    def test_the_sources_use_no_mixed_mask(self):
        # What takes a mask is in one header, whose functions refuse all but 0 and 15.
        for path in (ROOT / "src").rglob("*.[hc]*"):
            if path.name != "insns.h" or path.parent.name != "power8":
                text = path.read_text(encoding="utf-8", errors="replace")
                self.assertIsNone(re.search(r"__builtin_crypto_vshasigma|vec_shasigma", text), path)

    def test_encodings(self):
        # clause: P8-SHA-023
        for mnemonic, extended_opcode in ("vshasigmaw", 1666), ("vshasigmad", 1730):
            word = 4 << 26 | 17 << 21 | 30 << 16 | 1 << 15 | 9 << 11 | extended_opcode
            mark = 0x600dcafe
            text = f'__asm__(".text\\n\\t.long {mark}\\n\\t{mnemonic} 17,30,1,9\\n\\t.long {mark}");\n'
            expected = b"".join(x.to_bytes(4, "little" if LITTLE_ENDIAN else "big") for x in (mark, word, mark))
            with tempfile.TemporaryDirectory() as folder:
                result = compile_source(text, "-mcpu=power8", "-c", output=f"{folder}/x.o")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(expected, pathlib.Path(folder, "x.o").read_bytes(), mnemonic)


if __name__ == "__main__":
    unittest.main()
