#include "assess/sp800_90b_samples.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "assess/generators.h"

namespace incore::test {
namespace {

using Sample = std::vector<uint8_t>;

// |len| symbols, each made by |next|(source, index).
template <class Next>
Sample made(uint64_t seed, size_t len, Next next) {
  GoodSource source(seed);
  Sample sample(len);
  for (size_t i = 0; i < len; ++i) sample[i] = static_cast<uint8_t>(next(source, i));
  return sample;
}

template <unsigned kWidth, size_t kLen>
Sample random() {
  return made(kWidth, kLen, [](GoodSource& source, size_t) { return source.below(1u << kWidth); });
}

Sample biased_bits() {
  return made(11, 50'000, [](GoodSource& source, size_t) { return source.chance(0.9); });
}

Sample sticky_bits() {
  bool bit = false;
  return made(12, 50'000, [bit](GoodSource& source, size_t) mutable {
    return bit = source.chance(0.85) ? bit : !bit;
  });
}

Sample periodic_bits() {
  return made(13, 50'000, [](GoodSource&, size_t i) { return 0b0010110 >> i % 7 & 1; });
}

Sample normal() {
  return made(14, 30'000, [](GoodSource& source, size_t) {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += source.uniform();
    return std::lround(128 + 20 * (sum - 6));
  });
}

Sample counter() {
  return made(15, 20'000, [](GoodSource&, size_t i) { return i; });
}

Sample wide_counter() {
  return made(16, 20'000, [](GoodSource&, size_t i) { return i % 2 == 0 ? i >> 9 : i >> 1; });
}

Sample congruential_low_bits() {
  uint32_t state = 1;
  return made(17, 20'000, [state](GoodSource&, size_t) mutable {
    return state = state * 1'103'515'245 + 12'345;
  });
}

Sample text() {
  constexpr const char* kWords[] = {"entropy ", "of ",   "a ",      "source, ", "noise ",
                                    "that ",    "bits ", "random ", "is ",      "the "};
  GoodSource source(18);
  std::string written;
  while (written.size() < 40'000) written += kWords[source.below(std::size(kWords))];
  return {written.begin(), written.end()};
}

Sample repeated_block() {
  const Sample block = random<8, 1000>();
  return made(19, 20'000, [&](GoodSource&, size_t i) { return block[i % block.size()]; });
}

Sample two_values() {
  return made(20, 20'000, [](GoodSource& source, size_t) { return source.chance(0.5) ? 3 : 200; });
}

Sample sparse() {
  return made(21, 20'000, [](GoodSource& source, size_t) { return 3 * source.below(21); });
}

Sample walk() {
  uint64_t place = 0;
  return made(22, 30'000, [place](GoodSource& source, size_t) mutable {
    return place = (place + source.below(3)) % 16;
  });
}

Sample mostly_one_value() {
  return made(23, 30'000, [](GoodSource& source, size_t) {
    return source.chance(0.8) ? 0 : source.below(256);
  });
}

// Parts come again: of the first, LZ78Y's dictionary holds the beginning when it is full; of the
// second, those of MultiMMC.
Sample remembered_in_part() {
  Sample sample = made(24, 110'000, [](GoodSource& source, size_t) { return source.below(256); });
  const Sample once = sample;
  sample.insert(sample.end(), once.begin() + 3'000, once.begin() + 6'000);
  sample.insert(sample.end(), once.begin() + 95'000, once.begin() + 105'000);
  return sample;
}

constexpr NamedSample kSamples[] = {
    {"random_1", random<1, 400'000>},  // the longest contexts of MultiMMC fill their dictionary
    {"random_2", random<2, 60'000>},
    {"random_3", random<3, 20'000>},
    {"random_4", random<4, 20'000>},
    {"random_5", random<5, 20'000>},
    {"random_6", random<6, 20'000>},
    {"random_7", random<7, 20'000>},
    {"random_8", random<8, 150'000>},  // and here most
    {"biased_bits", biased_bits},
    {"sticky_bits", sticky_bits},
    {"periodic_bits", periodic_bits},
    {"normal", normal},
    {"counter", counter},
    {"wide_counter", wide_counter},
    {"congruential_low_bits", congruential_low_bits},
    {"text", text},
    {"repeated_block", repeated_block},
    {"two_values", two_values},
    {"sparse", sparse},
    {"walk", walk},
    {"mostly_one_value", mostly_one_value},
    {"remembered_in_part", remembered_in_part},
    {"random_1_of_100", random<1, 100>},
    {"random_1_of_6012", random<1, 6012>},
    {"random_3_of_300", random<3, 300>},
    {"random_8_of_100", random<8, 100>},
    {"random_8_of_1000", random<8, 1000>},
    {"random_8_of_4096", random<8, 4096>},
};

}  // namespace

std::span<const NamedSample> sp800_90b_samples() {
  return kSamples;
}

std::vector<uint8_t> pi_sample(std::span<const char> digits) {
  constexpr size_t kFirst = 24, kLine = 25;
  std::vector<uint8_t> sample;
  for (size_t begin = 0; begin < digits.size();) {
    const size_t len = std::min(begin == 0 ? kFirst : kLine, digits.size() - begin);
    sample.insert(sample.end(), 3, 1);
    for (const char digit : digits.subspan(begin, len)) sample.push_back(digit != '0');
    sample.push_back(1);
    begin += len;
  }
  return sample;
}

}  // namespace incore::test
