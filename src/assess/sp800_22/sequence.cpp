#include "assess/sp800_22/sequence.h"

namespace incore::assess::sp800_22 {

Sequence::Sequence(std::span<const uint8_t> bytes, size_t first, size_t num_bits)
    : n_(num_bits), words_((num_bits + 63) / 64 + 2) {
  const size_t skip = first / 8;
  const unsigned shift = first % 8;
  for (size_t i = 0; i < (num_bits + 7) / 8; ++i) {
    unsigned byte = bytes[skip + i];
    if (shift != 0) {
      const unsigned next = skip + i + 1 < bytes.size() ? bytes[skip + i + 1] : 0;
      byte = (byte << 8 | next) >> (8 - shift) & 0xff;
    }
    words_[i / 8] |= uint64_t{byte} << (56 - i % 8 * 8);
  }
  clear_behind_end();
}

Sequence::Sequence(std::string_view digits) : n_(digits.size()), words_((n_ + 63) / 64 + 2) {
  for (size_t i = 0; i < n_; ++i) words_[i / 64] |= uint64_t{digits[i] == '1'} << (63 - i % 64);
}

void Sequence::clear_behind_end() {
  if (n_ % 64 != 0) words_[n_ / 64] &= ~(~uint64_t{0} >> n_ % 64);
}

}  // namespace incore::assess::sp800_22
