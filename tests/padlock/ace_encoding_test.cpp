// Encodings and prefixes of REP XCRYPT. PadLock guide 1.66, chapter 3.
#include <cstring>

#include "padlock/insn.h"
#include "padlock/vectors.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

// The bytes decode to the mnemonic, whole, and do what the mode should: SP 800-38A, appendix F.
void expect_encoding(const Bytes& code, const char* mnemonic, Mode mode, const Bytes& iv,
                     const Bytes& expected) {
  const Decoded decoded = decode(code.data(), code.size(), CodeSize::bits32);
  ASSERT_NE(decoded.insn, nullptr);
  EXPECT_STREQ(decoded.insn->mnemonic, mnemonic);
  EXPECT_EQ(decoded.length, 4);
  EXPECT_TRUE(decoded.rep);

  Machine m("esther9");
  const XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, kSpPlain, iv);
  job.prepare(m);
  ASSERT_TRUE(is_done(m.issue(code)));
  EXPECT_EQ(to_hex(job.output(m)), to_hex(expected));
  EXPECT_EQ(m.state().rip, Machine::kCode + 4);
}

TEST(padlock_ace_encoding, xcrypt_ecb_is_f3_0f_a7_c8) {
  // clause: PLK-ACE-001
  expect_encoding({0xF3, 0x0F, 0xA7, 0xC8}, "xcrypt-ecb", Mode::ecb, kSpIv, kSpEcb128);
}

TEST(padlock_ace_encoding, xcrypt_cbc_is_f3_0f_a7_d0) {
  // clause: PLK-ACE-002
  expect_encoding({0xF3, 0x0F, 0xA7, 0xD0}, "xcrypt-cbc", Mode::cbc, kSpIv, kSpCbc128);
}

TEST(padlock_ace_encoding, xcrypt_ctr_is_f3_0f_a7_d8) {
  // clause: PLK-ACE-003
  expect_encoding({0xF3, 0x0F, 0xA7, 0xD8}, "xcrypt-ctr", Mode::ctr, kSpCounter, kSpCtr128);
}

TEST(padlock_ace_encoding, xcrypt_cfb_is_f3_0f_a7_e0) {
  // clause: PLK-ACE-004
  expect_encoding({0xF3, 0x0F, 0xA7, 0xE0}, "xcrypt-cfb", Mode::cfb, kSpIv, kSpCfb128);
}

TEST(padlock_ace_encoding, xcrypt_ofb_is_f3_0f_a7_e8) {
  // clause: PLK-ACE-005
  expect_encoding({0xF3, 0x0F, 0xA7, 0xE8}, "xcrypt-ofb", Mode::ofb, kSpIv, kSpOfb128);
}

TEST(padlock_ace_encoding, nehemiah_has_no_ctr) {
  for (Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    Machine m("nehemiah");
    const XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, kSpPlain, kSpIv);
    const Step step = job.run(m);
    // clause: PLK-ACE-032
    if (mode == Mode::ctr) {
      EXPECT_TRUE(is_trap(step, Vector::invalid_opcode));
      EXPECT_EQ(job.output(m), Bytes(kSpPlain.size()));
    } else {
      EXPECT_TRUE(is_done(step));
    }
  }
}

TEST(padlock_ace_encoding, operand_size_prefix_is_an_invalid_opcode) {
  for (Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    Machine m("esther9");
    const XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, kSpPlain, kSpIv);
    job.prepare(m);
    m.memory.take_snapshot();
    // clause: PLK-ACE-060
    EXPECT_TRUE(is_trap(m.issue(with_prefix(0x66, opcode_of(mode))), Vector::invalid_opcode));
    // The order of prefixes does not matter.
    Bytes swapped = opcode_of(mode);
    swapped.insert(swapped.begin() + 1, 0x66);
    EXPECT_TRUE(is_trap(m.issue(swapped), Vector::invalid_opcode));
    EXPECT_EQ(m.state().rip, Machine::kCode);
    EXPECT_EQ(m.state().rcx, job.blocks());
    EXPECT_EQ(job.output(m), Bytes(kSpPlain.size()));
  }
}

