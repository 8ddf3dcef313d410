#include "assess/stream/stretches.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "assess/stream/bits.h"

namespace incore::assess {
namespace {

constexpr uint64_t kLowBits = 0x0101010101010101;
constexpr size_t kMostWords = 255;  // so that eight counts fit in a word

uint64_t sum_of_bytes(uint64_t word) {
  uint64_t sum = 0;
  for (; word != 0; word >>= 8) sum += word & 255;
  return sum;
}

INCORE_ALSO_AVX2 void add_ones(std::array<uint64_t, 8>& ones, const uint8_t* data, size_t len) {
  size_t i = 0;
  while (i + 8 <= len) {
    const size_t num_words = std::min((len - i) / 8, kMostWords);
    for (unsigned bit = 0; bit < 8; ++bit) {
      uint64_t counts = 0;
      for (size_t k = 0; k < num_words; ++k) {
        uint64_t word;
        std::memcpy(&word, data + i + 8 * k, 8);
        counts += word >> bit & kLowBits;
      }
      ones[bit] += sum_of_bytes(counts);
    }
    i += 8 * num_words;
  }
  for (; i < len; ++i)
    for (unsigned bit = 0; bit < 8; ++bit) ones[bit] += data[i] >> bit & 1u;
}

}  // namespace

uint64_t Stretch::all_ones() const {
  return std::accumulate(ones.begin(), ones.end(), uint64_t{0});
}

void Stretch::add(const Stretch& other) {
  len += other.len;
  for (unsigned bit = 0; bit < 8; ++bit) ones[bit] += other.ones[bit];
}

void Stretches::update(std::span<const uint8_t> data) {
  while (!data.empty()) {
    if (stretches_.empty() || stretches_.back().len == stretch_len_) {
      if (stretches_.size() == kMost) {
        for (size_t i = 0; i < kMost / 2; ++i) {
          Stretch both = stretches_[2 * i];
          both.add(stretches_[2 * i + 1]);
          stretches_[i] = both;
        }
        stretches_.resize(kMost / 2);
        stretch_len_ *= 2;
      }
      stretches_.emplace_back();
    }
    Stretch& last = stretches_.back();
    const size_t taken = std::min<uint64_t>(data.size(), stretch_len_ - last.len);
    add_ones(last.ones, data.data(), taken);
    last.len += taken;
    data = data.subspan(taken);
  }
}

Stretch Stretches::sum() const {
  Stretch sum;
  for (const Stretch& stretch : stretches_) sum.add(stretch);
  return sum;
}

}  // namespace incore::assess
