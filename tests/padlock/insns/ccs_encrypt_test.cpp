// REP CCS_ENCRYPT (SM4) of Zhaoxin parts.
#include <gtest/gtest.h>

#include "padlock/machine_units.h"
#include "padlock/openssl_oracle.h"

namespace incore::padlock::test {
namespace {

const Bytes kCcsEncrypt = {0xF3, 0x0F, 0xA7, 0xF0};
const char kModel[] = "zhaoxin";

// The control word, GMI User Manual 1.0.
constexpr uint32_t kDecrypt = 1, kSm4 = 0x10 << 1, kEcb = 1 << 6, kCbc = 1 << 7, kCfb = 1 << 8,
                   kOfb = 1 << 9, kCtr = 1 << 10, kMac = 1 << 11;
struct ModeOf {
  uint32_t bit;
  const char* name;  // as OpenSSL calls it
};
const ModeOf kModes[] = {
    {kEcb, "sm4-ecb"}, {kCbc, "sm4-cbc"}, {kCfb, "sm4-cfb"}, {kOfb, "sm4-ofb"}, {kCtr, "sm4-ctr"}};

// GB/T 32907-2016, appendix A.
const Bytes kExample = from_hex("0123456789abcdeffedcba9876543210");
const char kExampleCipher[] = "681edf34d206965e86b3e94f536e4246";

struct Job {
  uint32_t control;
  Bytes in;
  Bytes key = kExample;
  Bytes vector = from_hex("000102030405060708090a0b0c0d0e0f");
  uint64_t key_at = 0x10000, vector_at = 0x20000, in_at = 0x30000, out_at = 0x40000;

