// Streams over sources that break down: nothing goes out that a health test refused, and the
// failure comes at the sample that the standard says.
#include "rng/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "incore/sha.h"

namespace incore {
namespace {

using Bytes = std::vector<uint8_t>;
using Status = RngStream::Status;

constexpr size_t kStartup = kStartupSamples;

// A source that gives byte number i of what |byte| says, until |end|.
struct Fake {
  std::function<uint8_t(uint64_t)> byte;
  uint64_t end = UINT64_MAX;
  uint64_t given = 0;

  static size_t read(void* context, uint8_t* out, size_t len) {
    auto* const fake = static_cast<Fake*>(context);
    size_t n = 0;
    for (; n < len && fake->given < fake->end; ++n) out[n] = fake->byte(fake->given++);
    return n;
  }
  RngStream stream(uint32_t condition_bytes = 0, double min_entropy = 1) {
    return RngStream({nullptr, 0, read, this}, min_entropy, condition_bytes,
                     sha_kernel(ShaAlgorithm::sha256));
  }
};

// Looks random enough, and is the same each time.
uint8_t noise(uint64_t i) {
  i = (i + 1) * 0x9E3779B97F4A7C15;
  i = (i ^ i >> 30) * 0xBF58476D1CE4E5B9;
  return static_cast<uint8_t>(i >> 40);
}

bool all_zero(const Bytes& bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b == 0; });
}

TEST(rng_stream, good_bytes_go_out_unchanged_behind_the_start_up_test) {
  Fake fake{noise};
  RngStream stream = fake.stream();
  ASSERT_EQ(stream.start(), Status::ok);
  EXPECT_EQ(fake.given, kStartup);
  Bytes out(10'000);
  ASSERT_EQ(stream.bytes(out.data(), out.size()), Status::ok);
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], noise(kStartup + i)) << i;
  EXPECT_EQ(stream.health().num_samples(), kStartup + out.size());
}

TEST(rng_stream, stuck_source_fails_the_start_up_test_at_the_cutoff) {
  for (const uint8_t value : {uint8_t{0x00}, uint8_t{0xFF}, uint8_t{0x5A}}) {
    Fake fake{[=](uint64_t) { return value; }};
    RngStream stream = fake.stream();
    EXPECT_EQ(stream.start(), Status::unhealthy);
    EXPECT_EQ(stream.health().repetition().first_failure(), 31u);
    EXPECT_EQ(stream.health().proportion().first_failure(), 325u);
    EXPECT_EQ(fake.given, kStartup) << "it is not asked again";
    Bytes out(100, 1);
    EXPECT_EQ(stream.bytes(out.data(), out.size()), Status::unhealthy);
    EXPECT_TRUE(all_zero(out));
    EXPECT_EQ(fake.given, kStartup);
  }
}

TEST(rng_stream, source_that_gets_stuck_later_is_caught_and_its_bytes_are_withheld) {
  constexpr uint64_t kStuckAt = kStartup + 5000;
  Fake fake{[](uint64_t i) { return i < kStuckAt ? noise(i) : uint8_t{0xFF}; }};
  const uint64_t run_before = noise(kStuckAt - 1) == 0xFF ? 1 : 0;
  RngStream stream = fake.stream();
  ASSERT_EQ(stream.start(), Status::ok);
  Bytes out(4096, 1);
  ASSERT_EQ(stream.bytes(out.data(), out.size()), Status::ok);
  EXPECT_EQ(stream.bytes(out.data(), out.size()), Status::unhealthy);
  EXPECT_TRUE(all_zero(out)) << "also those before the failure";
  EXPECT_EQ(stream.health().repetition().first_failure(), kStuckAt + 31 - run_before);
  // It stays so, even where the source recovers.
  fake.byte = noise;
  EXPECT_EQ(stream.bytes(out.data(), out.size()), Status::unhealthy);
  uint8_t none;
  EXPECT_EQ(stream.bytes(&none, 0), Status::unhealthy);
}

// AMD's RDRAND after a suspend: all ones, and success is reported.
TEST(rng_stream, four_words_of_ones_are_caught) {
  Fake fake{[](uint64_t i) { return i < 2000 || i >= 2032 ? noise(i) : uint8_t{0xFF}; }};
  RngStream stream = fake.stream();
  ASSERT_EQ(stream.start(), Status::ok);
  Bytes out(4096);
  EXPECT_EQ(stream.bytes(out.data(), out.size()), Status::unhealthy);
}

TEST(rng_stream, claim_of_much_entropy_catches_short_runs) {
  Fake fake{[](uint64_t i) { return i < 1500 || i >= 1505 ? noise(i) : uint8_t{noise(1500)}; }};
  RngStream modest = fake.stream();
  ASSERT_EQ(modest.start(), Status::ok);
  Bytes out(1024);
  EXPECT_EQ(modest.bytes(out.data(), out.size()), Status::ok);
  fake.given = 0;
  RngStream proud = fake.stream(0, 8);  // C = 5
  ASSERT_EQ(proud.start(), Status::ok);
  EXPECT_EQ(proud.bytes(out.data(), out.size()), Status::unhealthy);
  EXPECT_EQ(proud.health().repetition().first_failure(), 1505u);
}

