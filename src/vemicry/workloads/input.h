// What the workloads of symmetric ciphers and hashes share: where their data lie, and input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "vemicry/workload.h"

namespace incore::vemicry {

// Clear of what programs bring with them.
inline constexpr uint32_t kInputAddress = kDataAddress + 0x100000;
inline constexpr uint32_t kBlocksAddress = kInputAddress;  // up to 4 KiB
inline constexpr uint32_t kKeysAddress = kInputAddress + 0x2000, kMaxKeysLen = 0x4000;
inline constexpr uint32_t kTablesAddress = kInputAddress + 0x10000;  // tables of 256 bytes
inline constexpr uint32_t kInputLen = 0x20000;

// Bytes that depend on |seed| alone.
inline std::vector<uint8_t> random_bytes(uint64_t seed, size_t len) {
  std::mt19937_64 generator(seed);
  std::vector<uint8_t> bytes(len);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(generator() >> 56);
  return bytes;
}

// Compares |expected.size()| bytes at |address|. Empty if they are equal.
inline std::string compare_bytes(const Run& run, uint32_t address,
                                 const std::vector<uint8_t>& expected) {
  const std::vector<uint8_t> found = run.read_bytes(address, expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i] != expected[i]) return "byte " + std::to_string(i) + " of the result is wrong";
  return "";
}

// What every program here asks for.
inline std::string big_endian_refusal(const Config& config) {
  return config.little_endian ? "it is written for big-endian machines" : "";
}
// For programs that use a loaded word in the next instruction.
inline std::string no_delay_refusal(const Config& config) {
  return config.load_delay ? "it uses a loaded word in the next instruction" : "";
}
// For programs that need |num_words| words of a register, or any multiple of four for 0.
inline std::string words_refusal(const Config& config, uint32_t num_words) {
  if (config.length() % 4 != 0) return "the vector length must be a multiple of 4";
  if (config.length() < num_words)
    return "the vector length must be at least " + std::to_string(num_words);
  return big_endian_refusal(config);
}

}  // namespace incore::vemicry
