// How long bzip2 (1.0) makes a block after its Burrows-Wheeler transform: moving to the front, runs
// of zeros, and up to six Huffman codes that take turns. Only lengths are found; nothing is
// written. For texts of few characters: each has its place in a nibble.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace incore::assess::sp800_90b {

class Bzip2Coding {
 public:
  static constexpr unsigned kMostCharacters = 12;

  // The length of the block in bits, without its header and list of characters. |transformed| is
  // not empty, and holds characters that are numbered from 0 to |num_characters| - 1.
  uint64_t block_bits(std::span<const uint8_t> transformed, unsigned num_characters);

 private:
  static constexpr unsigned kMostSymbols = 16, kMostTables = 6, kGroupLen = 50;
  // By symbol, then by table, so that a group's costs in all tables are summed at once.
  using Lengths = std::array<std::array<uint16_t, 8>, kMostSymbols>;
  using Counts = std::array<uint32_t, kMostSymbols>;

  void move_to_front(std::span<const uint8_t> transformed, unsigned num_characters);
  void first_lengths(Lengths& out) const;
  // Gives each group its cheapest table, and counts each table's symbols.
  void choose_tables(const Lengths& lengths, std::array<Counts, kMostTables>& out_counts);
  uint64_t selector_bits() const;

  unsigned num_symbols_ = 0, num_tables_ = 0;
  uint32_t num_coded_ = 0;
  std::vector<std::array<uint8_t, kMostSymbols>> groups_;  // how often each symbol occurs
  std::vector<uint8_t> selectors_;
};

}  // namespace incore::assess::sp800_90b
