#include "tools/numbers/mont_model.h"

#include <algorithm>

namespace incore::tools {
namespace {

// By Newton's iteration: each step doubles the number of bits that are right, of which an odd
// number's own give three.
uint16_t negative_inverse(uint16_t odd) {
  uint32_t inverse = odd;
  for (int bits = 3; bits < 16; bits *= 2) inverse *= 2 - odd * inverse;
  return static_cast<uint16_t>(0 - inverse);
}

Bytes bytes(const std::vector<uint16_t>& words) {
  Bytes number;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    number.push_back(static_cast<uint8_t>(*word >> 8));
    number.push_back(static_cast<uint8_t>(*word));
  }
  return trimmed(number);
}

}  // namespace

MontModel::MontModel(const Bytes& modulus, size_t num_words)
    : num_words_(num_words), m_(words(modulus)), zero_prime_(negative_inverse(m_[0])) {}

MontModel::Words MontModel::words(const Bytes& number) const {
  const Bytes full = padded(number, 2 * num_words_);
  Words result(num_words_ + 2);
  for (size_t i = 0; i < num_words_; ++i)
    result[i] =
        static_cast<uint16_t>(full[full.size() - 2 * i - 2] << 8 | full[full.size() - 2 * i - 1]);
  return result;
}

bool MontModel::subtract_if_not_below(Words* inout_t) const {
  Words& t = *inout_t;
  if (std::lexicographical_compare(t.rbegin(), t.rend(), m_.rbegin(), m_.rend())) return false;
  uint32_t borrow = 0;
  for (size_t i = 0; i < t.size(); ++i) {
    const uint32_t difference = t[i] - m_[i] - borrow;
    t[i] = static_cast<uint16_t>(difference);
    borrow = difference >> 31;
  }
  return true;
}

MontModel::Product MontModel::multiply(const Bytes& a, const Bytes& b) const {
  const Words x = words(a), y = words(b);
  Words t(num_words_ + 2);
  size_t loop_words = num_words_;
  for (size_t i = 0; i < num_words_; ++i) {
    const uint64_t low = uint64_t{x[0]} * y[i] + t[0];
    const uint64_t u = static_cast<uint16_t>(low * zero_prime_);
    uint64_t sum = low + m_[0] * u;  // its low word is 0
    for (size_t j = 1; j < loop_words; ++j) {
      sum = uint64_t{x[j]} * y[i] + m_[j] * u + t[j] + (sum >> 16);
      t[j - 1] = static_cast<uint16_t>(sum);
    }
    t[loop_words - 1] = static_cast<uint16_t>(sum >> 16);
    t[loop_words] = static_cast<uint16_t>(sum >> 32);
    if (t[loop_words] != 0) ++loop_words;
  }
  Product product{{}, bytes(t), loop_words, subtract_if_not_below(&t)};
  product.value = bytes(t);
  return product;
}

Bytes MontModel::r_squared() const {
  Words t(num_words_ + 2);
  t[0] = 1;
  for (size_t i = 0; i < 2 * 16 * num_words_; ++i) {
    uint16_t carry = 0;
    for (uint16_t& word : t) {
      const uint16_t top = word >> 15;
      word = static_cast<uint16_t>(word << 1 | carry);
      carry = top;
    }
    subtract_if_not_below(&t);
  }
  return bytes(t);
}

}  // namespace incore::tools
