#include "assess/sp800_90b_iid/text_compression.h"

#include <bzlib.h>

namespace incore::assess::sp800_90b {

TextCompression::TextCompression(std::span<const uint8_t> alphabet) {
  for (const uint8_t value : alphabet) words_.push_back(std::to_string(value) + " ");
}

size_t TextCompression::compressed_len(std::span<const uint8_t> symbols) {
  text_.clear();
  for (const uint8_t symbol : symbols) text_ += words_[symbol];
  text_.pop_back();
  packed_.resize(text_.size() + text_.size() / 64 + 1024);
  auto len = static_cast<unsigned>(packed_.size());
  constexpr int kBlockSize = 5;  // of 100,000 bytes, as NIST's tool has it
  BZ2_bzBuffToBuffCompress(packed_.data(), &len, text_.data(), static_cast<unsigned>(text_.size()),
                           kBlockSize, 0, 0);
  return len;
}

}  // namespace incore::assess::sp800_90b
