// Workloads: AES decryption of one block and of a register full of them.
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

template <uint32_t kNumBlocks, uint32_t kKeyLen>
void prepare(Run& run) {
  const uint32_t blocks = num_blocks<kNumBlocks>(run.machine.state().config);
  const AesInput input = aes_input(run.seed, blocks, kKeyLen);
  write_blocks_and_keys(run, input.encrypted(), stored_round_keys(input, KeyForm::skewed, blocks));
  const uint32_t times_2 = write_table(run, AesTable::times_2);
  write_table(run, AesTable::times_4);  // right behind
  run.arguments = {kBlocksAddress, kKeysAddress, write_table(run, AesTable::inverse_sbox), times_2};
  run.expected = input.blocks;
}

std::string check(const Run& run) {
  return compare_bytes(run, kBlocksAddress, run.expected);
}

template <uint32_t kNumBlocks, uint32_t kKeyLen>
constexpr Workload workload(const char* name, const char* summary, const char* function) {
  return {name,
          summary,
          "aes_decrypt.s",
          function,
          refusal,
          num_bytes<kNumBlocks>,
          prepare<kNumBlocks, kKeyLen>,
          check,
          RoundKeys::takes};
}

}  // namespace

#define DECRYPTIONS(bits)                                                               \
  const Workload aes##bits##_decrypt_16_workload = workload<1, kAes##bits##KeyLen>(     \
      "aes" #bits "-decrypt-16", "AES-" #bits " decryption, one block, skewed columns", \
      "aes" #bits "_decrypt_16");                                                       \
  const Workload aes##bits##_decrypt_wide_workload = workload<0, kAes##bits##KeyLen>(   \
      "aes" #bits "-decrypt-wide",                                                      \
      "AES-" #bits " decryption, a block for each four words of a register",            \
      "aes" #bits "_decrypt_wide");
DECRYPTIONS(128)
DECRYPTIONS(192)
DECRYPTIONS(256)

}  // namespace incore::vemicry
