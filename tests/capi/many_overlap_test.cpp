// The overlaps that calls for many messages refuse are exactly those of the definition, message
// against message; and finding that out takes about as many looks as there are ranges.
#include "capi/many_overlap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "incore/aes.h"
#include "incore/sha.h"
#include "support/cpu_time.h"

namespace incore::test {
namespace {

struct Ranges {
  std::vector<ByteRange> all;  // last < first: empty
  mutable size_t looks = 0;

  bool overlap() const {
    return any_overlap(all.size(), [this](size_t i, ByteRange* out) {
      ++looks;
      *out = all[i];
      return all[i].first <= all[i].last;
    });
  }
  bool overlap_by_definition() const {
    for (const ByteRange& a : all)
      for (const ByteRange& b : all)
        if (a.message != b.message && (a.written || b.written) && a.first <= a.last &&
            b.first <= b.last && a.first <= b.last && b.first <= a.last)
          return true;
    return false;
  }
};

TEST(many_overlap, is_that_of_the_definition) {
  size_t num_overlaps = 0;
  std::mt19937_64 random(1);
  const auto below = [&random](size_t n) { return static_cast<size_t>(random() % n); };
  for (int round = 0; round < 30000; ++round) {
    Ranges ranges;
    const size_t num_messages = 1 + below(6), num = 1 + below(12);
    const uintptr_t room = 20 + below(600);
    for (size_t i = 0; i < num; ++i) {
      const uintptr_t first = 1 + below(room), len = below(below(2) == 0 ? 30 : 4);
      ranges.all.push_back({first, first + len - 1, below(num_messages), below(3) == 0});
    }
    const bool expected = ranges.overlap_by_definition();
    ASSERT_EQ(ranges.overlap(), expected) << round;
    num_overlaps += expected ? 1 : 0;
  }
  EXPECT_GT(num_overlaps, 5000u);
  EXPECT_LT(num_overlaps, 25000u);
}

// |num| ranges of 10 bytes at multiples of 16, in any order, and at most one overlap.
TEST(many_overlap, one_among_thousands_is_found_with_few_looks) {
  std::mt19937_64 random(2);
  for (const size_t num : {10, 2047, 2048, 2049, 5000, 20000}) {
    for (const bool descending : {false, true}) {
      Ranges ranges;
      for (size_t i = 0; i < num; ++i) {
        const uintptr_t first = 16 * (descending ? num - i : i + 1);
        ranges.all.push_back({first, first + 9, i, i % 2 == 0});
      }
      if (!descending) std::shuffle(ranges.all.begin(), ranges.all.end(), random);
      EXPECT_FALSE(ranges.overlap()) << num;
      EXPECT_LE(ranges.looks, num * (num / kWindow + 3)) << num;
      ByteRange& longer = ranges.all[random() % num];
      longer.last += 7, longer.written = true;
      const bool is_last = longer.first == 16 * num;
      EXPECT_EQ(ranges.overlap(), !is_last) << num;
    }
  }
}

// --- the calls themselves, on messages that lie anyhow in a little memory

bool share(const void* a, size_t a_len, const void* b, size_t b_len) {
  const auto x = address_of(a), y = address_of(b);
  return a_len != 0 && b_len != 0 && x < y + b_len && y < x + a_len;
}

bool aes_overlaps(const std::vector<incore_aes_message>& ms) {
  for (const incore_aes_message& a : ms) {
    if (a.in != a.out && share(a.in, a.len, a.out, a.len)) return true;
    if (share(a.iv, 16, a.in, a.len) || share(a.iv, 16, a.out, a.len)) return true;
    for (const incore_aes_message& b : ms)
      if (&a != &b && (share(a.iv, 16, b.iv, 16) || share(a.iv, 16, b.in, b.len) ||
                       share(a.iv, 16, b.out, b.len) || share(a.out, a.len, b.in, b.len) ||
                       share(a.out, a.len, b.out, b.len)))
        return true;
  }
  return false;
}

bool sha_overlaps(const std::vector<incore_sha_message>& ms) {
  for (const incore_sha_message& a : ms)
    for (const incore_sha_message& b : ms)
      if (&a != &b && (share(a.out_digest, 20, b.out_digest, 20) ||
                       share(a.out_digest, 20, b.data, b.data_len)))
        return true;
  return false;
}

class many_messages : public testing::Test {
 protected:
  size_t below(size_t n) { return random_() % n; }
  // Mostly in the order of the messages, sometimes near by or anywhere; |next| goes on behind it.
  uint8_t* place(size_t len, size_t* next) {
    if (below(20) == 0) return memory_.data() + below(memory_.size() - len);
    if (below(20) == 0) *next -= std::min(*next, below(40));
    *next = std::min(*next + (below(8) == 0 ? below(40) : 0), memory_.size() - len);
    uint8_t* const p = memory_.data() + *next;
    *next += len;
    return p;
  }