// Three of four bytes are zero: no long runs, but no source of 1 bit a byte either.
TEST(rng_stream, biased_source_fails_the_proportion_test_at_the_count) {
  Fake fake{[](uint64_t i) { return i % 4 != 3 ? uint8_t{0} : uint8_t(1 | noise(i)); }};
  RngStream stream = fake.stream();
  EXPECT_EQ(stream.start(), Status::unhealthy);
  EXPECT_EQ(stream.health().repetition().failures(), 0u);
  // The 325th zero of a window is that of byte 324 / 3 * 4.
  EXPECT_EQ(stream.health().proportion().first_failure(), 433u);
}

TEST(rng_stream, counter_passes_both_as_the_standards_tests_do_not_look_for_patterns) {
  Fake fake{[](uint64_t i) { return static_cast<uint8_t>(i); }};
  RngStream stream = fake.stream();
  Bytes out(100'000);
  ASSERT_EQ(stream.start(), Status::ok);
  EXPECT_EQ(stream.bytes(out.data(), out.size()), Status::ok);
}

TEST(rng_stream, dying_source_is_an_error_and_not_fewer_bytes) {
  for (const uint64_t end : {uint64_t{0}, uint64_t{1}, uint64_t{kStartup - 1}}) {
    Fake fake{noise, end};
    EXPECT_EQ(fake.stream().start(), Status::dead) << end;
  }
  Fake fake{noise, kStartup + 1000};
  RngStream stream = fake.stream();
  ASSERT_EQ(stream.start(), Status::ok);
  Bytes out(1001, 1);
  EXPECT_EQ(stream.bytes(out.data(), out.size()), Status::dead);
  EXPECT_TRUE(all_zero(out));
  fake.end = UINT64_MAX;  // it is asked again
  EXPECT_EQ(stream.bytes(out.data(), out.size()), Status::ok);
  EXPECT_FALSE(all_zero(out));
}

TEST(rng_stream, a_copy_never_repeats_what_the_other_gave) {
  Fake fake{noise};
  RngStream one = fake.stream(64);
  ASSERT_EQ(one.start(), Status::ok);
  Bytes a(1), b(1);
  ASSERT_EQ(one.bytes(a.data(), 1), Status::ok);  // 31 bytes of the digest are left
  RngStream other = one;
  const uint64_t given = fake.given;
  ASSERT_EQ(one.bytes(a.data(), 1), Status::ok);
  EXPECT_EQ(fake.given, given + 64) << "from new input, not from what was left";
  ASSERT_EQ(other.bytes(b.data(), 1), Status::ok);
  EXPECT_EQ(fake.given, given + 128);
}

class rng_conditioned : public testing::TestWithParam<uint32_t> {};

TEST_P(rng_conditioned, each_32_bytes_are_the_digest_of_the_next_input) {
  const uint32_t bytes = GetParam();
  for (const size_t len : {0, 1, 31, 32, 33, 64, 100, 4096, 5000}) {
    Fake fake{noise};
    RngStream stream = fake.stream(bytes);
    ASSERT_EQ(stream.start(), Status::ok);
    Bytes out(len);
    ASSERT_EQ(stream.bytes(out.data(), len), Status::ok);
    const size_t digests = (len + 31) / 32;
    EXPECT_EQ(fake.given, kStartup + digests * bytes) << len;
    Bytes expected(digests * 32), input(bytes);
    for (size_t i = 0; i < digests; ++i) {
      for (size_t j = 0; j < bytes; ++j) input[j] = noise(kStartup + i * bytes + j);
      ASSERT_EQ(incore_sha_digest(INCORE_SHA256, input.data(), bytes, &expected[i * 32], 32),
                INCORE_OK);
    }
    expected.resize(len);
    EXPECT_EQ(out, expected) << len;
  }
}

TEST_P(rng_conditioned, input_is_tested_although_its_digests_look_random) {
  constexpr uint64_t kStuckAt = kStartup + 70'000;
  Fake fake{[](uint64_t i) { return i < kStuckAt ? noise(i) : uint8_t{0}; }};
  RngStream stream = fake.stream(GetParam());
  ASSERT_EQ(stream.start(), Status::ok);
  Bytes out(32);
  Status status = Status::ok;
  while (status == Status::ok && fake.given < kStuckAt + 200'000)
    status = stream.bytes(out.data(), out.size());
  EXPECT_EQ(status, Status::unhealthy);
  EXPECT_TRUE(all_zero(out));
  EXPECT_LE(fake.given, kStuckAt + 31 + std::max<uint64_t>(4096, GetParam()));
}

TEST_P(rng_conditioned, source_that_dies_within_an_input_gives_nothing) {
  Fake fake{noise, kStartup + GetParam() - 1};
  RngStream stream = fake.stream(GetParam());
  ASSERT_EQ(stream.start(), Status::ok);
  Bytes out(32, 1);
  EXPECT_EQ(stream.bytes(out.data(), out.size()), Status::dead);
  EXPECT_TRUE(all_zero(out));
}

INSTANTIATE_TEST_SUITE_P(bytes, rng_conditioned,
                         testing::Values(32, 40, 64, 320, 4096, 4097, 65536));

TEST(rng_stream, full_entropy_needs_320_bits_of_input) {
  EXPECT_EQ(bytes_for_full_entropy(8), 40u);
  EXPECT_EQ(bytes_for_full_entropy(1), 320u);
  EXPECT_EQ(bytes_for_full_entropy(7), 46u);
  EXPECT_EQ(bytes_for_full_entropy(0.01), 32'000u);
}

}  // namespace
}  // namespace incore
