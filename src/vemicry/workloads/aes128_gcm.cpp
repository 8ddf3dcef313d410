// Workload: AES-128-GCM encryption of a message: aes128_gcm.s, with aes_encrypt.s and ghash.s.
#include "vemicry/workloads/aes_input.h"
#include "vemicry/workloads/ghash_input.h"

namespace incore::vemicry {
namespace {

constexpr uint32_t kMessageLen = 256, kIvLen = 12;
constexpr uint32_t kSubkeyAddress = kTablesAddress + 0x1000, kWorkAddress = kSubkeyAddress + 0x1000,
                   kTagAddress = kWorkAddress + kIvLen;

std::string refusal(const Config& config) {
  const uint32_t length = config.length();
  if (length != 8 && length != 16 && length != 32) return "the vector length must be 8, 16 or 32";
  return ghash_refusal(config);
}

uint64_t num_bytes(const Config&) {
  return kMessageLen;
}

AesBlock encrypted(const AesInput& input, const AesBlock& block) {
  AesBlock result;
  aes_steps::cipher(input.round_keys, block.data(), result.data());
  return result;
}

AesBlock counter_block(const std::vector<uint8_t>& iv, uint32_t counter) {
  AesBlock block;
  std::copy(iv.begin(), iv.end(), block.begin());
  store_be32(&block[kIvLen], counter);
  return block;
}

// The message encrypted, behind it the tag.
std::vector<uint8_t> expected_result(const AesInput& input, const std::vector<uint8_t>& iv) {
  std::vector<uint8_t> result = input.blocks;
  for (size_t i = 0; i < result.size(); ++i)
    result[i] ^= encrypted(
        input, counter_block(iv, static_cast<uint32_t>(i / kAesBlockLen + 2)))[i % kAesBlockLen];
  const AesBlock subkey = encrypted(input, AesBlock{});
  AesBlock lengths = {}, tag = {};
  store_be32(&lengths[kIvLen], static_cast<uint32_t>(8 * result.size()));
  ghash_steps::ghash(subkey.data(), tag.data(), result.data(), result.size() / kAesBlockLen);
  ghash_steps::ghash(subkey.data(), tag.data(), lengths.data(), 1);
  const AesBlock mask = encrypted(input, counter_block(iv, 1));
  for (size_t i = 0; i < tag.size(); ++i) result.push_back(tag[i] ^ mask[i]);
  return result;
}

void prepare(Run& run) {
  const AesInput input = aes_input(run.seed, kMessageLen / kAesBlockLen);
  const std::vector<uint8_t> iv = random_bytes(run.seed * 2 + 1, kIvLen);
  write_blocks_and_keys(run, input.blocks,
                        stored_round_keys(input, KeyForm::skewed_and_rows_at_the_end,
                                          run.machine.state().config.length() / 4));
  const uint32_t sbox = write_table(run, AesTable::sbox);
  write_table(run, AesTable::times_2);  // right behind
  run.write_words(kSubkeyAddress, prepared_subkey(encrypted(input, AesBlock{})));
  run.write_bytes(kWorkAddress, iv.data(), iv.size());
  run.arguments = {kBlocksAddress, kKeysAddress, sbox,
                   kSubkeyAddress, kWorkAddress, kMessageLen / kAesBlockLen};
  run.expected = expected_result(input, iv);
}

std::string check(const Run& run) {
  std::string text =
      compare_bytes(run, kBlocksAddress, {run.expected.begin(), run.expected.end() - kAesBlockLen});
  return text.empty() ? compare_bytes(run, kTagAddress,
                                      {run.expected.end() - kAesBlockLen, run.expected.end()})
                      : text;
}

}  // namespace

const Workload aes128_gcm_256_workload = {"aes128-gcm-256",
                                          "AES-128-GCM, encryption of 256 bytes, and the tag",
                                          "aes128_gcm.s aes_encrypt.s ghash.s",
                                          "aes128_gcm",
                                          refusal,
                                          num_bytes,
                                          prepare,
                                          check};

}  // namespace incore::vemicry
