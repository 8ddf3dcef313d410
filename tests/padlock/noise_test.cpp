// The seeded noise: its generator against RFC 8439, its bias, correlation and rates against its own
// tables and the figures that PadLock guide 1.66 prints in section 2.3.
#include "padlock/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "padlock/machine_rng.h"
#include "padlock/timing.h"

namespace incore::padlock::test {
namespace {

constexpr uint32_t kRaw = kRngEnable | kRngRawBits;
constexpr uint32_t kBoth = 2u << kRngSourceShift;

const Model& model_of(const char* name) {
  return *find_model(name);
}

// |num_bits| raw bits of source |which|, as bytes of 0 and 1.
Bytes raw(SeededNoise& noise, unsigned which, unsigned bias, size_t num_bits) {
  noise.make_on_demand();
  Bytes bits(num_bits);
  EXPECT_EQ(noise.raw_bits(which, bias, bits.data(), num_bits), num_bits);
  return bits;
}

double share_of_ones(const Bytes& bits) {
  double ones = 0;
  for (uint8_t bit : bits) ones += bit;
  return ones / static_cast<double>(bits.size());
}

// The serial correlation coefficient of lag 1.
double correlation(const Bytes& bits) {
  const double p = share_of_ones(bits);
  double sum = 0;
  for (size_t i = 0; i + 1 < bits.size(); ++i) sum += (bits[i] - p) * (bits[i + 1] - p);
  return sum / (static_cast<double>(bits.size() - 1) * p * (1 - p));
}

// What an RNG of |model| with the MSR |fields| delivers in some milliseconds, while someone empties
// its buffers before they are full.
Bytes deliver(const Model& model, uint32_t fields, uint64_t seed = 1, unsigned milliseconds = 10) {
  SeededNoise noise(model, seed);
  Rng rng(model);
  rng.use_noise(&noise);
  rng.write_msr(fields);
  Bytes delivered;
  constexpr uint64_t kClocks = 250;
  for (uint64_t i = 0; i < uint64_t{model.clock_mhz} * 1000 * milliseconds / kClocks; ++i) {
    noise.advance(kClocks);
    uint8_t buffer[Rng::kBufferLen];
    while (rng.take(buffer)) delivered.insert(delivered.end(), buffer, buffer + sizeof buffer);
  }
  return delivered;
}

double megabits_per_second(const Model& model, uint32_t fields) {
  constexpr unsigned kMilliseconds = 10;
  return static_cast<double>(deliver(model, fields, 1, kMilliseconds).size()) * 8 / 1000 /
         kMilliseconds;
}

Bytes as_bits(const Bytes& bytes) {
  Bytes bits;
  for (char bit : bits_of(bytes)) bits.push_back(bit == '1');
  return bits;
}

// ---- The generator behind it ----

TEST(padlock_noise, chacha20_block_is_that_of_rfc_8439) {
  uint32_t key[8];
  for (uint32_t i = 0; i < 8; ++i) key[i] = 0x03020100 + i * 0x04040404;
  uint8_t block[kChacha20BlockLen];
  // Section 2.3.2.
  const uint32_t nonce[3] = {0x09000000, 0x4A000000, 0};
  chacha20_block(key, 1, nonce, block);
  EXPECT_EQ(to_hex(Bytes(block, block + sizeof block)),
            "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
            "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e");
  // Appendix A.1, test vectors 1 and 2.
  const uint32_t zero[8] = {};
  chacha20_block(zero, 0, zero, block);
  EXPECT_EQ(to_hex(Bytes(block, block + sizeof block)),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586");
  chacha20_block(zero, 1, zero, block);
  EXPECT_EQ(to_hex(Bytes(block, block + sizeof block)),
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f");
}

TEST(padlock_noise, a_seed_repeats_and_seeds_streams_parts_and_sources_differ) {
  const Model& model = model_of("nehemiah");
  const auto bits = [&](uint64_t seed, uint64_t stream, uint64_t part, unsigned which) {
    SeededNoise noise(model, seed, stream, part);
    return raw(noise, which, 0, 512);
  };
  EXPECT_EQ(bits(1, 2, 3, 0), bits(1, 2, 3, 0));
  std::set<Bytes> all;
  for (uint64_t one : {uint64_t{1}, uint64_t{1} << 32, uint64_t{1} << 63})
    for (const Bytes& each : {bits(one, 0, 0, 0), bits(0, one, 0, 0), bits(0, 0, one, 0)})
      all.insert(each);
  // clause: PLK-MSR-012
  for (const Bytes& each : {bits(0, 0, 0, 0), bits(0, 0, 0, 1)}) all.insert(each);
  EXPECT_EQ(all.size(), 11u);
}

// ---- Statistics ----

TEST(padlock_noise, raw_bits_have_the_bias_and_the_correlation_of_their_step) {
  for (const char* name : {"c5xl", "nehemiah", "esther", "nano"}) {
    for (unsigned bias = 0; bias < 8; ++bias) {
      for (unsigned which : {0u, 1u}) {
        SeededNoise noise(model_of(name), 42);
        const Bytes bits = raw(noise, which, bias, 200000);
        const NoiseStep& step = noise_step(model_of(name), bias);
        // Five times the deviation of 200,000 bits.
        EXPECT_NEAR(share_of_ones(bits), step.ones_permille / 1000.0, 0.006) << name << bias;
        EXPECT_NEAR(correlation(bits), step.correlation_permille / 1000.0, 0.012) << name << bias;
      }
    }
  }
}

TEST(padlock_noise, whitened_bits_are_unbiased) {
  for (const char* name : {"c5xl", "nehemiah", "esther"}) {
    for (unsigned bias = 0; bias < 8; ++bias) {
      const Bytes bits = as_bits(deliver(model_of(name), kRngEnable | bias << kRngBiasShift, 7));
      ASSERT_GT(bits.size(), 50000u);
      EXPECT_NEAR(share_of_ones(bits), 0.5, 5 * 0.5 / std::sqrt(50000.0)) << name << bias;
    }
  }
}

// Bits of the other source stand between. At step 4 there is enough to see.
TEST(padlock_noise, both_sources_lower_the_correlation) {
  for (const char* name : {"nehemiah", "esther"}) {
    constexpr uint32_t kStep4 = 4u << kRngBiasShift;
    const double one = correlation(as_bits(deliver(model_of(name), kRaw | kStep4)));
    const double both = correlation(as_bits(deliver(model_of(name), kRaw | kStep4 | kBoth)));
    EXPECT_GT(one, 0.04) << name;
    EXPECT_LT(both, one - 0.005) << name;
  }
}

// ---- Rates ----

TEST(padlock_noise, rates_of_nehemiah_are_those_printed) {
  for (unsigned bias = 0; bias < 8; ++bias) {
    const uint32_t step = bias << kRngBiasShift;
    const Model& c5p = model_of("nehemiah");
    const auto within = [&](const Model& model, uint32_t fields, double low, double high) {
      const double rate = megabits_per_second(model, fields | step);
      EXPECT_GE(rate, low) << model.name << " " << std::hex << (fields | step);
      EXPECT_LE(rate, high) << model.name << " " << std::hex << (fields | step);
    };
    for (uint32_t both : {2u << kRngSourceShift, 3u << kRngSourceShift}) {
      // clause: PLK-MSR-013
      // clause: PLK-TIME-008
      within(c5p, kRaw | both, 80, 120);
      // clause: PLK-TIME-009
      within(c5p, kRngEnable | both, 12, 20);
    }
    for (uint32_t source : {0u, 1u << kRngSourceShift}) {
      // clause: PLK-MSR-011
      // clause: PLK-MSR-012
      // clause: PLK-TIME-010
      within(c5p, kRaw | source, 40, 60);
      // clause: PLK-TIME-011
      within(c5p, kRngEnable | source, 6, 10);
    }
    // clause: PLK-TIME-010
    within(model_of("c5xl"), kRaw, 40, 60);
    // clause: PLK-TIME-011
    within(model_of("c5xl"), kRngEnable, 6, 10);
    // Its SRC field is reserved: the rate stays.
    within(model_of("c5xl"), kRaw | kBoth, 40, 60);
  }
}

TEST(padlock_noise, rates_of_esther_are_those_printed) {
  const Model& c5j = model_of("esther");
  std::set<int> rates;
  for (unsigned bias = 0; bias < 8; ++bias) {
    const uint32_t step = bias << kRngBiasShift;
    const double both_raw = megabits_per_second(c5j, kRaw | kBoth | step);
    const double both_white = megabits_per_second(c5j, kRngEnable | kBoth | step);
    rates.insert(static_cast<int>(both_raw));
    // clause: PLK-TIME-012
    EXPECT_GE(both_raw, 65) << bias;
    EXPECT_LE(both_raw, 320) << bias;
    // clause: PLK-TIME-014
    EXPECT_GE(both_white, 15) << bias;
    EXPECT_LE(both_white, 80) << bias;
    // clause: PLK-TIME-135
    EXPECT_NEAR(megabits_per_second(c5j, kRaw | step), both_raw / 2, 0.5) << bias;
    EXPECT_NEAR(megabits_per_second(c5j, kRngEnable | step), both_white / 2, 1.0) << bias;
  }
  EXPECT_EQ(rates.size(), 8u);  // the setting matters
  const double by_default = megabits_per_second(c5j, kRaw | kBoth);
  // clause: PLK-TIME-013
  EXPECT_GE(by_default, 150);
  EXPECT_LE(by_default, 200);
}

// Two models of one generator: this one and that of the clocks which --stats counts.
TEST(padlock_noise, rates_at_the_default_bias_are_those_of_the_timing_model) {
  for (const char* name : {"c5xl", "nehemiah", "esther", "nano"}) {
    const Model& model = model_of(name);
    for (uint32_t fields : {kRaw, kRaw | kBoth, kRngEnable, kRngEnable | kBoth}) {
      const double timed = rng_kbits_per_second(model, fields) / 1000.0;
      EXPECT_NEAR(megabits_per_second(model, fields), timed, timed * 0.02) << name << fields;
    }
  }
}

// The guide's sample program took one byte of each buffer (EDX = 3) of source A, whitened: 1632 to
// 1671 kbit/s.
TEST(padlock_noise, one_byte_of_each_buffer_comes_as_fast_as_the_guide_measured) {
  const double kbits = megabits_per_second(model_of("esther"), kRngEnable) * 1000 / 8;
  // clause: PLK-TIME-134
  EXPECT_NEAR(kbits, 1651, 33);
}

TEST(padlock_noise, clocks_to_fill_a_buffer) {
  Model fast = model_of("esther");
  fast.clock_mhz = 2000;
  const auto clocks = [&](unsigned bias) {
    SeededNoise noise(fast, 1);
    Rng rng(fast);
    rng.use_noise(&noise);
    rng.write_msr(kRaw | kBoth | bias << kRngBiasShift);
    uint64_t passed = 0;
    for (; rng.bytes_available() < Rng::kBufferLen; ++passed) noise.advance(1);
    return passed;
  };
  // clause: PLK-TIME-015
  EXPECT_EQ(clocks(2), 500u);
  EXPECT_GE(clocks(0), 640u);
  EXPECT_LE(clocks(0), 853u);
}

// ---- Time ----

TEST(padlock_noise, nothing_is_made_while_time_stands_or_the_generator_is_off) {
  const Model& model = model_of("esther");
  SeededNoise noise(model, 1);
  Rng rng(model);
  rng.use_noise(&noise);
  EXPECT_EQ(rng.bytes_available(), 0u);
  rng.write_msr(0);
  noise.advance(1000000);
  EXPECT_EQ(rng.bytes_available(), 0u);
  rng.write_msr(kRngEnable);
  EXPECT_EQ(rng.bytes_available(), 0u);
  noise.advance(1000000);
  EXPECT_EQ(rng.bytes_available(), 32u);
}

// ---- Buffers that are made one by one ----

TEST(padlock_noise, a_buffer_is_what_a_fresh_generator_puts_into_its_first) {
  const Model& model = model_of("nehemiah");
  uint8_t made[Rng::kBufferLen];
  make_seeded_buffer(model, 5, 6, 7, made);
  SeededNoise noise(model, 5, 6, 7);
  const Bytes bits = raw(noise, 0, 0, 4096);
  std::string expected;
  for (size_t i = 0; i + 1 < bits.size() && expected.size() < 64; i += 2)
    if (bits[i] != bits[i + 1]) expected.push_back(bits[i] != 0 ? '1' : '0');
  EXPECT_EQ(bits_of(Bytes(made, made + sizeof made)), expected);
}

// Chi-square of the byte values; 255 degrees of freedom, so 330.5 is exceeded once in a thousand
// seeds.
TEST(padlock_noise, buffers_have_uniform_bytes) {
  const Model& model = model_of("nano");
  unsigned counts[256] = {};
  constexpr unsigned kBuffers = 8192;
  for (uint64_t index = 0; index < kBuffers; ++index) {
    uint8_t made[Rng::kBufferLen];
    make_seeded_buffer(model, 11, 0, index, made);
    for (uint8_t byte : made) ++counts[byte];
  }
  constexpr double kExpected = kBuffers * Rng::kBufferLen / 256.0;
  double chi_square = 0;
  for (unsigned count : counts) chi_square += (count - kExpected) * (count - kExpected) / kExpected;
  EXPECT_LT(chi_square, 330.5);
  EXPECT_GT(chi_square, 190);
}

}  // namespace
}  // namespace incore::padlock::test
