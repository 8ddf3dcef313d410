"""What the build made: that nothing compiled for POWER8 can serve older processors, and that the probe holds its
instructions."""
import tempfile
import unittest

from power8_env import BUILD, EMULATOR, LITTLE_ENDIAN, compile_source, functions, tool

OBJECTS = BUILD / "CMakeFiles" / "incore_objects.dir" / "src"


def weak_symbols(path):
    """Symbols that |path| defines and the linker may take for those of other objects."""
    lines = [line.split() for line in tool("nm", "--defined-only", path).splitlines()]
    return sorted(words[-1] for words in lines if words[-2] in "VWvwu")


class Objects(unittest.TestCase):
    def test_power8_objects_define_nothing_that_the_linker_may_merge(self):
        objects = sorted(OBJECTS.rglob("*_power8.cpp.o"))
        self.assertTrue(objects, f"no object of a kernel below {OBJECTS}")
        for path in objects:
            self.assertEqual(weak_symbols(path), [], path)

    def test_the_search_finds_such_symbols(self):
        with tempfile.TemporaryDirectory() as folder:
            source = "inline int shared(int x) { return x * x; }\nint (*user)(int) = shared;\n"
            self.assertEqual(compile_source(source, "-c", output=f"{folder}/x.o").returncode, 0)
            self.assertIn("_Z6sharedi", weak_symbols(f"{folder}/x.o"))

    # clause: P8-DET-028
    def test_each_candidate_of_the_probe_stands_between_its_load_and_store(self):
        found = [words[0] for body in functions(OBJECTS / "cpu" / "probe_power.cpp.o").values() for words in body]
        text = " ".join(found)
        for sequence in ("vspltisb vaddubm stvx", "lxvd2x xxswapd stxvd2x", "lxvd2x lxvd2x vcipher stxvd2x",
                         "lxvd2x vshasigmaw stxvd2x", "lxvd2x vpmsumd stxvd2x"):
            self.assertEqual(text.count(sequence), 1, sequence)

    # clause: P8-DET-005
    def test_getauxval_is_that_of_glibc_2_16(self):
        dynamic = tool("nm", "--dynamic", "--undefined-only", BUILD / "libincore.so")
        # The little-endian system began with 2.17.
        self.assertIn("getauxval@GLIBC_2.17" if LITTLE_ENDIAN else "getauxval@GLIBC_2.16", dynamic)

    # clause: P8-VEC-009
    def test_the_shared_library_is_position_independent(self):
        self.assertIn("DYN", tool("readelf", "--file-header", BUILD / "libincore.so"))
        self.assertNotIn("TEXTREL", tool("readelf", "--dynamic", BUILD / "libincore.so"))

    def test_the_emulator_is_asked_for_power8(self):
        self.assertEqual(EMULATOR[1:3], ["-cpu", "power8"])


if __name__ == "__main__":
    unittest.main()
