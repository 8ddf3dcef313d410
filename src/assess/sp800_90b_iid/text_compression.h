// The compression statistic (SP 800-90B, section 5.1.11): the length of what bzip2 makes of the
// sample, written as decimal numbers with spaces between.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace incore::assess::sp800_90b {

class TextCompression {
 public:
  // Symbols are indices into |alphabet|.
  explicit TextCompression(std::span<const uint8_t> alphabet);
  size_t compressed_len(std::span<const uint8_t> symbols);

 private:
  std::vector<std::string> words_;  // of each symbol, with a space
  std::string text_;
  std::vector<char> packed_;
};

}  // namespace incore::assess::sp800_90b
