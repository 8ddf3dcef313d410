// Workloads: GHASH of one block and of several.
#include "crypto/ghash/ghash_steps.h"

#include <algorithm>

#include "vemicry/workloads/ghash_input.h"

namespace incore::vemicry {
namespace {

using Block = GhashBlock;

// For seed 1 the subkey and the first block are those of test case 2 of McGrew and Viega's
// specification of GCM; all else is random.
struct Input {
  Block subkey;
  std::vector<uint8_t> blocks;
};

constexpr Block kSubkey = {0x66, 0xe9, 0x4b, 0xd4, 0xef, 0x8a, 0x2c, 0x3b,
                           0x88, 0x4c, 0xfa, 0x59, 0xca, 0x34, 0x2b, 0x2e};
constexpr Block kFirstBlock = {0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92,
                               0xf3, 0x28, 0xc2, 0xb9, 0x71, 0xb2, 0xfe, 0x78};

Input make_input(uint64_t seed, size_t num_blocks) {
  Input input;
  input.blocks = random_bytes(seed, kGhashBlockLen * num_blocks);
  const std::vector<uint8_t> subkey = random_bytes(~seed, kGhashBlockLen);
  std::copy(subkey.begin(), subkey.end(), input.subkey.begin());
  if (seed == 1) {
    input.subkey = kSubkey;
    std::copy(kFirstBlock.begin(), kFirstBlock.end(), input.blocks.begin());
  }
  return input;
}

template <uint32_t kNumBlocks>
uint64_t num_bytes(const Config&) {
  return kGhashBlockLen * kNumBlocks;
}

template <uint32_t kNumBlocks, bool kScalar>
void prepare(Run& run) {
  const Input input = make_input(run.seed, kNumBlocks);
  run.machine.memory().map(kInputAddress, kInputLen);
  const uint32_t state_address = kTablesAddress;
  run.write_bytes(kBlocksAddress, input.blocks.data(), input.blocks.size());
  if (kScalar)
    run.write_bytes(kKeysAddress, input.subkey.data(), input.subkey.size());
  else
    run.write_words(kKeysAddress, prepared_subkey(input.subkey));
  // The state is not zero: GHASH goes on from there.
  run.expected.assign(kGhashBlockLen, 0);
  if (run.seed != 1) run.expected = random_bytes(run.seed * 2 + 1, kGhashBlockLen);
  run.write_bytes(state_address, run.expected.data(), run.expected.size());
  ghash_steps::ghash(input.subkey.data(), run.expected.data(), input.blocks.data(), kNumBlocks);
  run.arguments = {state_address, kKeysAddress, kBlocksAddress, kNumBlocks};
}

std::string check(const Run& run) {
  return compare_bytes(run, kTablesAddress, run.expected);
}

template <uint32_t kNumBlocks>
constexpr Workload vector_workload(const char* name, const char* summary, const char* function) {
  return {name,
          summary,
          "ghash.s",
          function,
          ghash_refusal,
          num_bytes<kNumBlocks>,
          prepare<kNumBlocks, false>,
          check};
}

}  // namespace

const Workload ghash_block_workload =
    vector_workload<1>("ghash-block", "GHASH, one block", "ghash");
const Workload ghash_16_blocks_workload =
    vector_workload<16>("ghash-16-blocks", "GHASH, 16 blocks, one after the other", "ghash");
const Workload ghash_16_blocks_by_4_workload = vector_workload<16>(
    "ghash-16-blocks-by-4", "GHASH, 16 blocks, four reduced together", "ghash_4_blocks");
const Workload scalar_c_ghash_block_workload = {
    "scalar-c-ghash-block", "GHASH, one block, C compiled for MIPS-I",
    "scalar_c_ghash.elf",   "ghash",
    big_endian_refusal,     num_bytes<1>,
    prepare<1, true>,       check};

}  // namespace incore::vemicry
