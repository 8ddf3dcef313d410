#include "assess/generators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>

#include "incore/aes.h"

namespace incore::test {
namespace {

constexpr size_t kChunk = size_t{1} << 16;

// Chunk |chunk| of the good stream.
Bytes good_chunk(uint64_t seed, uint64_t chunk, size_t len) {
  std::array<uint8_t, 32> key_bytes{};
  std::memcpy(key_bytes.data(), &seed, sizeof seed);
  incore_aes_key key;
  std::array<uint8_t, 16> iv{};
  std::memcpy(iv.data(), &chunk, sizeof chunk);
  Bytes out(len);
  if (incore_aes_key_set(&key, key_bytes.data(), key_bytes.size()) != INCORE_OK ||
      incore_aes_crypt(&key, INCORE_AES_CTR64, iv.data(), out.data(), len, out.data()) != INCORE_OK)
    std::abort();
  return out;
}

// |len| bytes made of the bits that |next| gives, the first on top.
template <class Next>
Bytes of_bits(size_t len, Next next) {
  Bytes out(len);
  for (uint8_t& byte : out)
    for (int bit = 7; bit >= 0; --bit) byte = static_cast<uint8_t>(byte | next() << bit);
  return out;
}

template <class Next>
Bytes of_bytes(size_t len, Next next) {
  Bytes out(len);
  for (uint8_t& byte : out) byte = static_cast<uint8_t>(next());
  return out;
}

// |len| bytes made of the low |word_len| bytes of what |next| gives.
template <class Next>
Bytes of_words(size_t len, unsigned word_len, bool big_endian, Next next) {
  Bytes out(len);
  for (size_t at = 0; at < len; at += word_len) {
    const auto word = static_cast<uint64_t>(next());
    for (unsigned i = 0; i < word_len && at + i < len; ++i)
      out[at + i] = static_cast<uint8_t>(word >> 8 * (big_endian ? word_len - 1 - i : i));
  }
  return out;
}

template <unsigned kWordLen, bool kBigEndian>
Bytes counter(uint64_t seed, size_t len) {
  return of_words(len, kWordLen, kBigEndian, [&] { return seed++; });
}

Bytes biased(uint64_t seed, size_t len, double p) {
  GoodSource good(seed);
  return of_bits(len, [&] { return good.chance(p); });
}

// Bits of which each equals the last with probability (1 + correlation) / 2.
class Markov {
 public:
  Markov(uint64_t seed, double correlation) : good_(seed), same_((1 + correlation) / 2) {}
  bool operator()() { return last_ = good_.chance(same_) ? last_ : !last_; }

