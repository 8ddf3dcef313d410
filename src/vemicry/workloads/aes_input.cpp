#include "vemicry/workloads/aes_input.h"

#include <algorithm>

namespace incore::vemicry {

AesBlock AesInput::round_key(unsigned round) const {
  AesBlock block;
  std::copy_n(round_keys.bytes + kAesBlockLen * round, kAesBlockLen, block.begin());
  return block;
}

std::vector<uint8_t> AesInput::encrypted() const {
  std::vector<uint8_t> result(blocks.size());
  for (size_t i = 0; i < blocks.size(); i += kAesBlockLen)
    aes_steps::cipher(round_keys, &blocks[i], &result[i]);
  return result;
}

AesInput aes_input(uint64_t seed, size_t num_blocks, size_t key_len) {
  AesInput input;
  input.blocks = random_bytes(seed, kAesBlockLen * num_blocks);
  input.key = random_bytes(~seed, key_len);
  if (seed == 1) {
    for (uint8_t i = 0; i < key_len; ++i) input.key[i] = i;
    for (uint8_t i = 0; i < kAesBlockLen; ++i) input.blocks[i] = static_cast<uint8_t>(0x11 * i);
  }
  aes_steps::key_expansion(input.key.data(), key_len, static_cast<unsigned>(key_len / 4 + 6),
                           &input.round_keys);
  return input;
}

AesBlock skew(const AesBlock& block, unsigned places) {
  AesBlock result;
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned column = 0; column < 4; ++column)
      result[4 * ((column + row * places) % 4) + row] = block[4 * column + row];
  return result;
}

AesBlock transpose(const AesBlock& block) {
  AesBlock result;
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned column = 0; column < 4; ++column)
      result[4 * row + column] = block[4 * column + row];
  return result;
}

std::vector<uint8_t> stored_round_keys(const AesInput& input, KeyForm form, size_t copies) {
  std::vector<uint8_t> stored;
  const unsigned rounds = input.round_keys.rounds;
  for (unsigned round = 0; round <= rounds; ++round) {
    const bool skewed = form != KeyForm::plain && round != rounds;
    AesBlock key = skew(input.round_key(round), skewed ? round : 0);
    if (form == KeyForm::skewed_and_rows_at_the_end && round == rounds - 1) key = transpose(key);
    for (size_t i = 0; i < copies; ++i) stored.insert(stored.end(), key.begin(), key.end());
  }
  return stored;
}

void write_blocks_and_keys(Run& run, const std::vector<uint8_t>& blocks,
                           const std::vector<uint8_t>& keys) {
  run.machine.memory().map(kInputAddress, kInputLen);
  run.write_bytes(kBlocksAddress, blocks.data(), blocks.size());
  run.write_bytes(kKeysAddress, keys.data(), keys.size());
}

uint32_t write_table(Run& run, AesTable table) {
  uint8_t bytes[256];
  for (unsigned b = 0; b < 256; ++b) {
    const uint8_t byte = static_cast<uint8_t>(b);
    switch (table) {
      case AesTable::sbox:
        bytes[b] = aes_steps::kTables.sbox[b];
        break;
      case AesTable::inverse_sbox:
        bytes[b] = aes_steps::kTables.inv_sbox[b];
        break;
      case AesTable::times_2:
        bytes[b] = aes_steps::multiply(byte, 2);
        break;
      case AesTable::times_4:
        bytes[b] = aes_steps::multiply(byte, 4);
        break;
    }
  }
  const uint32_t address = kTablesAddress + 256 * static_cast<uint32_t>(table);
  run.write_bytes(address, bytes, sizeof bytes);
  return address;
}

}  // namespace incore::vemicry
