// REP CCS_HASH (SM3) of Zhaoxin parts.
#include <gtest/gtest.h>

#include "padlock/machine_units.h"
#include "padlock/openssl_oracle.h"

namespace incore::padlock::test {
namespace {

const Bytes kCcsHash = {0xF3, 0x0F, 0xA6, 0xE8};
const char kModel[] = "zhaoxin";
constexpr uint64_t kStateAt = 0x20000;
constexpr uint64_t kTextAt = 0x40000;
constexpr size_t kStateLen = 32;
constexpr uint32_t kSelectSm3 = 0x20;
// GB/T 32905-2016 section 4.1, as the standard prints it.
const Bytes kInitial = from_hex("7380166f4914b2b9172442d7da8a0600a96f30bc163138aae38dee4db0fb0e4e");
const Bytes kAbc = {'a', 'b', 'c'};
const char kDigestOfAbc[] = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";

// As the program sees an initial value that it wrote byte for byte.
void set_up(Machine& m, const Bytes& message, uint64_t text_at = kTextAt) {
  m.memory.map(kStateAt, 128);
  m.put(kStateAt, kInitial);
  m.memory.map(text_at, 1);
  m.put(text_at, message);
  m.state().rax = 0;
  m.state().rbx = kSelectSm3;
  m.state().rcx = message.size();
  m.state().rsi = text_at;
  m.state().rdi = kStateAt;
}

Bytes padded(Bytes message) {
  const uint64_t bits = 8 * message.size();
  message.push_back(0x80);
  while (message.size() % 64 != 56) message.push_back(0);
  for (int shift = 56; shift >= 0; shift -= 8)
    message.push_back(static_cast<uint8_t>(bits >> shift));
  return message;
}

std::string digest_of(const Machine& m) {
  return to_hex(m.get(kStateAt, kStateLen));
}

TEST(padlock_ccs_hash, examples_of_the_standard) {
  Bytes abcd;
  for (int i = 0; i < 64; ++i) abcd.push_back(static_cast<uint8_t>('a' + i % 4));
  const struct {
    Bytes message;
    const char* digest;
  } examples[] = {
      {kAbc, kDigestOfAbc},
      {abcd, "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"},
  };
  for (const CodeSize code_size : {CodeSize::bits32, CodeSize::bits64}) {
    for (const auto& example : examples) {
      Machine m(*find_model(kModel), code_size, HostKernels::portable());
      set_up(m, example.message);
      // clause: PLK-ZX-020
      // clause: PLK-ZX-021
      ASSERT_TRUE(is_done(m.issue(kCcsHash)));
      // clause: PLK-ZX-023
      // clause: PLK-ZX-026
      EXPECT_EQ(digest_of(m), example.digest);
    }
  }
}

TEST(padlock_ccs_hash, lengths_agree_with_openssl) {
  if (const std::string why = incore::test::missing_in_openssl("digest", "sm3"); !why.empty())
    GTEST_SKIP() << why;
  for (size_t len : {1, 31, 55, 56, 63, 64, 65, 119, 120, 128, 200}) {
    const Bytes message = random_bytes(len, len);
    Machine m(kModel);
    set_up(m, message);
    ASSERT_TRUE(is_done(m.issue(kCcsHash)));
    // clause: PLK-ZX-024
    EXPECT_EQ(digest_of(m), to_hex(incore::test::openssl_digest("sm3", message))) << len;
    EXPECT_EQ(m.state().rax, len);
    EXPECT_EQ(m.state().rcx, len);
    EXPECT_EQ(m.state().rsi, kTextAt + len);
    EXPECT_EQ(m.state().rbx, kSelectSm3);
    EXPECT_EQ(m.state().rdi, kStateAt);
  }
}

TEST(padlock_ccs_hash, whole_blocks_without_padding) {
  const struct {
    CodeSize code_size;
    uint64_t all_ones;
  } cases[] = {{CodeSize::bits32, 0xFFFFFFFF}, {CodeSize::bits64, ~uint64_t{0}}};
  const Bytes message = random_bytes(150, 4);
  Machine whole(kModel);
  set_up(whole, message);
  ASSERT_TRUE(is_done(whole.issue(kCcsHash)));
  for (const auto& c : cases) {
    Machine m(kModel, c.code_size);
    set_up(m, padded(message));
    m.state().rax = c.all_ones;
    m.state().rcx = 3;
    ASSERT_TRUE(is_done(m.issue(kCcsHash)));
    // clause: PLK-ZX-025
    EXPECT_EQ(digest_of(m), digest_of(whole));
    EXPECT_EQ(m.state().rax, c.all_ones);
    EXPECT_EQ(m.state().rbx, kSelectSm3);
    EXPECT_EQ(m.state().rcx, 0u);
    EXPECT_EQ(m.state().rsi, kTextAt + 192);
    EXPECT_EQ(m.state().rdi, kStateAt);
  }
}

TEST(padlock_ccs_hash, ebx_must_select_sm3) {
  for (const uint64_t ebx : {0x00, 0x10, 0x21, 0x40, 0x120}) {
    Machine m(kModel);
    set_up(m, kAbc);
    m.state().rbx = ebx;
    // clause: PLK-ZX-022
    EXPECT_TRUE(is_trap(m.issue(kCcsHash), Vector::general_protection)) << ebx;
    EXPECT_EQ(m.get(kStateAt, kStateLen), kInitial);
    EXPECT_EQ(m.state().rcx, 3u);
  }
}

TEST(padlock_ccs_hash, only_the_state_must_be_aligned) {
  for (uint64_t offset = 1; offset < 16; ++offset) {
    Machine m(kModel);
    set_up(m, kAbc, kTextAt + offset);
    m.state().rdi += offset;
    // clause: PLK-ZX-027
    EXPECT_TRUE(is_trap(m.issue(kCcsHash), Vector::general_protection)) << offset;
    m.state().rdi -= offset;
    ASSERT_TRUE(is_done(m.issue_again()));
    // clause: PLK-ZX-027
    EXPECT_EQ(digest_of(m), kDigestOfAbc) << offset;
  }
  Machine m(kModel);
  set_up(m, kAbc);
  m.put(kStateAt + kStateLen, Bytes(96, 0xEE));
  ASSERT_TRUE(is_done(m.issue(kCcsHash)));
  // clause: PLK-ZX-027
  EXPECT_EQ(m.get(kStateAt + kStateLen, 96), Bytes(96, 0xEE));
}

TEST(padlock_ccs_hash, nothing_is_hashed_to_nothing) {
  for (const uint64_t eax : {0u, 0xFFFFFFFFu}) {
    Machine m(kModel);
    set_up(m, {});
    m.state().rax = eax;
    ASSERT_TRUE(is_done(m.issue(kCcsHash)));
    // clause: PLK-ZX-028
    EXPECT_EQ(m.get(kStateAt, kStateLen), kInitial);
    EXPECT_EQ(m.state().rax, eax);
  }
}

TEST(padlock_ccs_hash, interrupts_and_faults_leave_whole_blocks_done) {
  const Bytes message = random_bytes(300, 5);
  Machine whole(kModel), two(kModel);
  set_up(whole, message);
  set_up(two, Bytes(message.begin(), message.begin() + 128));
  two.state().rax = 0xFFFFFFFF;
  two.state().rcx = 2;
  ASSERT_TRUE(is_done(whole.issue(kCcsHash)) && is_done(two.issue(kCcsHash)));

  Machine m(kModel);
  set_up(m, message);
  InterruptAfter first(1);
  Step step = m.issue(kCcsHash, &first);
  unsigned interrupts = 0;
  for (; step.outcome == Outcome::interrupted; ++interrupts) {
    // clause: PLK-ZX-029
    EXPECT_EQ(m.state().rax, 64u * (interrupts + 1));
    InterruptAfter next(1);
    step = m.issue_again(&next);
  }
  ASSERT_TRUE(is_done(step));
  EXPECT_EQ(interrupts, 4u);
  EXPECT_EQ(digest_of(m), digest_of(whole));

  Machine f(kModel);
  set_up(f, message);
  f.memory.fault_reads_at(kTextAt + 130);
  ASSERT_TRUE(is_page_fault(f.issue(kCcsHash), kTextAt + 130, false));
  // clause: PLK-ZX-029
  EXPECT_EQ(digest_of(f), digest_of(two));
  EXPECT_EQ(f.state().rax, 128u);
  f.memory.clear_faults();
  ASSERT_TRUE(is_done(f.issue_again()));
  EXPECT_EQ(digest_of(f), digest_of(whole));
}

TEST(padlock_ccs_hash, prefixes_as_for_the_other_hashes) {
  Machine m(kModel);
  set_up(m, kAbc);
  for (const Bytes& code : {with_prefix(0x66, kCcsHash), with_prefix(0xF0, kCcsHash),
                            Bytes(kCcsHash.begin() + 1, kCcsHash.end())})
    // clause: PLK-ZX-055
    EXPECT_TRUE(is_trap(m.issue(code), Vector::invalid_opcode)) << to_hex(code);
}

}  // namespace
}  // namespace incore::padlock::test