TEST(padlock_ace_encoding, address_size_prefix_selects_the_16_bit_registers_in_32_bit_code) {
  for (Mode mode : kModes) {
    for (bool decrypt : {false, true}) {
      SCOPED_TRACE(name_of(mode));
      Machine m("esther9");
      XcryptJob job = XcryptJob::standard(mode, decrypt, kSpKey128, random_bytes(32, 1), kSpIv);
      job.iv_at = 0x2000, job.key_at = 0x3000, job.control_at = 0x4000;
      job.source_at = 0x5000, job.dest_at = 0x6000;
      job.prepare(m);
      State& s = m.state();
      for (uint64_t* r : {&s.rax, &s.rbx, &s.rdx, &s.rsi, &s.rdi}) *r |= 0xABCD0000;
      s.rcx = 0x10002;
      ASSERT_TRUE(is_done(m.issue(with_prefix(0x67, opcode_of(mode)))));
      // clause: PLK-ACE-059
      EXPECT_EQ(job.output(m), apply_mode(mode, decrypt, kSpKey128, 10, kSpIv, job.source).data);
      EXPECT_EQ(s.rsi, 0xABCD5020u);
      EXPECT_EQ(s.rdi, 0xABCD6020u);
      EXPECT_EQ(s.rbx, 0xABCD3000u);
      EXPECT_EQ(s.rdx, 0xABCD4000u);
      const bool moves_eax = !decrypt && (mode == Mode::cbc || mode == Mode::cfb);
      EXPECT_EQ(s.rax, moves_eax ? 0xABCD6010u : 0xABCD2000u);
      // clause: PLK-ACE-047
      EXPECT_EQ(s.rcx, 0x10000u);
    }
  }
}

TEST(padlock_ace_encoding, without_the_prefix_the_32_bit_count_is_used) {
  Machine m("esther9");
  XcryptJob job = XcryptJob::standard(Mode::cbc, false, kSpKey128, random_bytes(0x10002 * 16, 2));
  job.source_at = 0x800000, job.dest_at = 0x1000000;
  ASSERT_TRUE(is_done(job.run(m)));
  // clause: PLK-ACE-047
  EXPECT_EQ(m.state().rcx, 0u);
  EXPECT_EQ(m.state().rsi, job.source_at + 0x100020);
  EXPECT_NE(m.get(job.dest_at + 0x100010, 16), Bytes(16));
}

TEST(padlock_ace_encoding, address_size_prefix_widens_in_16_bit_code) {
  Machine m("esther9", CodeSize::bits16);
  XcryptJob job =
      XcryptJob::standard(Mode::cbc, false, kSpKey128, kSpPlain, kSpIv);  // far above 64 KB
  job.prepare(m);
  ASSERT_TRUE(is_done(m.issue(with_prefix(0x67, kXcryptCbc))));
  // clause: PLK-ACE-059
  EXPECT_EQ(to_hex(job.output(m)), to_hex(kSpCbc128));
  EXPECT_EQ(m.state().rsi, job.source_at + 64);
}

TEST(padlock_ace_encoding, sixteen_bit_code_uses_the_16_bit_registers) {
  Machine m("esther9", CodeSize::bits16);
  XcryptJob job = XcryptJob::standard(Mode::cbc, true, kSpKey128, kSpCbc128, kSpIv);
  job.iv_at = 0x2000, job.key_at = 0x3000, job.control_at = 0x4000;
  job.source_at = 0x5000, job.dest_at = 0x6000;
  job.prepare(m);
  m.state().rsi |= 0x70000, m.state().rcx |= 0x30000;
  ASSERT_TRUE(is_done(m.issue(kXcryptCbc)));
  // clause: PLK-ACE-059
  EXPECT_EQ(to_hex(job.output(m)), to_hex(kSpPlain));
  EXPECT_EQ(m.state().rsi, 0x75040u);
  EXPECT_EQ(m.state().rcx, 0x30000u);
}

TEST(padlock_ace_encoding, long_mode_uses_64_bit_registers_and_the_prefix_32_bit_ones) {
  for (Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    Machine m("nano", CodeSize::bits64);
    XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, random_bytes(64, 3), kSpIv);
    const uint64_t high = uint64_t{7} << 36;
    for (uint64_t* at : {&job.iv_at, &job.key_at, &job.control_at, &job.source_at, &job.dest_at})
      *at += high;
    const Bytes expected = apply_mode(mode, false, kSpKey128, 10, kSpIv, job.source).data;
    ASSERT_TRUE(is_done(job.run(m)));
    EXPECT_EQ(job.output(m), expected);
    EXPECT_EQ(m.state().rsi, job.source_at + 64);
    EXPECT_EQ(m.state().rdi, job.dest_at + 64);

    for (uint64_t* at : {&job.iv_at, &job.key_at, &job.control_at, &job.source_at, &job.dest_at})
      *at -= high;
    job.prepare(m);
    State& s = m.state();
    for (uint64_t* r : {&s.rax, &s.rbx, &s.rdx, &s.rsi, &s.rdi, &s.rcx}) *r |= high;
    ASSERT_TRUE(is_done(m.issue(with_prefix(0x67, opcode_of(mode)))));
    // clause: PLK-ACE-059
    EXPECT_EQ(job.output(m), expected);
    // clause: PLK-ACE-047
    EXPECT_EQ(s.rcx & 0xFFFFFFFF, 0u);
  }
}

}  // namespace
}  // namespace incore::padlock::test
