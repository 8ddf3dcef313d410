"""What the compiler makes of the AES kernel for POWER8: how many round instructions a batch takes, that they do not wait for
each other, and that no table serves the key schedules."""
import re
import unittest

from power8_env import BUILD, ROOT, functions

OBJECT = BUILD / "CMakeFiles" / "incore_objects.dir" / "src" / "crypto" / "aes" / "aes_power8.cpp.o"
BLOCKS = 8  # in flight
LATENCY = 6  # cycles, with one instruction started in each
ROUNDS = re.compile(r"vn?cipher")
LAST_ROUNDS = re.compile(r"vn?cipherlast")
WHOLE_BATCHES = re.compile(r"whole_batches<.*?(\w+), (\d+)u>")


def whole_batches():
    """{(mode, rounds): instructions} of the functions that work on eight blocks at a time."""
    found = {}
    for name, body in functions(OBJECT).items():
        match = WHOLE_BATCHES.search(name)
        if match:
            found.setdefault((match.group(1), int(match.group(2))), []).extend(body)
    return found


def round_instructions(body):
    return [words for words in body if ROUNDS.match(words[0])]


def waits_for_recent(chain):
    """Of each instruction, whether it takes the result of one so short before that this cannot be there yet."""
    return [any(words[1] in sources for words in chain[max(0, i - LATENCY + 1):i])
            for i, (_, _, *sources) in enumerate(chain)]


class AesCode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.batches = whole_batches()

    def test_every_mode_of_independent_blocks_has_a_loop_for_each_key_length(self):
        modes = ["CbcDecrypt", "CfbDecrypt", "Ctr", "EcbDecrypt", "EcbEncrypt", "XtsDecrypt", "XtsEncrypt"]
        self.assertEqual(sorted(self.batches), [(mode, rounds) for mode in modes for rounds in (10, 12, 14)])

    # clause: P8-AES-011
    # clause: P8-AES-017
    def test_a_block_takes_one_instruction_a_round(self):
        for (mode, rounds), body in self.batches.items():
            with self.subTest(mode=mode, rounds=rounds):
                last = sum(bool(LAST_ROUNDS.fullmatch(words[0])) for words in body)
                inner = len(round_instructions(body)) - last
                self.assertGreater(last, 0)
                self.assertEqual(last % BLOCKS, 0)  # a compiler may write the loop's body twice
                self.assertEqual(inner, (rounds - 1) * last)
                decrypting = mode in ("CbcDecrypt", "EcbDecrypt", "XtsDecrypt")
                kinds = {words[0] for words in round_instructions(body)}
                self.assertEqual(kinds, {"vncipher", "vncipherlast"} if decrypting else {"vcipher", "vcipherlast"})

    # clause: P8-AES-032
    def test_round_instructions_do_not_wait_for_those_just_before(self):
        for (mode, rounds), body in self.batches.items():
            with self.subTest(mode=mode, rounds=rounds):
                waits = waits_for_recent(round_instructions(body))
                longest = max(len(run) for run in "".join("w" if wait else "." for wait in waits).split("w"))
                self.assertGreaterEqual(longest, LATENCY)
                if mode.startswith("Ecb"):  # in the others, compilers put what comes before and after into the rounds
                    self.assertFalse(any(waits))

    # clause: P8-AES-027
    def test_key_schedules_use_no_table(self):
        bodies = {name: body for name, body in functions(OBJECT).items() if "::expand_" in name}
        self.assertTrue(bodies)
        used = {words[0] for body in bodies.values() for words in body}
        self.assertIn("vcipherlast", used)
        # Bytes of the key stay in vector registers: no load of a byte, none by an index that was computed.
        self.assertEqual(used & {"lbz", "lbzx", "lbzu", "lbzux", "lhz", "lhzx", "lha", "lhax", "lwzx", "lwax", "ldx"}, set())
        # Nor do they come from there to general registers.
        self.assertEqual(used & {"mfvsrd", "mfvsrwz", "mfvrd", "mfvrwz", "mffprd", "mffprwz"}, set())
        for path in (ROOT / "src" / "crypto" / "aes").glob("aes_power8*"):
            self.assertNotRegex(path.read_text(encoding="utf-8"), r"\[(256|0x100)\]|kTables|aes_steps", path)


if __name__ == "__main__":
    unittest.main()
