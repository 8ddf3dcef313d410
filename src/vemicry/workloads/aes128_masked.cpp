// Workload: AES-128 encryption with masked values.
#include "vemicry/workloads/aes_input.h"

namespace incore::vemicry {
namespace {

std::string refusal(const Config& config) {
  const uint32_t length = config.length();
  if (length < 4 || length > 32 || (length & (length - 1)) != 0)
    return "the vector length must be 4, 8, 16 or 32";
  if (config.banked) return "it makes its table while it runs, banks are filled before";
  return big_endian_refusal(config);
}

uint64_t num_bytes(const Config&) {
  return kAesBlockLen;
}

void prepare(Run& run) {
  const AesInput input = aes_input(run.seed, 1);
  const std::vector<uint8_t> keys = stored_round_keys(input, KeyForm::skewed, 1),
                             masks = random_bytes(run.seed * 2 + 1, 6);
  run.machine.memory().map(kInputAddress, kInputLen);
  run.write_bytes(kBlocksAddress, input.blocks.data(), input.blocks.size());
  run.write_bytes(kKeysAddress, keys.data(), keys.size());
  const uint8_t words[] = {masks[0], masks[0], masks[0], masks[0], masks[1], masks[1],
                           masks[1], masks[1], masks[2], masks[3], masks[4], masks[5]};
  const uint32_t work = kTablesAddress + 0x1000;
  run.write_bytes(work, words, sizeof words);
  run.arguments = {kBlocksAddress, kKeysAddress, write_table(run, AesTable::sbox), work};
  run.expected = input.encrypted();
}

std::string check(const Run& run) {
  return compare_bytes(run, kBlocksAddress, run.expected);
}

}  // namespace

const Workload aes128_encrypt_masked_workload = {
    "aes128-encrypt-masked",
    "AES-128, one block, values masked by random bytes",
    "aes128_masked.s",
    "aes128_encrypt_masked",
    refusal,
    num_bytes,
    prepare,
    check,
    RoundKeys::takes};

}  // namespace incore::vemicry
