// What the workloads of AES share: input, tables and the forms in which programs want round
// keys.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "crypto/aes/aes_steps.h"
#include "vemicry/workloads/input.h"

namespace incore::vemicry {

inline constexpr unsigned kAes128Rounds = 10, kAes128KeyLen = 16;
inline constexpr unsigned kAes192KeyLen = 24, kAes256KeyLen = 32;

// A state or round key: byte 4 * c + r is that of row r and column c.
using AesBlock = std::array<uint8_t, kAesBlockLen>;

struct AesInput {
  std::vector<uint8_t> key;
  std::vector<uint8_t> blocks;
  AesRoundKeys round_keys;

  AesBlock round_key(unsigned round) const;
  // The blocks, encrypted.
  std::vector<uint8_t> encrypted() const;
};

// For seed 1 the first block and the key are those of FIPS 197, appendix C; all else is random.
AesInput aes_input(uint64_t seed, size_t num_blocks, size_t key_len = kAes128KeyLen);

// Row i turned |i * places| bytes to the right.
AesBlock skew(const AesBlock& block, unsigned places);
// Rows become columns.
AesBlock transpose(const AesBlock& block);

// How aes_encrypt.s wants the round keys; in all but the first all are skewed that are neither for
// the first round nor for the last. In rows: that of the last full round.
enum class KeyForm { plain, skewed, skewed_and_rows_at_the_end };
// The round keys, each |copies| times.
std::vector<uint8_t> stored_round_keys(const AesInput& input, KeyForm form, size_t copies);

// Maps the input's memory, and writes these there.
void write_blocks_and_keys(Run& run, const std::vector<uint8_t>& blocks,
                           const std::vector<uint8_t>& keys);

// Tables of 256 bytes at kTablesAddress, one behind the other.
enum class AesTable { sbox, times_2, times_4, inverse_sbox };
uint32_t write_table(Run& run, AesTable table);

}  // namespace incore::vemicry
