// Workloads: AES-128 decryption of one block and of a register full of them.
#include "vemicry/workloads/aes_input.h"

namespace incore::vemicry {
namespace {

// |kNumBlocks| 0: a block for each four words.
template <uint32_t kNumBlocks>
uint32_t num_blocks(const Config& config) {
  return kNumBlocks != 0 ? kNumBlocks : config.length() / 4;
}

std::string refusal(const Config& config) {
  return words_refusal(config, 4);
}

template <uint32_t kNumBlocks>
uint64_t num_bytes(const Config& config) {
  return kAesBlockLen * num_blocks<kNumBlocks>(config);
}

template <uint32_t kNumBlocks>
void prepare(Run& run) {
  const uint32_t blocks = num_blocks<kNumBlocks>(run.machine.state().config);
  const AesInput input = aes_input(run.seed, blocks);
  write_blocks_and_keys(run, input.encrypted(), stored_round_keys(input, KeyForm::skewed, blocks));
  const uint32_t times_2 = write_table(run, AesTable::times_2);
  write_table(run, AesTable::times_4);  // right behind
  run.arguments = {kBlocksAddress, kKeysAddress, write_table(run, AesTable::inverse_sbox), times_2};
  run.expected = input.blocks;
}

std::string check(const Run& run) {
  return compare_bytes(run, kBlocksAddress, run.expected);
}

}  // namespace

const Workload aes128_decrypt_16_workload = {"aes128-decrypt-16",
                                             "AES-128 decryption, one block, skewed columns",
                                             "aes128_decrypt.s",
                                             "aes128_decrypt_16",
                                             refusal,
                                             num_bytes<1>,
                                             prepare<1>,
                                             check,
                                             RoundKeys::takes};
const Workload aes128_decrypt_wide_workload = {
    "aes128-decrypt-wide",
    "AES-128 decryption, a block for each four words of a register",
    "aes128_decrypt.s",
    "aes128_decrypt_wide",
    refusal,
    num_bytes<0>,
    prepare<0>,
    check,
    RoundKeys::takes};

}  // namespace incore::vemicry