  void prepare(Machine& m) const {
    m.put(key_at, key);
    if ((control & kEcb) == 0) m.put(vector_at, vector);
    m.put(in_at, in);
    m.memory.map(out_at, in.size());
    set_registers(m);
  }
  void set_registers(Machine& m) const {
    m.state().rax = control;
    m.state().rbx = key_at;
    m.state().rcx = in.size() / 16;
    m.state().rdx = vector_at;
    m.state().rsi = in_at;
    m.state().rdi = out_at;
  }
  Bytes output(const Machine& m) const { return m.get(out_at, in.size()); }
  // Output and vector of a run that nothing stops.
  std::pair<Bytes, Bytes> run() const {
    Machine m(kModel);
    prepare(m);
    EXPECT_TRUE(is_done(m.issue(kCcsEncrypt)));
    return {output(m), (control & kEcb) == 0 ? m.get(vector_at, 16) : Bytes()};
  }
};

Bytes first_blocks(const Bytes& bytes, size_t blocks) {
  return Bytes(bytes.begin(), bytes.begin() + static_cast<long>(16 * blocks));
}
Bytes last_block(const Bytes& bytes) {
  return Bytes(bytes.end() - 16, bytes.end());
}

TEST(padlock_ccs_encrypt, example_of_the_standard) {
  for (const CodeSize code_size : {CodeSize::bits32, CodeSize::bits64}) {
    Machine m(kModel, code_size);
    const Job job = {kSm4 | kEcb, kExample};
    job.prepare(m);
    // clause: PLK-ZX-040
    // clause: PLK-ZX-043
    ASSERT_TRUE(is_done(m.issue(kCcsEncrypt)));
    // clause: PLK-ZX-042
    EXPECT_EQ(to_hex(job.output(m)), kExampleCipher);
  }
  // clause: PLK-ZX-042
  EXPECT_EQ((Job{kSm4 | kEcb | kDecrypt, from_hex(kExampleCipher)}.run().first), kExample);
}

TEST(padlock_ccs_encrypt, modes_agree_with_openssl) {
  for (const ModeOf& mode : kModes) {
    if (const std::string why = incore::test::missing_in_openssl("cipher", mode.name); !why.empty())
      GTEST_SKIP() << why;
    for (const uint32_t decrypt : {0u, kDecrypt}) {
      const Job job = {kSm4 | mode.bit | decrypt, random_bytes(16 * 40, mode.bit),
                       random_bytes(16, 2), random_bytes(16, 3)};
      // clause: PLK-ZX-041
      EXPECT_EQ(to_hex(job.run().first), to_hex(incore::test::openssl_cipher(
                                             mode.name, decrypt != 0, job.key, job.vector, job.in)))
          << mode.name << " " << decrypt;
    }
  }
}

TEST(padlock_ccs_encrypt, registers_at_the_end) {
  for (const ModeOf& mode : kModes) {
    Machine m(kModel, CodeSize::bits64);
    const Job job = {kSm4 | mode.bit, random_bytes(64, 1)};
    job.prepare(m);
    ASSERT_TRUE(is_done(m.issue(kCcsEncrypt)));
    // clause: PLK-ZX-044
    EXPECT_EQ(m.state().rax, job.control) << mode.name;
    EXPECT_EQ(m.state().rbx, job.key_at);
    EXPECT_EQ(m.state().rcx, 0u);
    EXPECT_EQ(m.state().rsi, job.in_at + 64);
    EXPECT_EQ(m.state().rdi, job.out_at + 64);
    // clause: PLK-ZX-045
    EXPECT_EQ(m.state().rdx, job.vector_at);
  }
}

TEST(padlock_ccs_encrypt, the_vector_is_that_of_the_next_call) {
  for (const ModeOf& mode : kModes) {
    if (mode.bit == kEcb) continue;
    for (const uint32_t decrypt : {0u, kDecrypt}) {
      const Job whole = {kSm4 | mode.bit | decrypt, random_bytes(64, mode.bit)};
      Job half = whole;
      half.in.resize(32);
      Machine m(kModel);
      half.prepare(m);
      m.put(half.in_at, whole.in);
      m.memory.map(half.out_at, 64);
      ASSERT_TRUE(is_done(m.issue(kCcsEncrypt)));
      m.state().rcx = 2;
      ASSERT_TRUE(is_done(m.issue(kCcsEncrypt)));
      // clause: PLK-ZX-045
      EXPECT_EQ(whole.output(m), whole.run().first) << mode.name << " " << decrypt;
      EXPECT_EQ(m.get(whole.vector_at, 16), whole.run().second);
    }
  }
}

TEST(padlock_ccs_encrypt, ctr_counts_in_16_bits) {
  Job job = {kSm4 | kCtr, Bytes(48)};
  job.vector = from_hex("000102030405060708090a0bfffffffe");
  const Bytes key_stream = job.run().first;
  // clause: PLK-ZX-046
  EXPECT_EQ(to_hex(job.run().second), "000102030405060708090a0bffff0001");
  const Job wrapped = {kSm4 | kEcb, from_hex("000102030405060708090a0bffff0000")};
  // clause: PLK-ZX-046
  EXPECT_EQ(last_block(key_stream), wrapped.run().first);
}

TEST(padlock_ccs_encrypt, mac_keeps_the_last_block_only) {
  for (const uint32_t mode : {kCbc, kCfb}) {
    const Job plain = {kSm4 | mode, random_bytes(64, 1)};
    const Job mac = {kSm4 | mode | kMac, plain.in};
    Machine m(kModel);
    mac.prepare(m);
    m.put(mac.out_at, Bytes(64, 0xEE));
    ASSERT_TRUE(is_done(m.issue(kCcsEncrypt)));
    // clause: PLK-ZX-047
    EXPECT_EQ(m.get(mac.out_at, 16), last_block(plain.run().first));
    // clause: PLK-ZX-048
    EXPECT_EQ(m.get(mac.out_at + 16, 48), Bytes(48, 0xEE));
    EXPECT_EQ(m.state().rdi, mac.out_at);
    EXPECT_EQ(m.state().rsi, mac.in_at + 64);
    EXPECT_EQ(m.state().rcx, 0u);
  }
  for (const uint32_t mode : {kEcb, kOfb, kCtr}) {
    const Bytes in = random_bytes(64, 2);
    // clause: PLK-ZX-048
    EXPECT_EQ((Job{kSm4 | mode | kMac, in}.run().first), (Job{kSm4 | mode, in}.run().first));
  }
}

TEST(padlock_ccs_encrypt, control_words_without_meaning_are_refused) {
  std::vector<uint32_t> refused = {0, kSm4, kEcb, kSm4 | kEcb | kCbc, kSm4 | kCtr | kOfb};
  for (uint32_t algorithm = 0; algorithm < 32; ++algorithm)
    if (algorithm << 1 != kSm4) refused.push_back(algorithm << 1 | kEcb);
  for (const uint32_t control : refused) {
    Machine m(kModel);
    Job job = {control, kExample};
    job.prepare(m);
    m.put(job.vector_at, job.vector);
    m.put(job.out_at, Bytes(16, 0xEE));
    // clause: PLK-ZX-049
    EXPECT_TRUE(is_trap(m.issue(kCcsEncrypt), Vector::general_protection)) << control;
    EXPECT_EQ(m.get(job.out_at, 16), Bytes(16, 0xEE));
    EXPECT_EQ(m.get(job.vector_at, 16), job.vector);
    EXPECT_EQ(m.state().rcx, 1u);
  }
}

TEST(padlock_ccs_encrypt, bits_without_meaning_are_ignored) {
  for (const ModeOf& mode : kModes) {
    const Bytes in = random_bytes(48, mode.bit);
    // clause: PLK-ZX-050
    EXPECT_EQ((Job{kSm4 | mode.bit | 0xFFFFF000, in}.run()), (Job{kSm4 | mode.bit, in}.run()));
  }
  for (const uint32_t mode : {kOfb, kCtr}) {
    const Bytes in = random_bytes(48, mode);
    // clause: PLK-ZX-050
    EXPECT_EQ((Job{kSm4 | mode | kDecrypt, in}.run()), (Job{kSm4 | mode, in}.run()));
  }
}

TEST(padlock_ccs_encrypt, operands_may_lie_anywhere) {
  for (const ModeOf& mode : kModes) {
    const Job aligned = {kSm4 | mode.bit, random_bytes(48, mode.bit)};
    Job odd = aligned;
    odd.key_at += 1, odd.vector_at += 3, odd.in_at += 5, odd.out_at += 7;
    // clause: PLK-ZX-051
    EXPECT_EQ(odd.run(), aligned.run()) << mode.name;
    Job in_place = aligned;
    in_place.out_at = in_place.in_at;
    EXPECT_EQ(in_place.run(), aligned.run()) << mode.name;
  }
}

TEST(padlock_ccs_encrypt, the_key_is_read_each_time) {
  Machine m(kModel);
  Job job = {kSm4 | kEcb, kExample};
  job.prepare(m);
  ASSERT_TRUE(is_done(m.issue(kCcsEncrypt)));
  job.key = random_bytes(16, 9);
  m.put(job.key_at, job.key);
  job.set_registers(m);
  m.state().rflags |= kEflagsKeyLoaded;
  ASSERT_TRUE(is_done(m.issue(kCcsEncrypt)));
  // clause: PLK-ZX-052
  EXPECT_EQ(job.output(m), job.run().first);
  // What REP XCRYPT finds in the flag afterwards: it must load its own key again.
  EXPECT_FALSE(m.keys_loaded());
}

TEST(padlock_ccs_encrypt, no_blocks_touch_nothing) {
  for (const ModeOf& mode : kModes) {
    Machine m(kModel);
    Job{kSm4 | mode.bit, {}}.set_registers(m);
    const uint64_t rdi = m.state().rdi;
    // clause: PLK-ZX-053
    ASSERT_TRUE(is_done(m.issue(kCcsEncrypt))) << mode.name;
    EXPECT_EQ(m.state().rdi, rdi);
  }
}

TEST(padlock_ccs_encrypt, faults_and_interrupts_are_resumed) {
  for (const ModeOf& mode : kModes) {
    for (const uint32_t decrypt : {0u, kDecrypt}) {
      const Job job = {kSm4 | mode.bit | decrypt, random_bytes(64, mode.bit)};
      const auto expected = job.run();
      for (const bool write : {false, true}) {
        Machine m(kModel);
        job.prepare(m);
        const uint64_t bad = write ? job.out_at + 32 + 7 : job.in_at + 32 + 7;
        write ? m.memory.fault_writes_at(bad) : m.memory.fault_reads_at(bad);
        ASSERT_TRUE(is_page_fault(m.issue(kCcsEncrypt), bad, write));
        // clause: PLK-ZX-054
        EXPECT_EQ(m.state().rcx, 2u);
        EXPECT_EQ(m.state().rsi, job.in_at + 32);
        EXPECT_EQ(m.state().rdi, job.out_at + 32);
        EXPECT_EQ(m.get(job.out_at, 32), first_blocks(expected.first, 2));
        m.memory.clear_faults();
        ASSERT_TRUE(is_done(m.issue_again()));
        // clause: PLK-ZX-054
        EXPECT_EQ(job.output(m), expected.first) << mode.name;
      }
      Machine m(kModel);
      job.prepare(m);
      InterruptAfter first(1);
      Step step = m.issue(kCcsEncrypt, &first);
      unsigned interrupts = 0;
      for (; step.outcome == Outcome::interrupted; ++interrupts) {
        EXPECT_EQ(m.state().rcx, 3u - interrupts);
        InterruptAfter next(1);
        step = m.issue_again(&next);
      }
      ASSERT_TRUE(is_done(step));
      // clause: PLK-ZX-054
      EXPECT_EQ(interrupts, 3u);
      EXPECT_EQ(job.output(m), expected.first) << mode.name;
      if (mode.bit != kEcb) {
        EXPECT_EQ(m.get(job.vector_at, 16), expected.second);
      }
    }
  }
}

// A vector that cannot be written is found before the first block.
TEST(padlock_ccs_encrypt, a_read_only_vector_faults_with_nothing_done) {
  Machine m(kModel);
  const Job job = {kSm4 | kCbc, random_bytes(32, 1)};
  job.prepare(m);
  m.memory.map(job.vector_at, 16, Access::read_only);
  ASSERT_TRUE(is_page_fault(m.issue(kCcsEncrypt), job.vector_at, true));
  EXPECT_EQ(job.output(m), Bytes(32));
  EXPECT_EQ(m.state().rcx, 2u);
}

}  // namespace
}  // namespace incore::padlock::test
