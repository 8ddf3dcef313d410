"""What the compiler accepts, refuses and makes of the vector helpers, and of what the guide prints."""
import shutil
import subprocess
import tempfile
import unittest

from power8_env import COMPILER, EMULATOR, LITTLE_ENDIAN, ROOT, TRIPLE, compile_source, disassemble

HEADER = '#include "crypto/power8/vector.h"\nusing namespace incore::power8;\n'
COPY = """
void copy(uint8_t* to, const uint8_t* from) {
  for (int i = 0; i < 8; ++i)
    VectorStoreBE(vcipher(VectorLoadBE(from, 16 * i), VectorLoadBE(from, 16 * i + 128)), to, 16 * i);
}
"""


class Compiles(unittest.TestCase):
    def assert_compiles(self, text, *flags, compiler=None):
        result = compile_source(text, *flags, compiler=compiler)
        self.assertEqual(result.returncode, 0, result.stderr)

    def assert_refused(self, message, text, *flags, compiler=None):
        result = compile_source(text, *flags, compiler=compiler)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, message)

    # clause: P8-VEC-002
    def test_gcc_and_clang_take_the_helpers(self):
        compilers = [c for c in ([f"{TRIPLE}-g++"], ["clang++", f"--target={TRIPLE}"]) if shutil.which(c[0])]
        self.assertTrue(compilers)
        for compiler in compilers:
            for level in ("-O0", "-O3"):
                # clause: P8-VEC-008
                self.assert_compiles(HEADER + COPY, "-mcpu=power8", "-g", level, "-Wall", "-Werror", compiler=compiler)

    # clause: P8-VEC-003
    def test_literal_operands_are_template_arguments_without_optimisation_too(self):
        self.assert_compiles(HEADER + "uint32x4_p8 f(uint32x4_p8 x) { return vshasigmaw<0, 15>(x); }", "-mcpu=power8", "-O0")

    @unittest.skipUnless(shutil.which(f"{TRIPLE}-g++"), f"there is no {TRIPLE}-g++")
    # clause: P8-VEC-007
    def test_gcc_knows_mcpu_and_no_march(self):
        gcc = [f"{TRIPLE}-g++"]
        self.assert_compiles("", "-mcpu=power8", compiler=gcc)
        self.assert_refused("unrecognized command-line option .*-march=power8", "", "-march=power8", compiler=gcc)

    # clause: P8-VEC-010
    def test_without_altivec_the_helpers_say_so_and_portable_code_compiles(self):
        flags = ["-mcpu=970", "-mno-altivec"]
        self.assert_refused("compile this file with -mcpu=power8", HEADER, *flags)
        if not LITTLE_ENDIAN:  # whose C++ library needs vector registers
            self.assert_compiles((ROOT / "src/crypto/aes/aes_portable.cpp").read_text(encoding="utf-8"), *flags)

    # clause: P8-VEC-029
    def test_a_shift_by_16_bytes_is_refused(self):
        use = "uint8x16_p8 f(uint8x16_p8 x) {{ return VectorShiftLeft{}<{}>(x, x); }}"
        for name in ("", "BE"):
            self.assert_compiles(HEADER + use.format(name, 15), "-mcpu=power8")
            self.assert_refused("static assertion|static_assert", HEADER + use.format(name, 16), "-mcpu=power8")
            self.assert_refused("static assertion|static_assert", HEADER + use.format(name, 17), "-mcpu=power8")

    # clause: P8-VEC-054
    def test_the_big_endian_store_is_vec_xst_be(self):
        use = "void f(uint8x16_p8 x, unsigned char* p) {{ {}(x, 0, p); }}"
        self.assert_compiles(HEADER + use.format("vec_xst_be"), "-mcpu=power8")
        self.assert_refused("vec_st_be", HEADER + use.format("vec_st_be"), "-mcpu=power8")

    # clause: P8-DET-009
    def test_getauxval_comes_from_sys_auxv_h(self):
        use = "unsigned long f() { return getauxval(26); }"
        self.assert_compiles("#include <sys/auxv.h>\n" + use)
        self.assert_refused("getauxval", "#include <unistd.h>\n" + use)

    # clause: P8-DET-037
    # clause: P8-DET-038
    def test_the_cache_line_is_asked_in_the_right_form(self):
        use = "int f() { int n = sysconf(_SC_LEVEL1_DCACHE_LINESIZE); if %s n = 128; return n; }"
        self.assert_compiles("#include <unistd.h>\n" + use % "(n <= 0)")
        self.assert_refused("expected", "#include <unistd.h>\n" + use % "(n) <= 0)")
        self.assert_refused("sys/sysconf.h", "#include <sys/sysconf.h>\n" + use % "(n <= 0)")


class Undefined(unittest.TestCase):
    def run_checked(self, body):
        """Runs main with |body|, trapping on misaligned access as the sanitizer sees it."""
        main = f"int main() {{ alignas(16) static uint8_t memory[64]; {body} }}"
        with tempfile.TemporaryDirectory() as folder:
            result = compile_source(HEADER + main, "-mcpu=power8", "-O0", "-fsanitize=undefined",
                                    "-fsanitize-undefined-trap-on-error", "-static", output=f"{folder}/x")
            self.assertEqual(result.returncode, 0, result.stderr)
            return subprocess.run([*EMULATOR, f"{folder}/x"], capture_output=True, check=False).returncode

    # clause: P8-VEC-041
    def test_unaligned_access_is_defined_where_a_dereference_is_not(self):
        self.assertEqual(self.run_checked("""
            for (int i = 0; i < 16; ++i) {
              VectorStoreu(VectorLoadu(memory, i), memory + i, 16);
              VectorStoreBE(VectorLoadBE(memory, i), memory + i, 16);
            }"""), 0)
        self.assertNotEqual(self.run_checked("""
            volatile int i = 1;
            return (*reinterpret_cast<uint8x16_p8*>(memory + i))[0];"""), 0)


class Instructions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.body = disassemble(HEADER + COPY)["copy(unsigned char*, unsigned char const*)"]
        cls.mnemonics = [words[0] for words in cls.body]

    # clause: P8-VEC-053
    def test_big_endian_access_is_a_vsx_load_or_store(self):
        self.assertEqual(sum(name in ("lxvw4x", "lxvd2x") for name in self.mnemonics), 16)
        self.assertEqual(sum(name in ("stxvw4x", "stxvd2x") for name in self.mnemonics), 8)

    # clause: P8-VEC-055
    def test_it_costs_one_permute_on_little_endian_and_none_on_big_endian(self):
        self.assertEqual(self.mnemonics.count("vperm"), 24 if LITTLE_ENDIAN else 0)
        self.assertFalse({"xxswapd", "xxpermdi"} & set(self.mnemonics))

    # clause: P8-VEC-059
    @unittest.skipUnless(LITTLE_ENDIAN, "big-endian has no permute behind the load")
    def test_what_a_load_calls_vs32_the_permute_calls_v0(self):
        loaded, permuted = set(), 0
        for mnemonic, *operands in self.body:
            if mnemonic in ("lxvw4x", "lxvd2x"):
                self.assertGreaterEqual(int(operands[0][2:]), 32)
                loaded.add("v" + str(int(operands[0][2:]) - 32))
            elif mnemonic == "vperm" and operands[1] in loaded:
                permuted += 1
                loaded.discard(operands[1])
        self.assertEqual(permuted, 16)


if __name__ == "__main__":
    unittest.main()
