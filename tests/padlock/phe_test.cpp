// REP XSHA1 and REP XSHA256: PadLock guide 1.66, chapter 4. The oracles are NIST's byte-oriented
// response files, the examples of FIPS 180-2, and the tables xsha_lengths.txt and xsha_states.txt,
// which other programs made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "padlock/insn.h"
#include "padlock/machine_xsha.h"
#include "support/nist_vectors.h"

namespace incore::padlock::test {
namespace {

using incore::test::load_nist;
using incore::test::nist_files;
using incore::test::nist_missing;
using incore::test::NistCase;

const Bytes kAbc = {'a', 'b', 'c'};
const char kSha1OfAbc[] = "a9993e364706816aba3e25717850c26c9cd0d89d";
const char kSha256OfAbc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const char* of_abc(const Hash& hash) {
  return hash.num_words == 5 ? kSha1OfAbc : kSha256OfAbc;
}

// Runs the instruction at RIP until it is done, taking an interrupt after every block.
void finish_with_interrupts(Machine& m) {
  for (int issues = 0; issues < 1000; ++issues) {
    InterruptAfter each(1);
    const Step step = m.issue_again(&each);
    if (step.outcome == Outcome::done) return;
    ASSERT_TRUE(is_interrupted(step));
  }
  FAIL() << "the instruction makes no progress";
}

TEST(padlock_phe, opcodes_are_those_of_the_guide) {
  // clause: PLK-PHE-001
  const Bytes code1 = {0xF3, 0x0F, 0xA6, 0xC8};
  EXPECT_EQ(decode(code1.data(), code1.size(), CodeSize::bits32).insn, &xsha1);
  // clause: PLK-PHE-002
  const Bytes code256 = {0xF3, 0x0F, 0xA6, 0xD0};
  EXPECT_EQ(decode(code256.data(), code256.size(), CodeSize::bits32).insn, &xsha256);

  Machine m("esther9");
  set_up_hash(m, sha1_hash(), kAbc);
  ASSERT_TRUE(is_done(m.issue(code1)));
  EXPECT_EQ(digest_at(m, sha1_hash()), kSha1OfAbc);
  EXPECT_EQ(m.state().rip, Machine::kCode + 4);
  set_up_hash(m, sha256_hash(), kAbc);
  ASSERT_TRUE(is_done(m.issue(code256)));
  EXPECT_EQ(digest_at(m, sha256_hash()), kSha256OfAbc);
}

TEST(padlock_phe, examples_of_fips_180_2_on_every_model) {
  const std::string two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  for (const char* model : kPheModels) {
    SCOPED_TRACE(model);
    // clause: PLK-PHE-003
    EXPECT_EQ(hash_on(model, sha1_hash(), kAbc), kSha1OfAbc);
    EXPECT_EQ(hash_on(model, sha1_hash(), Bytes(two_blocks.begin(), two_blocks.end())),
              "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    EXPECT_EQ(hash_on(model, sha1_hash(), Bytes(1000000, 'a')),
              "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    // clause: PLK-PHE-004
    EXPECT_EQ(hash_on(model, sha256_hash(), kAbc), kSha256OfAbc);
    EXPECT_EQ(hash_on(model, sha256_hash(), Bytes(two_blocks.begin(), two_blocks.end())),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(hash_on(model, sha256_hash(), Bytes(1000000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
}

void check_nist_file(const Hash& hash, const std::string& file) {
  SCOPED_TRACE(file);
  size_t num_cases = 0;
  for (const NistCase& c : load_nist(file)) {
    Bytes message = from_hex(c.fields.at("Msg"));
    message.resize(std::stoul(c.fields.at("Len")) / 8);  // length 0 has the message 00
    const std::string digest = hash_on("esther9", hash, message);
    EXPECT_EQ(digest.substr(0, c.fields.at("MD").size()), c.fields.at("MD")) << "line " << c.line;
    ++num_cases;
  }
  EXPECT_GE(num_cases, 64u);
}

TEST(padlock_phe, nist_short_and_long_messages) {
  if (nist_files("hashes/SHA1").empty()) GTEST_SKIP() << nist_missing();
  // clause: PLK-PHE-003
  check_nist_file(sha1_hash(), "hashes/SHA1/SHA1ShortMsg.rsp");
  check_nist_file(sha1_hash(), "hashes/SHA1/SHA1LongMsg.rsp");
  // clause: PLK-PHE-004
  check_nist_file(sha256_hash(), "hashes/SHA2/SHA256ShortMsg.rsp");
  check_nist_file(sha256_hash(), "hashes/SHA2/SHA256LongMsg.rsp");
}

// SHA-224 is SHA-256 with other initial values and seven words of the result (FIPS 180-2, change
// notice 1).
TEST(padlock_phe, other_initial_values_give_sha224) {
  Hash sha224 = sha256_hash();
  sha224.initial =
      from_hex("d89e05c1 07d57c36 17dd7030 39590ef7 310bc0ff 11155868 a78ff964 a44ffabe");
  // clause: PLK-PHE-007
  EXPECT_EQ(hash_on("esther9", sha224, kAbc).substr(0, 56),
            "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7");
  if (nist_files("hashes/SHA2").empty()) GTEST_SKIP() << nist_missing();
  check_nist_file(sha224, "hashes/SHA2/SHA224ShortMsg.rsp");
}

TEST(padlock_phe, all_lengths_are_padded) {
  for (const HashRow& row : hash_rows("xsha_lengths.txt")) {
    for (const Hash* hash : both_hashes()) {
      // Other bytes follow the message, so that a wrong count shows.
      Machine m("esther9");
      Bytes around = pattern(row.number + 64);
      std::fill(around.begin() + static_cast<std::ptrdiff_t>(row.number), around.end(), 0xEE);
      set_up_hash(m, *hash, around);
      m.state().rcx = row.number;
      ASSERT_TRUE(is_done(m.issue(hash->code)));
      // clause: PLK-PHE-005
      // clause: PLK-PHE-008
      // clause: PLK-PHE-013
      // clause: PLK-PHE-023
      EXPECT_EQ(digest_at(m, *hash), row.of(*hash))
          << hash->name << " of " << row.number << " bytes";
      // clause: PLK-PHE-019
      EXPECT_EQ(m.state().rax, row.number);
      // clause: PLK-PHE-020
      EXPECT_EQ(m.state().rsi, kMessageAt + row.number);
      // clause: PLK-PHE-009
      EXPECT_EQ(m.state().rdi, kHashAt);
      // clause: PLK-PHE-014
      EXPECT_EQ(m.state().rcx, row.number);
      EXPECT_EQ(m.state().rip, Machine::kCode + 4);
    }
  }
}

TEST(padlock_phe, empty_message_is_valid) {
  for (const char* model : kPheModels) {
    // clause: PLK-PHE-015
    EXPECT_EQ(hash_on(model, sha1_hash(), {}), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    EXPECT_EQ(hash_on(model, sha256_hash(), {}),
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  }
}

TEST(padlock_phe, zero_bytes_are_data) {
  // clause: PLK-PHE-024
  EXPECT_EQ(hash_on("esther9", sha1_hash(), Bytes(100)),
            "ed4a77d1b56a118938788fc53037759b6c501e3d");
  EXPECT_EQ(hash_on("esther9", sha256_hash(), Bytes(100)),
            "cd00e292c5970d3c5e2f0ffa5171e555bc46bfc4faddfb4a418b6840b86e79a3");
}

TEST(padlock_phe, the_message_may_lie_at_any_address) {
  for (const Hash* hash : both_hashes()) {
    for (const HashRow& row : hash_rows("xsha_lengths.txt")) {
      if (row.number != 3 && row.number != 200 && row.number != 1024) continue;
      for (uint64_t offset = 0; offset < 16; ++offset) {
        // Across a page boundary too.
        const uint64_t at = kMessageAt + 0xFF0 + offset;
        Machine m("esther9");
        set_up_hash(m, *hash, {});
        m.put(at, pattern(row.number));
        m.state().rsi = at;
        m.state().rcx = row.number;
        ASSERT_TRUE(is_done(m.issue(hash->code)));
        // clause: PLK-PHE-006
        EXPECT_EQ(digest_at(m, *hash), row.of(*hash)) << hash->name << " at offset " << offset;
        EXPECT_EQ(m.state().rsi, at + row.number);
      }
    }
  }
}

TEST(padlock_phe, the_hash_buffer_must_be_aligned) {
  for (const Hash* hash : both_hashes()) {
    Machine m("esther9");
    m.memory.map(kHashAt, 256);
    for (uint64_t offset = 1; offset < 16; ++offset) {
      set_up_hash(m, *hash, pattern(100));
      m.put(kHashAt + offset, hash->initial);
      m.state().rdi = kHashAt + offset;
      m.memory.map(Machine::kCode, 1);
      m.put(Machine::kCode, concat(hash->code, Bytes(28, 0x90)));
      m.memory.take_snapshot();
      // clause: PLK-PHE-006
      // clause: PLK-PHE-010
      EXPECT_TRUE(is_trap(m.issue(hash->code), Vector::general_protection)) << offset;
      EXPECT_TRUE(m.memory.changes_outside({}).empty());
      EXPECT_EQ(m.state().rax, 0u);
      EXPECT_EQ(m.state().rsi, kMessageAt);
      EXPECT_EQ(m.state().rip, Machine::kCode);
    }
  }
}

TEST(padlock_phe, alignment_is_that_of_the_linear_address) {
  for (const Hash* hash : both_hashes()) {
    Machine m("esther9");
    set_up_hash(m, *hash, kAbc);
    m.state().es.base = 8;
    m.state().rdi = kHashAt - 8;
    m.state().rsi = kMessageAt - 8;
    // clause: PLK-PHE-010
    ASSERT_TRUE(is_done(m.issue(hash->code)));
    EXPECT_EQ(digest_at(m, *hash), of_abc(*hash));

    set_up_hash(m, *hash, kAbc);
    m.state().rdi = kHashAt;
    EXPECT_TRUE(is_trap(m.issue(hash->code), Vector::general_protection));
  }
}

TEST(padlock_phe, needs_no_more_than_128_bytes_at_edi) {
  for (const Hash* hash : both_hashes()) {
    Machine m("esther9");
    set_up_hash(m, *hash, pattern(200));
    const uint64_t at = kHashAt + 4096 - kHashBufferLen;  // the next page is not there
    m.put(at, hash->initial);
    m.put(at - 64, random_bytes(64, 1));
    m.state().rdi = at;
    m.put(Machine::kCode, concat(hash->code, Bytes(28, 0x90)));
    m.memory.take_snapshot();
    // clause: PLK-PHE-011
    ASSERT_TRUE(is_done(m.issue(hash->code)));
    EXPECT_TRUE(m.memory.changes_outside({{at, kHashBufferLen}}).empty());
    EXPECT_NE(m.get(at, hash->initial.size()), hash->initial);
  }
}

TEST(padlock_phe, what_lies_behind_the_digest_is_work_space) {
  for (const Hash* hash : both_hashes()) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      Machine m("esther9");
      set_up_hash(m, *hash, kAbc);
      m.put(kHashAt + hash->initial.size(),
            random_bytes(kHashBufferLen - hash->initial.size(), seed));
      ASSERT_TRUE(is_done(m.issue(hash->code)));
      // clause: PLK-PHE-012
      EXPECT_EQ(digest_at(m, *hash), of_abc(*hash));
    }
  }
}

TEST(padlock_phe, eax_is_0_at_the_start) {
  for (const Hash* hash : both_hashes()) {
    for (const char* model : kPheModels) {
      for (uint64_t length : {0u, 64u, 100u}) {
        Machine m(model);
        set_up_hash(m, *hash, pattern(length));
        // Nothing else is an input.
        m.state().rbx = m.state().rdx = 0xDEADBEEF;
        ASSERT_TRUE(is_done(m.issue(hash->code)));
        // clause: PLK-PHE-016
        EXPECT_EQ(digest_at(m, *hash), hash_rows("xsha_lengths.txt")[length].of(*hash));
        EXPECT_EQ(m.state().rbx, 0xDEADBEEF);
        EXPECT_EQ(m.state().rdx, 0xDEADBEEF);
      }
    }
  }
}

// ---- Interrupts and restarts ----

TEST(padlock_phe, an_interrupt_finds_whole_blocks_done) {
  const std::vector<HashRow> states = hash_rows("xsha_states.txt");
  const Bytes message = pattern(1024);
  for (const Hash* hash : both_hashes()) {
    for (uint64_t blocks = 1; blocks < 16; ++blocks) {
      Machine m("esther9");
      set_up_hash(m, *hash, message);
      InterruptAfter after(blocks);
      ASSERT_TRUE(is_interrupted(m.issue(hash->code, &after))) << blocks;
      // clause: PLK-PHE-018
      EXPECT_EQ(m.state().rax, 64 * blocks);
      // clause: PLK-PHE-021
      EXPECT_EQ(digest_at(m, *hash), states[blocks].of(*hash));
      EXPECT_EQ(m.state().rsi, kMessageAt + 64 * blocks);
      // clause: PLK-PHE-009
      EXPECT_EQ(m.state().rdi, kHashAt);
      // clause: PLK-PHE-014
      EXPECT_EQ(m.state().rcx, message.size());
      EXPECT_EQ(m.state().rip, Machine::kCode);
    }
  }
}

TEST(padlock_phe, interrupts_at_every_block_leave_the_digest_alone) {
  for (const HashRow& row : hash_rows("xsha_lengths.txt")) {
    if (row.number % 64 > 1 && row.number % 64 < 54) continue;
    for (const Hash* hash : both_hashes()) {
      Machine m("esther9");
      set_up_hash(m, *hash, pattern(row.number));
      InterruptAfter first(1);
      const Step step = m.issue(hash->code, &first);
      if (step.outcome != Outcome::done) finish_with_interrupts(m);
      // clause: PLK-PHE-022
      EXPECT_EQ(digest_at(m, *hash), row.of(*hash))
          << hash->name << " of " << row.number << " bytes";
      EXPECT_EQ(m.state().rax, row.number);
      EXPECT_EQ(m.state().rsi, kMessageAt + row.number);
    }
  }
}

TEST(padlock_phe, two_tasks_may_take_turns) {
  const std::vector<HashRow> rows = hash_rows("xsha_lengths.txt");
  const HashRow& row = rows[200];
  Machine m("esther9");
  set_up_hash(m, sha256_hash(), pattern(200));
  InterruptAfter first(1);
  ASSERT_TRUE(is_interrupted(m.issue(sha256_hash().code, &first)));
  const State task_a = m.state();

  // Task B hashes something else with the other instruction, in a buffer and a message of its own.
  m.put(0x60000, sha1_hash().initial);
  m.put(0x61000, kAbc);
  m.put(0x2000, sha1_hash().code);
  m.put(0x2004, Bytes(16, 0x90));
  m.state().rax = 0;
  m.state().rcx = 3;
  m.state().rsi = 0x61000;
  m.state().rdi = 0x60000;
  m.state().rip = 0x2000;
  ASSERT_TRUE(is_done(m.issue_again()));
  EXPECT_EQ(digest_at(m, sha1_hash(), 0x60000), kSha1OfAbc);

  m.state() = task_a;
  finish_with_interrupts(m);
  // clause: PLK-PHE-022
  EXPECT_EQ(digest_at(m, sha256_hash()), row.sha256);
}

TEST(padlock_phe, a_stored_running_value_starts_a_restart) {
  const std::vector<HashRow> rows = hash_rows("xsha_lengths.txt");
  for (const Hash* hash : both_hashes()) {
    Machine first("esther9");
    set_up_hash(first, *hash, pattern(200));
    InterruptAfter two(2);
    ASSERT_TRUE(is_interrupted(first.issue(hash->code, &two)));

    // Another processor goes on from what memory and registers hold, as they are.
    Machine second("esther9");
    set_up_hash(second, *hash, pattern(200));
    second.put(kHashAt, first.get(kHashAt, kHashBufferLen));
    second.state().rax = 128;
    second.state().rsi = kMessageAt + 128;
    second.state().rcx = 200;
    ASSERT_TRUE(is_done(second.issue(hash->code)));
    // clause: PLK-PHE-029
    EXPECT_EQ(digest_at(second, *hash), rows[200].of(*hash));
    EXPECT_EQ(second.state().rsi, kMessageAt + 200);
  }
}

// Drivers finish with the instruction a hash that they began in software: EAX says how much is
// done, ESI addresses only what is left, ECX is the whole length.
TEST(padlock_phe, goes_on_with_a_hash_begun_elsewhere) {
  const std::vector<HashRow> rows = hash_rows("xsha_lengths.txt");
  for (const HashRow& state : hash_rows("xsha_states.txt")) {
    for (const Hash* hash : both_hashes()) {
      for (size_t length : {200u, 1024u, 1033u}) {
        if (64 * state.number > length) continue;
        const Bytes words = from_hex(state.of(*hash));
        Bytes little_endian;
        for (size_t word = 0; word < words.size(); word += 4)
          for (size_t i = 4; i-- > 0;) little_endian.push_back(words[word + i]);
        for (const char* model : kPheModels) {
          const Bytes whole = pattern(length);
          Machine m(model);
          set_up_hash(
              m, *hash,
              Bytes(whole.begin() + static_cast<std::ptrdiff_t>(64 * state.number), whole.end()));
          m.put(kHashAt, little_endian);
          m.state().rax = 64 * state.number;
          m.state().rcx = length;
          ASSERT_TRUE(is_done(m.issue(hash->code)));
          const auto row = std::find_if(rows.begin(), rows.end(),
                                        [&](const HashRow& r) { return r.number == length; });
          // clause: PLK-PHE-029
          EXPECT_EQ(digest_at(m, *hash), row->of(*hash))
              << hash->name << ", " << state.number << " blocks";
        }
      }
    }
  }
}

TEST(padlock_phe, padding_is_one_step) {
  const std::vector<HashRow> rows = hash_rows("xsha_lengths.txt");
  for (const Hash* hash : both_hashes()) {
    // A tail of 56 to 63 bytes is padded into two blocks; 120 bytes are one block and such a tail.
    for (size_t length : {55u, 56u, 60u, 63u, 120u, 127u}) {
      Machine m("esther9");
      set_up_hash(m, *hash, pattern(length));
      InterruptAfter in_the_last_step(length / 64 + 1);
      // clause: PLK-PHE-035
      ASSERT_TRUE(is_done(m.issue(hash->code, &in_the_last_step))) << length;
      EXPECT_EQ(m.state().rax, length);
      EXPECT_EQ(digest_at(m, *hash), rows[length].of(*hash));
    }
  }
}

TEST(padlock_phe, a_page_fault_in_the_message_keeps_the_blocks_before_it) {
  const std::vector<HashRow> states = hash_rows("xsha_states.txt");
  const std::vector<HashRow> rows = hash_rows("xsha_lengths.txt");
  for (bool direct : {true, false}) {
    for (const Hash* hash : both_hashes()) {
      // Two blocks and a bit lie before the missing page.
      const uint64_t page = kMessageAt + 0x1000, at = page - 150;
      Machine m("esther9");
      m.memory.allow_direct(direct);
      set_up_hash(m, *hash, {});
      m.put(at, pattern(200));
      m.memory.unmap(page, 1);
      m.state().rsi = at;
      m.state().rcx = 200;
      EXPECT_TRUE(is_page_fault(m.issue(hash->code), page, false));
      // clause: PLK-PHE-018
      EXPECT_EQ(m.state().rax, 128u);
      EXPECT_EQ(m.state().rsi, at + 128);
      // clause: PLK-PHE-021
      EXPECT_EQ(digest_at(m, *hash), states[2].of(*hash));
      EXPECT_EQ(m.state().rip, Machine::kCode);
      m.memory.map(page, 1);
      ASSERT_TRUE(is_done(m.issue_again()));
      EXPECT_EQ(digest_at(m, *hash), rows[200].of(*hash));
    }
  }
}

// ---- Formats ----

TEST(padlock_phe, initial_values_and_results_are_little_endian) {
  Machine m("esther9");
  set_up_hash(m, sha1_hash(), kAbc);
  // clause: PLK-PHE-025
  m.put(kHashAt, from_hex("01234567 89abcdef fedcba98 76543210 f0e1d2c3"));
  ASSERT_TRUE(is_done(m.issue(kXsha1)));
  // clause: PLK-PHE-028
  EXPECT_EQ(to_hex(m.get(kHashAt, 20)), "363e99a96a81064771253eba6cc250789dd8d09c");

  set_up_hash(m, sha256_hash(), kAbc);
  ASSERT_TRUE(is_done(m.issue(kXsha256)));
  EXPECT_EQ(to_hex(m.get(kHashAt, 32)),
            "bf1678baeacf018fde404141"
            "2322ae5da36103b09c7a1796"
            "61ff10b4ad1500f2");

  // clause: PLK-PHE-027
  set_up_hash(m, sha1_hash(), kAbc);
  m.put(kHashAt, from_hex("67452301 efcdab89 98badcfe 10325476 c3d2e1f0"));
  ASSERT_TRUE(is_done(m.issue(kXsha1)));
  EXPECT_NE(digest_at(m, sha1_hash()), kSha1OfAbc);
  EXPECT_NE(to_hex(m.get(kHashAt, 20)), kSha1OfAbc);
}

TEST(padlock_phe, the_message_is_a_plain_byte_stream) {
  for (const Hash* hash : both_hashes()) {
    Machine m("esther9");
    set_up_hash(m, *hash, from_hex("61 62 63"));
    ASSERT_TRUE(is_done(m.issue(hash->code)));
    // clause: PLK-PHE-030
    EXPECT_EQ(digest_at(m, *hash), of_abc(*hash));
  }
}

// The first 32 bits of the fraction of the square root of |prime|; a double has 50 of them.
uint32_t root_fraction(unsigned prime) {
  const double root = std::sqrt(static_cast<double>(prime));
  return static_cast<uint32_t>((root - std::floor(root)) * 4294967296.0);
}

TEST(padlock_phe, the_initial_words_of_sha256_are_roots_of_primes) {
  Bytes initial;
  for (unsigned prime : {2u, 3u, 5u, 7u, 11u, 13u, 17u, 19u}) {
    const uint32_t word = root_fraction(prime);
    for (int i = 0; i < 4; ++i) initial.push_back(static_cast<uint8_t>(word >> 8 * i));
  }
  // clause: PLK-PHE-026
  EXPECT_EQ(initial, sha256_hash().initial);
  Machine m("esther9");
  set_up_hash(m, sha256_hash(), kAbc);
  m.put(kHashAt, initial);
  ASSERT_TRUE(is_done(m.issue(kXsha256)));
  EXPECT_EQ(digest_at(m, sha256_hash()), kSha256OfAbc);
}

// ---- Prefixes and code sizes ----

TEST(padlock_phe, address_size_prefix_selects_si_and_di) {
  const std::vector<HashRow> rows = hash_rows("xsha_lengths.txt");
  for (const Hash* hash : both_hashes()) {
    Machine m("esther9");
    m.put(0x2000, hash->initial);
    m.put(0x4000, pattern(200));
    m.state().rax = 0;
    m.state().rcx = 200;
    m.state().rsi = 0xDEAD4000;
    m.state().rdi = 0xBEEF2000;
    ASSERT_TRUE(is_done(m.issue(with_prefix(0x67, hash->code))));
    // clause: PLK-PHE-031
    EXPECT_EQ(digest_at(m, *hash, 0x2000), rows[200].of(*hash));
    EXPECT_EQ(m.state().rsi, 0xDEAD4000u + 200);
    EXPECT_EQ(m.state().rdi, 0xBEEF2000u);
    EXPECT_EQ(m.state().rip, Machine::kCode + 5);
  }
}

TEST(padlock_phe, sixteen_bit_code_uses_si_and_di_unless_prefixed) {
  for (const Hash* hash : both_hashes()) {
    Machine m("esther9", CodeSize::bits16);
    m.put(0x2000, hash->initial);
    m.put(0x4000, kAbc);
    m.state().rax = 0;
    m.state().rcx = 3;
    m.state().rsi = 0xDEAD4000;
    m.state().rdi = 0xBEEF2000;
    ASSERT_TRUE(is_done(m.issue(hash->code)));
    // clause: PLK-PHE-031
    EXPECT_EQ(digest_at(m, *hash, 0x2000), of_abc(*hash));
    EXPECT_EQ(m.state().rsi, 0xDEAD4003u);

    set_up_hash(m, *hash, kAbc);
    ASSERT_TRUE(is_done(m.issue(with_prefix(0x67, hash->code))));
    EXPECT_EQ(digest_at(m, *hash), of_abc(*hash));
  }
}

TEST(padlock_phe, sixty_four_bit_code_uses_the_whole_registers) {
  for (const Hash* hash : both_hashes()) {
    Machine m("nano", CodeSize::bits64);
    const uint64_t high = 0x7F0000000000;
    m.put(high + 0x2000, hash->initial);
    m.put(high + 0x4000, kAbc);
    m.state().rax = 0;
    m.state().rcx = 3;
    m.state().rsi = high + 0x4000;
    m.state().rdi = high + 0x2000;
    ASSERT_TRUE(is_done(m.issue(hash->code)));
    EXPECT_EQ(digest_at(m, *hash, high + 0x2000), of_abc(*hash));
    EXPECT_EQ(m.state().rsi, high + 0x4003);

    // clause: PLK-PHE-031
    set_up_hash(m, *hash, kAbc);
    m.state().rsi += high;
    m.state().rdi += high;
    ASSERT_TRUE(is_done(m.issue(with_prefix(0x67, hash->code))));
    EXPECT_EQ(digest_at(m, *hash), of_abc(*hash));
  }
}

TEST(padlock_phe, address_size_prefix_leaves_ecx_and_eax_at_32_bits) {
  for (const Hash* hash : both_hashes()) {
    Machine m("esther9");
    m.memory.map(0, 0x10000);  // and nothing behind it: SI wraps
    m.put(0x8000, hash->initial);
    m.state().rax = 0;
    m.state().rcx = 0x10003;
    m.state().rsi = 0;
    m.state().rdi = 0x8000;
    ASSERT_TRUE(is_done(m.issue(with_prefix(0x67, hash->code))));
    // clause: PLK-PHE-032
    EXPECT_EQ(m.state().rax, 0x10003u);
    EXPECT_EQ(m.state().rcx, 0x10003u);
    EXPECT_EQ(m.state().rsi, 3u);
  }
}

TEST(padlock_phe, operand_size_prefix_is_invalid) {
  for (const Hash* hash : both_hashes()) {
    for (const char* model : kPheModels) {
      Machine m(model);
      set_up_hash(m, *hash, kAbc);
      // clause: PLK-PHE-034
      EXPECT_TRUE(is_trap(m.issue(with_prefix(0x66, hash->code)), Vector::invalid_opcode));
      EXPECT_EQ(m.get(kHashAt, hash->initial.size()), hash->initial);
      EXPECT_EQ(m.state().rax, 0u);
    }
  }
}

// ---- EAX = -1, not in the guide: Nano and later hash ECX whole blocks without padding ----
// ----

struct Partial {
  CodeSize code_size;
  uint64_t all_ones;
};
const Partial kPartials[] = {{CodeSize::bits32, 0xFFFFFFFF}, {CodeSize::bits64, ~uint64_t{0}}};

TEST(padlock_phe, nano_hashes_whole_blocks_without_padding) {
  for (const Partial& partial : kPartials) {
    for (const HashRow& state : hash_rows("xsha_states.txt")) {
      for (const Hash* hash : both_hashes()) {
        Machine m("nano", partial.code_size);
        set_up_hash(m, *hash, pattern(64 * state.number));
        m.state().rax = partial.all_ones;
        m.state().rcx = state.number;
        ASSERT_TRUE(is_done(m.issue(hash->code)));
        // clause: PLK-PHE-036
        EXPECT_EQ(digest_at(m, *hash), state.of(*hash)) << hash->name << ", " << state.number;
        // clause: PLK-PHE-037
        EXPECT_EQ(m.state().rax, partial.all_ones);
        EXPECT_EQ(m.state().rcx, 0u);
        EXPECT_EQ(m.state().rsi, kMessageAt + 64 * state.number);
        EXPECT_EQ(m.state().rdi, kHashAt);
      }
    }
  }
}

TEST(padlock_phe, nano_partial_hash_may_be_interrupted) {
  const std::vector<HashRow> states = hash_rows("xsha_states.txt");
  for (const Partial& partial : kPartials) {
    for (const Hash* hash : both_hashes()) {
      Machine m("nano", partial.code_size);
      set_up_hash(m, *hash, pattern(1024));
      m.state().rax = partial.all_ones;
      m.state().rcx = 16;
      InterruptAfter five(5);
      ASSERT_TRUE(is_interrupted(m.issue(hash->code, &five)));
      EXPECT_EQ(digest_at(m, *hash), states[5].of(*hash));
      // clause: PLK-PHE-037
      EXPECT_EQ(m.state().rcx, 11u);
      EXPECT_EQ(m.state().rsi, kMessageAt + 5 * 64);
      finish_with_interrupts(m);
      EXPECT_EQ(digest_at(m, *hash), states[16].of(*hash));
      EXPECT_EQ(m.state().rsi, kMessageAt + 1024);
    }
  }
}

// What counts as all ones follows the address size.
TEST(padlock_phe, all_ones_are_as_wide_as_addresses) {
  const struct {
    CodeSize code_size;
    bool prefix;
    uint64_t rax;
    bool whole_blocks;
  } cases[] = {
      {CodeSize::bits64, false, ~uint64_t{0}, true}, {CodeSize::bits64, false, 0xFFFFFFFF, false},
      {CodeSize::bits64, true, 0xFFFFFFFF, true},    {CodeSize::bits64, true, ~uint64_t{0}, true},
      {CodeSize::bits32, false, 0xFFFFFFFF, true},   {CodeSize::bits32, false, 0xFFFF, false},
      {CodeSize::bits32, true, 0xFFFFFFFF, true},    {CodeSize::bits32, true, 0xFFFF, false},
      {CodeSize::bits16, false, 0xFFFFFFFF, true},   {CodeSize::bits16, false, 0xFFFF, false},
      {CodeSize::bits16, true, 0xFFFFFFFF, true},
  };
  const std::vector<HashRow> states = hash_rows("xsha_states.txt");
  for (const auto& c : cases) {
    for (const Hash* hash : both_hashes()) {
      Machine m("nano", c.code_size);
      m.memory.map(0, 0x10000);
      m.put(0x2000, hash->initial);
      m.put(0x4000, pattern(128));
      m.state().rax = c.rax;
      m.state().rcx = 2;
      m.state().rsi = 0x4000;
      m.state().rdi = 0x2000;
      ASSERT_TRUE(is_done(m.issue(c.prefix ? with_prefix(0x67, hash->code) : hash->code)));
      // clause: PLK-PHE-038
      EXPECT_EQ(digest_at(m, *hash, 0x2000) == states[2].of(*hash), c.whole_blocks)
          << static_cast<int>(c.code_size) << " " << c.prefix << " " << c.rax;
      EXPECT_EQ(m.state().rcx, c.whole_blocks ? 0u : 2u);
    }
  }
}

// GnuTLS tells a Nano from a C7 by the state that one block of 'a' leaves when EAX is -1: a C7 must
// not fault and must leave another one.
TEST(padlock_phe, only_nano_answers_the_probe_for_partial_hashing) {
  const std::string probe = "da4968eb2e377c1f884e8f5283524bebe74ebdbd";
  for (const char* model : {"esther", "esther9"}) {
    Machine m(model);
    set_up_hash(m, sha1_hash(), Bytes(64, 'a'));
    m.state().rax = 0xFFFFFFFF;
    m.state().rcx = 1;
    EXPECT_TRUE(is_done(m.issue(kXsha1)));
    EXPECT_NE(digest_at(m, sha1_hash()), probe);
  }
  for (const Partial& partial : kPartials) {
    Machine m("nano", partial.code_size);
    set_up_hash(m, sha1_hash(), Bytes(64, 'a'));
    m.state().rax = partial.all_ones;
    m.state().rcx = 1;
    EXPECT_TRUE(is_done(m.issue(kXsha1)));
    EXPECT_EQ(digest_at(m, sha1_hash()), probe);
  }
}

// The way to a partial hash on a C7: the data ends at a missing page, ECX says more, and the fault
// leaves the state.
TEST(padlock_phe, a_fault_behind_the_data_leaves_the_running_value) {
  const std::vector<HashRow> states = hash_rows("xsha_states.txt");
  for (const char* model : kPheModels) {
    for (const Hash* hash : both_hashes()) {
      const uint64_t page = kMessageAt + 0x1000;
      Machine m(model);
      set_up_hash(m, *hash, {});
      m.put(page - 192, pattern(192));
      m.memory.unmap(page, 1);
      m.state().rsi = page - 192;
      m.state().rcx = 4096;
      EXPECT_TRUE(is_page_fault(m.issue(hash->code), page, false));
      EXPECT_EQ(digest_at(m, *hash), states[3].of(*hash));
      EXPECT_EQ(m.state().rax, 192u);
    }
  }
}

}  // namespace
}  // namespace incore::padlock::test
