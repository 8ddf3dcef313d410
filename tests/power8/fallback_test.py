"""The library on POWER processors with and without the crypto unit: which kernels serve, and the same answers.

Big-endian, QEMU's power7 lacks the unit. Little-endian there is no system for such a processor, so a preloaded
getauxval hides it.
"""
import hashlib
import os
import subprocess
import unittest
import zlib

from power8_env import BUILD, EMULATOR, LITTLE_ENDIAN

PROGRAMS = BUILD / "tests" / "power8"
DATA = bytes(i % 256 for i in range(1000))


def run(*words, cpu="power8", preload=None, env=None, static=False, strace=False):
    """Runs power8_answers with |words| on |cpu|; |preload| is what the getauxval before the system's hides."""
    command = [cpu if word == "power8" else word for word in EMULATOR]
    if strace:
        command.insert(1, "-strace")
    if preload:
        command[1:1] = ["-E", f"LD_PRELOAD={PROGRAMS / 'libpower8_getauxval.so'}", "-E", f"HIDE={preload}"]
    program = PROGRAMS / ("power8_answers_static" if static else "power8_answers")
    return subprocess.run([*command, program, *words], capture_output=True, text=True, check=False, timeout=120,
                          env={**{k: v for k, v in os.environ.items() if k != "INCORE_KERNEL"}, **(env or {})})


class Answers:
    """What a run printed: kernels of each algorithm, the chosen ones, features and answers."""

    def __init__(self, result):
        if result.returncode != 0:
            raise AssertionError(f"exit code {result.returncode}: {result.stderr}")
        self.kernels, self.chosen, self.features, self.answers = {}, {}, set(), {}
        for line in result.stdout.splitlines():
            kind, name, value = line.split()
            if kind in ("chosen", "other"):
                self.kernels.setdefault(name, []).append(value)
            if kind == "chosen":
                self.chosen[name] = value
            elif kind == "feature":
                self.features.add(name)
            elif kind == "answer":
                self.answers[name] = value


class Fallback(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.power8 = Answers(run())

    def without_unit(self, **options):
        return run(**options, preload="crypto") if LITTLE_ENDIAN else run(**options, cpu="power7")

    # clause: P8-DET-001
    def test_power8_uses_its_unit_wherever_a_kernel_exists(self):
        self.assertTrue({"altivec", "vsx", "arch_2_07", "vcrypto"} <= self.power8.features)
        for algorithm, kernels in self.power8.kernels.items():
            self.assertEqual(self.power8.chosen[algorithm], "power8" if "power8" in kernels else "portable", algorithm)
        self.assertEqual(self.power8.chosen["aes"], "power8")
        self.assertEqual(self.power8.chosen["sha256"], "power8")

    def test_answers_are_those_of_others(self):
        for name in ("sha1", "sha224", "sha256", "sha384", "sha512"):
            self.assertEqual(self.power8.answers[name], hashlib.new(name, DATA).hexdigest())
        self.assertEqual(self.power8.answers["crc32"], f"{zlib.crc32(DATA):08x}")
        self.assertEqual(self.power8.answers["crc32c_check"], "e3069283")
        self.assertEqual(self.power8.answers["aes128_ecb"][:32], "0a940bb5416ef045f1c39458c653ea5a")

    # clause: P8-DET-001
    def test_a_processor_without_the_unit_gets_portable_code_and_the_same_answers(self):
        without = Answers(self.without_unit())
        self.assertNotIn("vcrypto", without.features)
        self.assertEqual(set(without.chosen.values()), {"portable"})
        self.assertEqual(without.answers, self.power8.answers)

    @unittest.skipIf(LITTLE_ENDIAN, "the static glibc itself needs POWER8")
    def test_a_static_program_falls_back_too(self):
        without = Answers(run(static=True, cpu="power7"))
        self.assertEqual(set(without.chosen.values()), {"portable"})
        self.assertEqual(without.answers, self.power8.answers)
        self.assertEqual(Answers(run(static=True)).chosen["aes"], "power8")

    # clause: P8-DET-040
    def test_the_environment_hides_the_unit(self):
        forced = ",".join(f"{algorithm}:portable" for algorithm in self.power8.kernels)
        hidden = Answers(run(env={"INCORE_KERNEL": forced}))
        self.assertEqual(set(hidden.chosen.values()), {"portable"})
        self.assertEqual(hidden.answers, self.power8.answers)

    def test_a_forced_kernel_that_cannot_run_is_an_error(self):
        result = self.without_unit(env={"INCORE_KERNEL": "aes:power8"})
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("power8 of aes: unsupported", result.stderr)

    @unittest.skipUnless((BUILD / "incore").exists(), "the command line is not built here")
    def test_the_command_line_says_what_can_run(self):
        command = [*EMULATOR, BUILD / "incore", "hash"]
        env = {**os.environ, "INCORE_KERNEL": "sha256:power8"}
        if LITTLE_ENDIAN:
            command[1:1] = ["-E", f"LD_PRELOAD={PROGRAMS / 'libpower8_getauxval.so'}", "-E", "HIDE=crypto"]
        else:
            command[command.index("power8")] = "power7"
        result = subprocess.run(command, capture_output=True, text=True, check=False, input="", timeout=120, env=env)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "incore hash: INCORE_KERNEL: 'power8' cannot run on this CPU; for sha256 one of: "
                                        "portable\n")


class Probe(unittest.TestCase):
    # clause: P8-DET-025
    def test_it_finds_all_units_of_power8(self):
        self.assertEqual(run("probe").stdout, "5\n")

    # clause: P8-DET-025
    # clause: P8-DET-027
    @unittest.skipIf(LITTLE_ENDIAN, "no little-endian system runs on POWER7")
    def test_it_finds_vectors_and_vsx_on_power7(self):
        self.assertEqual(run("probe", cpu="power7").stdout, "2\n")

    # clause: P8-DET-031
    def test_it_runs_only_where_the_auxiliary_vector_gives_no_answer(self):
        def actions(result):
            return [line for line in result.stderr.splitlines() if "sigaction(SIGILL" in line]
        asked, unasked = run(strace=True, preload="word"), run(strace=True)
        self.assertEqual(actions(unasked), [])
        self.assertEqual(len(actions(asked)), 3, "what was there, ours, and what was there again")
        found = Answers(asked)
        self.assertIn("vcrypto", found.features)
        self.assertNotIn("arch_3_00", found.features)
        self.assertEqual(found.chosen["aes"], "power8")


if __name__ == "__main__":
    unittest.main()
