"""How often the kernels that multiply polynomials do so: counted in what the compiler makes of them."""
import re
import unittest

from power8_env import BUILD, disassemble, tool

OBJECTS = BUILD / "CMakeFiles" / "incore_objects.dir" / "src" / "crypto"

PRODUCTS = """
#include "crypto/ghash/ghash_power8.h"
using namespace incore::power8;
void product(uint64x2_p8* p) {
  const Sum sum = multiply(p[0], p[1]);
  p[0] = sum.low, p[1] = sum.middle, p[2] = sum.high;
}
void two_products(uint64x2_p8* p) {
  Sum sum = {p[0], p[1], p[2]};
  add_products(sum, {p[3], p[4]}, {p[5], p[6]});
  p[0] = sum.low, p[1] = sum.middle, p[2] = sum.high;
}
void reduction(uint64x2_p8* p) { p[0] = reduce({p[0], p[1], p[2]}); }
"""


def loops(path):
    """The mnemonics of each loop without another one in it."""
    found, instructions = [], []
    for line in tool("objdump", "-d", "-M", "power8", "--no-show-raw-insn", path).splitlines():
        match = re.match(r"\s*([0-9a-f]+):\t(\S+)\s*(.*)", line)
        if not match:
            continue
        address, mnemonic, operands = int(match[1], 16), match[2], match[3]
        target = re.search(r"([0-9a-f]+) <", operands)
        instructions.append((address, mnemonic))
        if mnemonic.startswith("b") and target and mnemonic != "bl" and int(target[1], 16) < address:
            begin = int(target[1], 16)
            if not any(begin <= inner < address for inner, _ in found):
                found.append((begin, [m for a, m in instructions if begin <= a]))
    return [body for _, body in found]


class Code(unittest.TestCase):
    # clause: P8-POLY-029
    def test_a_product_takes_three_multiplications_and_two_products_four(self):
        counts = {name.split("(")[0]: [words[0] for words in body].count("vpmsumd")
                  for name, body in disassemble(PRODUCTS).items()}
        self.assertEqual({name: counts[name] for name in ("product", "two_products", "reduction")},
                         {"product": 3, "two_products": 4, "reduction": 2})

    # clause: P8-POLY-030
    def test_twelve_blocks_have_one_reduction(self):
        counts = [body.count("vpmsumd") for body in loops(OBJECTS / "ghash" / "ghash_power8.cpp.o")]
        self.assertIn(6 * 4 + 2, counts)

    # clause: P8-POLY-017
    def test_sixteen_streams_are_folded_side_by_side(self):
        bodies = [body for body in loops(OBJECTS / "crc" / "crc_power8.cpp.o") if body.count("vpmsumd") > 1]
        folding = [body for body in bodies if body.count("vpmsumd") == body.count("lvx") == 16]
        self.assertEqual(len(folding), 2, "one loop for each CRC")

    def test_gcm_hashes_eight_blocks_while_it_encrypts_as_many(self):
        code = [words[0] for body in disassemble('#include "crypto/gcm/gcm_power8.cpp"').values() for words in body]
        # Once encryption without hashing, which has no blocks yet, and each direction with it: 9 rounds, those of
        # longer keys in a loop, and the last round.
        self.assertEqual(code.count("vpmsumd"), 2 * (4 * 4 + 2))
        self.assertEqual(code.count("vcipherlast"), 3 * 8)


if __name__ == "__main__":
    unittest.main()