  std::mt19937_64 random_{3};
  std::vector<uint8_t> memory_ = std::vector<uint8_t>(8192);
};

TEST_F(many_messages, of_aes_are_refused_for_the_overlaps_of_the_definition) {
  incore_aes_key key;
  ASSERT_EQ(incore_aes_key_set(&key, memory_.data(), 16), INCORE_OK);
  size_t num_refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<incore_aes_message> ms(1 + below(8));
    // One area for all, or one for each kind of buffer; texts in place or not.
    const bool apart = below(2) == 0, in_place = below(2) == 0;
    size_t areas[3] = {0, apart ? 2500u : 0, apart ? 5000u : 0};
    for (incore_aes_message& m : ms) {
      const size_t len = below(9);
      uint8_t* const iv = place(16, &areas[0]);
      uint8_t* const in = place(len, apart ? &areas[1] : &areas[0]);
      m = {&key, iv, in, len, in_place ? in : place(len, apart ? &areas[2] : &areas[0])};
    }
    const bool expected = aes_overlaps(ms);
    ASSERT_EQ(incore_aes_cfb_encrypt_many(ms.data(), ms.size()),
              expected ? INCORE_ERROR_OVERLAP : INCORE_OK)
        << round;
    num_refused += expected ? 1 : 0;
  }
  EXPECT_GT(num_refused, 2000u);
  EXPECT_LT(num_refused, 18000u);
}

TEST_F(many_messages, of_sha_are_refused_for_the_overlaps_of_the_definition) {
  size_t num_refused = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<incore_sha_message> ms(1 + below(8));
    const bool apart = below(2) == 0;
    size_t areas[2] = {0, apart ? 4000u : 0};
    for (incore_sha_message& m : ms) {
      const size_t len = below(30);
      uint8_t* const data = place(len, &areas[0]);
      m = {data, len, below(10) == 0 ? data : place(20, apart ? &areas[1] : &areas[0])};
    }
    const bool expected = sha_overlaps(ms);
    ASSERT_EQ(incore_sha_digest_many(INCORE_SHA1, ms.data(), ms.size()),
              expected ? INCORE_ERROR_OVERLAP : INCORE_OK)
        << round;
    num_refused += expected ? 1 : 0;
  }
  EXPECT_GT(num_refused, 500u);
  EXPECT_LT(num_refused, 4500u);
}

// Eight times as many messages may take up to 32 times as long, where comparing each with each
// would take 64 times: an array of ivs, ivs before their texts, and texts that are not in place.
TEST_F(many_messages, take_time_by_their_number_in_the_usual_layouts) {
  constexpr size_t kFew = 3000, kMany = 8 * kFew;
  incore_aes_key key;
  ASSERT_EQ(incore_aes_key_set(&key, memory_.data(), 16), INCORE_OK);
  std::vector<uint8_t> ivs(16 * kMany), texts(32 * kMany), out(16 * kMany);
  std::vector<incore_aes_message> ms(kMany);
  const auto least_time = [&](size_t num) {
    auto least = std::chrono::nanoseconds::max();
    for (int run = 0; run < 7; ++run) {
      const auto begin = cpu_time();
      EXPECT_EQ(incore_aes_cbc_encrypt_many(ms.data(), num), INCORE_OK);
      least = std::min(least, cpu_time() - begin);
    }
    return least;
  };
  for (int layout = 0; layout < 3; ++layout) {
    for (size_t i = 0; i < kMany; ++i) {
      uint8_t* const text = &texts[layout == 1 ? 32 * i + 16 : 16 * i];
      ms[i] = {&key, layout == 1 ? text - 16 : &ivs[16 * i], text, 16,
               layout == 2 ? &out[16 * i] : text};
    }
    EXPECT_LT(least_time(kMany), 32 * least_time(kFew)) << layout;
  }
}

}  // namespace
}  // namespace incore::test
