// The compression statistic (SP 800-90B, section 5.1.11): the length of what bzip2 makes of the
// sample, written as decimal numbers with a space between each two.
//
// Only the length is wanted, of thousands of such texts, so it is found without bzip2. Numbers end
// with a space, so none begins another, and the rotations of a block sort by whole numbers; that is
// a text of a third of the length. Where a rotation begins within a number, what is left of that
// number sorts it first, and the rotation after it then. No more than three equal characters follow
// each other, so bzip2's first coding of runs changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assess/sp800_90b_iid/bzip2_coding.h"
#include "assess/sp800_90b_iid/rotations.h"

namespace incore::assess::sp800_90b {

class TextCompression {
 public:
  // Symbols are indices into |alphabet|.
  explicit TextCompression(std::span<const uint8_t> alphabet);
  // |symbols| is not empty.
  size_t compressed_len(std::span<const uint8_t> symbols);

 private:
  // A part of the text: the numbers from |begin| on, without the first |skip| characters of the
  // first, up to |end|, and |more| characters of the number there.
  struct Block {
    size_t begin, skip, end, more, len;
    bool last;
  };
  Block next_block(std::span<const uint8_t> symbols, size_t begin, size_t skip) const;
  uint64_t block_bits(std::span<const uint8_t> symbols, const Block& block);
  // The last column of the sorted rotations, into transformed_.
  void transform(std::span<const uint8_t> symbols, const Block& block);
  void transform_short(std::span<const uint8_t> symbols, const Block& block);
  std::string text_of(std::span<const uint8_t> symbols, const Block& block) const;

  std::vector<std::string> words_;  // each symbol's number, with a space
  Rotations rotations_;
  Bzip2Coding coding_;
  std::vector<uint16_t> ranks_;
  std::vector<uint8_t> transformed_;
};

}  // namespace incore::assess::sp800_90b
