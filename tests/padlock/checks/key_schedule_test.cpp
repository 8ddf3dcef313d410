// The check of round keys that a program supplies, and what it says of mistakes that programs made.
#include <gtest/gtest.h>

#include <algorithm>

#include "crypto/aes/aes_steps.h"
#include "padlock/checks/prepared.h"

namespace incore::padlock::test {
namespace {

constexpr Mode kModes[] = {Mode::ecb, Mode::cbc, Mode::cfb, Mode::ofb, Mode::ctr};
constexpr size_t kKeyLens[] = {16, 24, 32};

XcryptJob job_with(Mode mode, bool decrypt, size_t key_len) {
  return XcryptJob::from_memory(mode, decrypt, random_bytes(key_len, 1), random_bytes(64, 2),
                                concat(random_bytes(14, 3), {0, 1}));
}

bool uses_inverse(Mode mode, bool decrypt) {
  return decrypt && (mode == Mode::ecb || mode == Mode::cbc);
}

size_t schedule_len(size_t key_len) {
  return 16 * (key_len / 4 + 7);
}

// What the check says of |job|: its clause and how its text begins; "" if nothing.
std::string verdict(const XcryptJob& job) {
  Prepared p(job);
  const Reports reports = p.look();
  if (reports.empty()) return "";
  EXPECT_EQ(reports.size(), 1u) << reports.back();
  EXPECT_STREQ(p.checked.last.check->name, "key-schedule");
  EXPECT_EQ(p.checked.last.operand, Operand::key);
  const Rule& rule = p.checked.last.check->rules[p.checked.last.rule];
  const std::string what = rule.what;
  const bool is_word = what.rfind("one word", 0) == 0;
  const std::string word =
      is_word ? " " + std::to_string((p.checked.last.address - job.key_at) / 4) : "";
  return std::string(rule.clause) + ": " + what + word;
}

// Calls |test| with each mode, direction and key length.
template <class Test>
void for_all(const Test& test) {
  for (const Mode mode : kModes)
    for (const bool decrypt : {false, true})
      for (const size_t key_len : kKeyLens) {
        SCOPED_TRACE(testing::Message() << "mode " << static_cast<int>(mode)
                                        << (decrypt ? " decrypts " : " ") << key_len);
        test(job_with(mode, decrypt, key_len), uses_inverse(mode, decrypt), key_len);
      }
}

void swap_words(Bytes& keys) {
  for (size_t i = 0; i + 4 <= keys.size(); i += 4)
    std::reverse(keys.begin() + static_cast<ptrdiff_t>(i),
                 keys.begin() + static_cast<ptrdiff_t>(i + 4));
}

void reverse_keys(Bytes& keys, size_t len) {
  for (size_t i = 0; i < len / 32; ++i)
    std::swap_ranges(keys.begin() + static_cast<ptrdiff_t>(16 * i),
                     keys.begin() + static_cast<ptrdiff_t>(16 * i + 16),
                     keys.begin() + static_cast<ptrdiff_t>(len - 16 * i - 16));
}

TEST(padlock_checks_key_schedule, right_ones_pass) {
  for_all([](XcryptJob job, bool, size_t key_len) {
    EXPECT_EQ(verdict(job), "");
    // What lies behind does not matter.
    for (size_t i = schedule_len(key_len); i < job.key_area.size(); ++i) job.key_area[i] ^= 0x5A;
    EXPECT_EQ(verdict(job), "");
    // Other numbers of rounds are experiments, whatever the keys.
    job.control.rounds = 11;
    job.key_area[5] ^= 1;
    EXPECT_EQ(verdict(job), "");
  });
}

// OpenSSL computed them as words of the host.
TEST(padlock_checks_key_schedule, bytes_of_words_swapped) {
  for_all([](XcryptJob job, bool, size_t) {
    swap_words(job.key_area);
    // clause: PLK-ACE-071
    EXPECT_EQ(verdict(job),
              "PLK-ACE-071: the bytes of each word of the round keys are in the wrong order");
  });
}

// GnuTLS took those of nettle, which changed their order.
TEST(padlock_checks_key_schedule, reverse_order) {
  for_all([](XcryptJob job, bool, size_t key_len) {
    reverse_keys(job.key_area, schedule_len(key_len));
    // clause: PLK-ACE-073
    EXPECT_EQ(verdict(job), "PLK-ACE-073: the round keys are in reverse order");
    swap_words(job.key_area);
    EXPECT_EQ(verdict(job), "PLK-ACE-073: the round keys are in reverse order");
  });
}

TEST(padlock_checks_key_schedule, of_the_other_direction) {
  for_all([](XcryptJob job, bool inverse, size_t key_len) {
    job.key_area = job_with(Mode::cbc, !inverse, key_len).key_area;
    // clause: PLK-ACE-072
    // clause: PLK-ACE-031
    const std::string expected = inverse ? "PLK-ACE-072: the round keys are those of encryption, "
                                           "without InvMixColumns, and this decrypts"
                                         : "PLK-ACE-031: the round keys are those of decryption, "
                                           "and this mode uses the cipher forwards";
    EXPECT_EQ(verdict(job), expected);
    reverse_keys(job.key_area, schedule_len(key_len));
    EXPECT_EQ(verdict(job), expected);
    swap_words(job.key_area);
    EXPECT_EQ(verdict(job), expected);
  });
}

TEST(padlock_checks_key_schedule, of_another_key_length) {
  for_all([](XcryptJob job, bool inverse, size_t key_len) {
    for (const size_t other : kKeyLens) {
      if (other == key_len) continue;
      XcryptJob longer = job;
      longer.control.rounds = static_cast<unsigned>(other / 4 + 6);
      longer.key_area = job_with(Mode::cbc, inverse, other).key_area;
      // clause: PLK-ACE-045
      EXPECT_EQ(verdict(longer),
                "PLK-ACE-045: the round keys are those of a key of another length than KSIZE says");
    }
  });
}

TEST(padlock_checks_key_schedule, rounds_of_another_key_length) {
  for (const size_t key_len : kKeyLens)
    for (const unsigned rounds : {10u, 12u, 14u}) {
      if (rounds == key_len / 4 + 6) continue;
      XcryptJob job = job_with(Mode::cbc, false, key_len);
      AesRoundKeys keys = {};
      aes_steps::key_expansion(random_bytes(key_len, 1).data(), key_len, rounds, &keys);
      std::copy_n(keys.bytes, 16 * (rounds + 1), job.key_area.begin());
      job.control.rounds = rounds;
      // clause: PLK-ACE-084
      EXPECT_EQ(verdict(job), "PLK-ACE-084: the number of rounds is that of another key length");
    }
}

TEST(padlock_checks_key_schedule, one_wrong_word_is_found) {
  for (const bool decrypt : {false, true})
    for (const size_t key_len : kKeyLens)
      for (size_t word = 0; word < schedule_len(key_len) / 4; ++word) {
        XcryptJob job = job_with(Mode::cbc, decrypt, key_len);
        job.key_area[4 * word + word % 4] ^= 0x40;
        // clause: PLK-ACE-071
        EXPECT_EQ(verdict(job),
                  "PLK-ACE-071: one word of the round keys is wrong, the one at this address " +
                      std::to_string(word));
      }
}

TEST(padlock_checks_key_schedule, anything_else_is_no_schedule) {
  for_all([](XcryptJob job, bool, size_t) {
    for (const Bytes& keys : {Bytes(256), random_bytes(256, 7)}) {
      job.key_area = keys;
      EXPECT_EQ(verdict(job),
                "PLK-ACE-071: the round keys are no schedule of FIPS 197, in whatever order");
    }
  });
}

// Found right once, they may change at the same place.
TEST(padlock_checks_key_schedule, each_call_is_looked_at) {
  const XcryptJob job = job_with(Mode::cbc, false, 32);
  Prepared p(job);
  EXPECT_EQ(p.look(), Reports());
  Bytes changed = job.key_area;
  changed[239] ^= 1;
  p.m.put(job.key_at, changed);
  EXPECT_EQ(p.look(), Reports({"key-schedule PLK-ACE-071"}));
  p.m.put(job.key_at, job.key_area);
  EXPECT_EQ(p.look(), Reports());
}

}  // namespace
}  // namespace incore::padlock::test