 private:
  GoodSource good_;
  double same_;
  bool last_ = false;
};

// Bits whose chance to be 1 swings by |amplitude| round a half.
Bytes swinging(uint64_t seed, size_t len, double amplitude, double period_bits) {
  GoodSource good(seed);
  double t = 0;
  return of_bits(len, [&] {
    return good.chance(0.5 + amplitude * std::sin(2 * std::numbers::pi * t++ / period_bits));
  });
}

template <size_t kBlock>
Bytes repeated(uint64_t seed, size_t len) {
  const Bytes block = good_bytes(seed, kBlock);
  size_t at = 0;
  return of_bytes(len, [&] { return block[at++ % kBlock]; });
}

Bytes file_start(const std::string& path, size_t len) {
  std::ifstream file(path, std::ios::binary);
  Bytes out(len);
  file.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(len));
  out.resize(static_cast<size_t>(file.gcount()));
  return out;
}

constexpr size_t kKiB = 1024, kMiB = kKiB * kKiB;

const BadGenerator kBad[] = {
    {"all zero", "fips140", 64 * kKiB, [](uint64_t, size_t len) { return Bytes(len); }},
    {"alternating bits", "runs", 64 * kKiB, [](uint64_t, size_t len) { return Bytes(len, 0x55); }},
    {"one bit of each byte stuck", "bytes", 64 * kKiB,
     [](uint64_t seed, size_t len) {
       Bytes out = good_bytes(seed, len);
       for (uint8_t& byte : out) byte |= 0x08;
       return out;
     }},
    {"bits 1 with probability 0.55", "fips140", 64 * kKiB,
     [](uint64_t seed, size_t len) { return biased(seed, len, 0.55); }},
    {"bits 1 with probability 0.51", "bytes", kMiB,
     [](uint64_t seed, size_t len) { return biased(seed, len, 0.51); }},
    {"one byte of 100 is 0x55", "bytes", kMiB,
     [](uint64_t seed, size_t len) {
       GoodSource good(seed);
       return of_bytes(len, [&] { return good.chance(0.01) ? 0x55 : good.below(256); });
     }},
    {"never 0xFF", "bytes", kMiB,
     [](uint64_t seed, size_t len) {
       GoodSource good(seed);
       return of_bytes(len, [&] { return good.below(255); });
     }},
    {"counter of 8 bits", "bytes", 64 * kKiB, counter<1, false>},
    {"counter of 16 bits, little-endian", "bytes", 64 * kKiB, counter<2, false>},
    {"counter of 16 bits, big-endian", "bytes", 64 * kKiB, counter<2, true>},
    {"counter of 32 bits, little-endian", "bytes", 64 * kKiB, counter<4, false>},
    {"counter of 32 bits, big-endian", "bytes", 64 * kKiB, counter<4, true>},
    {"counter of 64 bits, little-endian", "correlation", 64 * kKiB, counter<8, false>},
    {"counter of 64 bits, big-endian", "sp800-22", 64 * kKiB, counter<8, true>},
    {"block of 64 bytes repeated", "repeats", 64 * kKiB, repeated<64>},
    {"block of 1 KiB repeated", "repeats", 64 * kKiB, repeated<kKiB>},
    {"block of 64 KiB repeated", "repeats", 4 * kMiB, repeated<64 * kKiB>},
    {"block of 1 MiB repeated", "repeats", 4 * kMiB, repeated<kMiB>},
    {"low byte of C's example of rand", "correlation", 64 * kKiB,
     [](uint64_t seed, size_t len) {
       auto x = static_cast<uint32_t>(seed);
       return of_bytes(len, [&] { return x = x * 1103515245 + 12345; });
     }},
    {"C's example of rand, 15 bits in two bytes", "bytes", kMiB,
     [](uint64_t seed, size_t len) {
       auto x = static_cast<uint32_t>(seed);
       return of_words(len, 2, false, [&] {
         x = x * 1103515245 + 12345;
         return x >> 16 & 0x7fff;
       });
     }},
    {"C's example of rand, bits 16 to 23", "bitmap", kMiB,
     [](uint64_t seed, size_t len) {
       auto x = static_cast<uint32_t>(seed);
       return of_bytes(len, [&] { return (x = x * 1103515245 + 12345) >> 16; });
     }},
    {"RANDU, words of 31 bits", "spectrum", kMiB,
     [](uint64_t seed, size_t len) {
       auto x = static_cast<uint32_t>(seed | 1);
       return of_words(len, 4, false, [&] { return x = x * 65539 & 0x7fffffff; });
     }},
    {"LCG mod 2^32, whole words", "spectrum", kMiB,
     [](uint64_t seed, size_t len) {
       auto x = static_cast<uint32_t>(seed);
       return of_words(len, 4, false, [&] { return x = x * 1664525 + 1013904223; });
     }},
    {"xorshift of 32 bits", "sp800-22", kMiB,
     [](uint64_t seed, size_t len) {
       auto x = static_cast<uint32_t>(seed + 1);
       return of_words(len, 4, false, [&] {
         x ^= x << 13;
         x ^= x >> 17;
         return x ^= x << 5;
       });
     }},
    {"each bit twice", "runs", 64 * kKiB,
     [](uint64_t seed, size_t len) {
       GoodSource good(seed);
       bool bit = false, again = true;
       return of_bits(len, [&] {
         again = !again;
         return bit = again ? bit : good.chance(0.5);
       });
     }},
    {"one bit of 100 repeats the last", "correlation", kMiB,
     [](uint64_t seed, size_t len) {
       GoodSource good(seed);
       bool bit = false;
       return of_bits(len, [&] { return bit = good.chance(0.01) ? bit : good.chance(0.5); });
     }},
    {"bits correlated by 0.1", "correlation", 64 * kKiB,
     [](uint64_t seed, size_t len) { return of_bits(len, Markov(seed, 0.1)); }},
    {"bits correlated by 0.02", "runs", kMiB,
     [](uint64_t seed, size_t len) { return of_bits(len, Markov(seed, 0.02)); }},
    {"von Neumann's corrector on bits correlated by 0.3", "correlation", kMiB,
     [](uint64_t seed, size_t len) {
       Markov bits(seed, 0.3);
       return of_bits(len, [&] {
         for (;;)
           if (const bool first = bits(), second = bits(); first != second) return first;
       });
     }},
    {"weak sine: bias swings by 0.02 in 1000 bits", "spectrum", kMiB,
     [](uint64_t seed, size_t len) { return swinging(seed, len, 0.02, 1000); }},
    {"slow drift: bias swings by 0.02 once", "bitmap", kMiB,
     [](uint64_t seed, size_t len) {
       return swinging(seed, len, 0.02, static_cast<double>(8 * len));
     }},
    {"good but for 1 KiB of zeros in the middle", "repeats", kMiB,
     [](uint64_t seed, size_t len) {
       Bytes out = good_bytes(seed, len);
       std::fill_n(out.begin() + static_cast<ptrdiff_t>(len / 2), kKiB, uint8_t{0});
       return out;
     }},
    {"program text", "bytes", kMiB,
     [](uint64_t, size_t len) { return file_start("/proc/self/exe", len); }},
    {"prose", "bytes", 16 * kKiB,
     [](uint64_t, size_t len) {
       return file_start(INCORE_SOURCE_DIR "/docs/clauses/padlock.tsv", len);
     }},
};

}  // namespace

Bytes good_bytes(uint64_t seed, size_t len) {
  Bytes out;
  out.reserve(len);
  for (uint64_t chunk = 0; out.size() < len; ++chunk) {
    const Bytes piece = good_chunk(seed, chunk, std::min(kChunk, len - out.size()));
    out.insert(out.end(), piece.begin(), piece.end());
  }
  return out;
}

uint64_t GoodSource::word() {
  if (next_ == words_.size()) {
    words_ = good_chunk(seed_, chunk_++, kChunk);
    next_ = 0;
  }
  uint64_t word;
  std::memcpy(&word, &words_[next_], sizeof word);
  next_ += sizeof word;
  return word;
}

double GoodSource::uniform() {
  return static_cast<double>(word() >> 11) * 0x1p-53;
}

Bytes symbols_by_weight(uint64_t seed, size_t len, std::span<const double> weights) {
  std::vector<double> up_to;
  double sum = 0;
  for (const double weight : weights) up_to.push_back(sum += weight);
  GoodSource good(seed);
  return of_bytes(len, [&] {
    return std::upper_bound(up_to.begin(), up_to.end() - 1, good.uniform() * sum) - up_to.begin();
  });
}

std::span<const BadGenerator> bad_generators() {
  return kBad;
}

}  // namespace incore::test
