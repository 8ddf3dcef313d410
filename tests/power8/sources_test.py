"""Rules of the POWER8 code that a search of the sources can check."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).parents[2]
SOURCES = sorted(path for path in (ROOT / "src").rglob("*") if path.suffix in (".h", ".cpp", ".c", ".S"))
HELPERS = [ROOT / "src/crypto/power8/insns.h", ROOT / "src/crypto/power8/vector.h"]

# Where aligned loads and stores may stand, and the memory that they touch there.
ALIGNED = {
    "src/crypto/aes/aes_power8.h": "round keys",
    "src/crypto/aes/aes_power8_keys.h": "round keys",
    "src/crypto/aes/aes_power8_many.h": "round keys",
    "src/crypto/crc/crc_power8.cpp": "constants",
    "src/crypto/gf2/gf2_power8.cpp": "constants",
    "src/crypto/ghash/ghash_power8.cpp": "powers of the hash key",
    "src/crypto/ghash/ghash_power8.h": "powers of the hash key",
    "src/crypto/sha/sha2_power8.h": "round constants",
}


def code(path):
    """The text without comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)


def places(pattern, files=SOURCES):
    return {str(path.relative_to(ROOT)) for path in files if re.search(pattern, code(path))}


class Sources(unittest.TestCase):
    # clause: P8-VEC-018
    def test_byte_order_never_depends_on_the_names_that_xlc_lacks_alone(self):
        for name in places(r"__BYTE_ORDER__"):
            for line in code(ROOT / name).splitlines():
                if "__BYTE_ORDER__" in line:
                    self.assertRegex(line, r"defined\(__(BIG|LITTLE)_ENDIAN__\).*defined\(__BYTE_ORDER__\) &&", name)
        self.assertEqual(places(r"__BYTE_ORDER__"), {"src/base/bytes.h"})

    # clause: P8-VEC-020
    # clause: P8-VEC-045
    def test_aligned_access_is_to_schedules_and_constants_of_our_own(self):
        aligned = r"\bvec_(ld|st|lde|ste|ldl|stl)\b|(lvx|stvx)l?\b"
        self.assertEqual(places(aligned) - set(ALIGNED), {"src/crypto/power8/vector.h", "src/cpu/probe_power.cpp"})
        users = places(r"\bVector(Load|Store)\(") - {"src/crypto/power8/vector.h"}
        self.assertEqual(users - set(ALIGNED), set(), "say above which memory that is")
        library = [path for path in SOURCES if path.is_relative_to(ROOT / "src" / "crypto")]
        self.assertEqual(places(r"\b(m|c|re)alloc\(|posix_memalign", library), set(), "nothing lies on the heap")

    # clause: P8-VEC-042
    def test_no_pointer_becomes_a_pointer_to_a_vector(self):
        vector = r"(power8::)?(u?int\d+x\d+_p8|__vector [a-z ]+)"
        cast = rf"_cast<\s*(const )?{vector}( const)?\s*\*|\((const )?{vector}\s*\*\)"
        self.assertEqual(places(cast) - {"src/crypto/power8/vector.h"}, set())

    # clause: P8-VEC-010
    # clause: P8-VEC-011
    def test_altivec_h_stands_in_one_place_behind_its_condition(self):
        self.assertEqual(places(r"include <altivec.h>"), {"src/crypto/power8/insns.h"})
        text = code(HELPERS[0])
        include = text.index("#include <altivec.h>")
        self.assertIn("!defined(__ALTIVEC__)", text[:include])
        self.assertEqual(re.findall(r"#undef (\w+)", text[include:])[:3], ["vector", "pixel", "bool"])

    def test_files_for_power8_are_empty_elsewhere(self):
        kernels = sorted((ROOT / "src").rglob("*_power8.cpp"))
        self.assertTrue(kernels)
        for path in kernels:
            directives = [line for line in code(path).splitlines() if line.strip()]
            self.assertEqual(directives[0], "#if defined(__powerpc64__)", path)
            self.assertEqual(directives[-1], "#endif", path)


if __name__ == "__main__":
    unittest.main()
