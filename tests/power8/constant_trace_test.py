#!/usr/bin/env python3
"""Kernels that claim to be constant-time execute the same instructions and touch the same addresses, whatever key and data
are: compared are the count, and hashes of the addresses of all instructions and of all loads and stores, over passes with
random keys and data. The public lengths, IVs and buffers are the same in all passes.
"""
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "power8"))

import traces  # noqa: E402

NUM_INPUTS = {"power8": 1000, "assembly": 1000, "portable": 25}
NUM_BYTES = {"gf2": 144, "sha": 384, "aes": 400}  # AES: whole batches and what is left


def length_of(operation):
    return next((length for name, length in NUM_BYTES.items() if operation.startswith(name)), 400)


class ConstantTrace(unittest.TestCase):
    def different_passes(self, operation, kernel, num_inputs):
        return set(build.passes(operation, kernel, length_of(operation), num_inputs))

    def check(self, operations):
        """Every kernel of the operations whose names begin so."""
        chosen = [(operation, kernel) for operation, _, kernel in build.kernels() if operation.startswith(operations)]
        self.assertIn("power8", {kernel for _, kernel in chosen})
        for operation, kernel in chosen:
            with self.subTest(operation=operation, kernel=kernel):
                self.assertEqual(len(self.different_passes(operation, kernel, NUM_INPUTS[kernel])), 1)

    # clause: P8-AES-034
    def test_aes_does_not_depend_on_key_or_data(self):
        self.check("aes")

    def test_sha2_does_not_depend_on_data(self):
        self.check(("sha256", "sha512"))

    def test_ghash_does_not_depend_on_key_or_data(self):
        self.check("ghash")

    def test_gf2_does_not_depend_on_operands(self):
        self.check("gf2")

    def test_a_kernel_of_table_lookups_is_found_out(self):
        """CRC-32's portable kernel, which makes no such claim: the same branches, other addresses."""
        passes = self.different_passes("crc32", "portable", 5)
        self.assertEqual(len({p.code for p in passes}), 1)
        self.assertEqual(len({p.data for p in passes}), 5)

    def test_other_lengths_are_other_passes(self):
        first, second = (build.passes("sha256", "portable", length)[0] for length in (64, 128))
        self.assertLess(first.instructions, second.instructions)
        self.assertNotEqual((first.code, first.data), (second.code, second.data))


if __name__ == "__main__":
    build = traces.Build(os.environ.get("POWER8_BUILD", ROOT / "build" / "ppc64le"))
    unittest.main()
