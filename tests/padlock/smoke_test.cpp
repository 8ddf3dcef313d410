// A few known answers through each kind of instruction: FIPS 197 and SP 800-38A, FIPS 180-4, the
// PadLock guide's example. The clause tests are in the other files of this folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "padlock/insn.h"
#include "padlock/processor.h"
#include "support/hex.h"

namespace incore::padlock {
namespace {

using test::Bytes;
using test::from_hex;
using test::to_hex;

// Flat memory from address 0; |direct| offers pointers for bulk work.
class FlatMemory final : public Memory {
 public:
  explicit FlatMemory(size_t len) : bytes(len) {}

  Trap read(uint64_t address, void* out, size_t len) override {
    if (!inside(address, len)) return Trap::pf(std::max<uint64_t>(address, bytes.size()), 4);
    std::memcpy(out, &bytes[address], len);
    return {};
  }
  Trap write(uint64_t address, const void* in, size_t len) override {
    if (!inside(address, len)) return Trap::pf(std::max<uint64_t>(address, bytes.size()), 6);
    std::memcpy(&bytes[address], in, len);
    return {};
  }
  Trap probe_write(uint64_t address, size_t len) override {
    if (!inside(address, len)) return Trap::pf(std::max<uint64_t>(address, bytes.size()), 6);
    return {};
  }
  const uint8_t* readable(uint64_t address, size_t len) override { return writable(address, len); }
  uint8_t* writable(uint64_t address, size_t len) override {
    return direct && inside(address, len) ? &bytes[address] : nullptr;
  }

  void put(size_t address, const Bytes& data) {
    std::copy(data.begin(), data.end(), bytes.begin() + static_cast<ptrdiff_t>(address));
  }
  Bytes get(size_t address, size_t len) const {
    const auto from = bytes.begin() + static_cast<ptrdiff_t>(address);
    return Bytes(from, from + static_cast<ptrdiff_t>(len));
  }

  Bytes bytes;
  bool direct = true;

 private:
  bool inside(uint64_t address, size_t len) const {
    return address <= bytes.size() && len <= bytes.size() - address;
  }
};

constexpr size_t kKey = 0x100, kControl = 0x200, kVector = 0x300, kIn = 0x400, kOut = 0x800;

struct Machine {
  explicit Machine(const char* model = "nano")
      : cpu(*find_model(model), HostKernels::choose(detect_features())) {
    cpu.enter_user_mode(CodeSize::bits32);
  }
  Outcome run(const Insn& insn, Interrupts* interrupts = nullptr) {
    Decoded decoded = {};
    decoded.insn = &insn;
    decoded.rep = insn.rep;
    decoded.length = insn.rep ? 4 : 3;
    return cpu.step(decoded, memory, &trap, interrupts);
  }
  Bytes xcrypt(const Insn& insn, uint32_t control_word, const Bytes& key, const Bytes& vector,
               const Bytes& in) {
    State& s = cpu.state;
    s.rax = kVector, s.rbx = kKey, s.rcx = in.size() / 16, s.rdx = kControl;
    s.rsi = kIn, s.rdi = kOut;
    Bytes control(16);
    store_le32(control.data(), control_word);
    memory.put(kControl, control);
    memory.put(kKey, key);
    memory.put(kVector, vector);
    memory.put(kIn, in);
    s.rflags &= ~kEflagsKeyLoaded;
    EXPECT_EQ(run(insn), Outcome::done) << (trap.reason() ? trap.reason() : "");
    EXPECT_EQ(s.rcx, 0u);
    return memory.get(kOut, in.size());
  }

  FlatMemory memory{0x10000};
  Processor cpu;
  Trap trap;
};

TEST(padlock_smoke, ecb_gives_the_example_of_fips_197) {
  for (const bool direct : {true, false}) {
    Machine m;
    m.memory.direct = direct;
    const Bytes key = from_hex("000102030405060708090a0b0c0d0e0f");
    const Bytes plain = from_hex("00112233445566778899aabbccddeeff");
    const Bytes cipher = m.xcrypt(xcrypt_ecb, 0x00A, key, {}, plain);
    EXPECT_EQ(to_hex(cipher), "69c4e0d86a7b0430d8cdb78070b4c55a");
    EXPECT_EQ(m.xcrypt(xcrypt_ecb, 0x20A, key, {}, cipher), plain);
    EXPECT_EQ(m.cpu.num_key_loads(), 2u);
    EXPECT_EQ(to_hex(m.xcrypt(xcrypt_ecb, 0x101, key, {}, plain)),
              "89d810e8855ace682d1843d8cb128fe4");
    EXPECT_EQ(to_hex(m.xcrypt(xcrypt_ecb, 0x001, key, {}, plain)),
              "b5f99471dbcf93fe17d6cfa06c61a619");
    EXPECT_EQ(to_hex(m.xcrypt(xcrypt_ecb, 0x000, key, {}, plain)),
              "e8f0b469620be19442eb9a7a8446ff62");
    AesRoundKeys schedule;
    aes_portable.expand_key(key.data(), key.size(), 15, &schedule);
    const Bytes slots(schedule.bytes, schedule.bytes + kMemoryKeyLen);
    EXPECT_EQ(to_hex(m.xcrypt(xcrypt_ecb, 0x080, slots, {}, plain)),
              "fd19fa9becf7e469822939b9ae3b0df1");
  }
}

// SP 800-38A appendix F: key 2b7e..., vector 00..0f (counter f0..ff), four blocks.
TEST(padlock_smoke, modes_give_the_examples_of_sp_800_38a_in_bulk_and_block_by_block) {
  const Bytes key = from_hex("2b7e151628aed2a6abf7158809cf4f3c");
  const Bytes plain = from_hex(
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
      "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");
  const Bytes iv = from_hex("000102030405060708090a0b0c0d0e0f");
  const Bytes counter = from_hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
  struct Case {
    const Insn& insn;
    const Bytes& vector;
    const char* cipher;
  };
  const Case cases[] = {
      {xcrypt_cbc, iv,
       "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
       "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"},
      {xcrypt_cfb, iv,
       "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
       "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6"},
      {xcrypt_ofb, iv,
       "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
       "9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e"},
      {xcrypt_ctr, counter,
       "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
       "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
  };
  for (const Case& c : cases) {
    for (const bool direct : {true, false}) {
      SCOPED_TRACE(std::string(c.insn.mnemonic) + (direct ? ", in bulk" : ", block by block"));
      Machine m;
      m.memory.direct = direct;
      EXPECT_EQ(to_hex(m.xcrypt(c.insn, 0x00A, key, c.vector, plain)), c.cipher);
      EXPECT_EQ(m.xcrypt(c.insn, 0x20A, key, c.vector, from_hex(c.cipher)), plain);
    }
  }
}

TEST(padlock_smoke, sha1_of_abc_is_stored_as_little_endian_words) {
  Machine m;
  m.memory.put(0x100, from_hex("0123456789abcdeffedcba9876543210f0e1d2c3"));
  m.memory.put(0x203, from_hex("616263"));
  m.cpu.state.rax = 0, m.cpu.state.rcx = 3, m.cpu.state.rsi = 0x203, m.cpu.state.rdi = 0x100;
  ASSERT_EQ(m.run(xsha1), Outcome::done);
  EXPECT_EQ(to_hex(m.memory.get(0x100, 20)), "363e99a96a81064771253eba6cc250789dd8d09c");
  EXPECT_EQ(m.cpu.state.rax, 3u);
  EXPECT_EQ(m.cpu.state.rsi, 0x206u);
}

// GnuTLS tells a Nano from a C7 by this: EAX all ones, one block of 'a'.
TEST(padlock_smoke, only_nano_hashes_whole_blocks_without_padding) {
  std::string states[2];
  for (int i = 0; i < 2; ++i) {
    Machine m(i == 0 ? "nano" : "esther");
    m.memory.put(0x100, from_hex("0123456789abcdeffedcba9876543210f0e1d2c3"));
    m.memory.put(0x200, Bytes(64, 'a'));
    State& s = m.cpu.state;
    s.rax = 0xFFFFFFFF, s.rcx = 1, s.rsi = 0x200, s.rdi = 0x100;
    ASSERT_EQ(m.run(xsha1), Outcome::done);
    states[i] = to_hex(m.memory.get(0x100, 20));
    if (i == 0) {
      EXPECT_EQ(s.rax, 0xFFFFFFFFu);
      EXPECT_EQ(s.rcx, 0u);
      EXPECT_EQ(s.rsi, 0x240u);
    }
  }
  // Words DA4968EB 2E377C1F 884E8F52 83524BEB E74EBDBD.
  EXPECT_EQ(states[0], "eb6849da1f7c372e528f4e88eb4b5283bdbd4ee7");
  EXPECT_NE(states[1], states[0]);
}

TEST(padlock_smoke, montmul_gives_the_worked_example) {
  Machine m;
  const auto number = [](std::string hex) {
    Bytes bytes = from_hex(hex);
    std::reverse(bytes.begin(), bytes.end());
    return bytes;
  };
  Bytes context(24);
  const uint32_t words[6] = {0xEA53FA95, 0x200, 0x300, 0x400, 0x500, 0x600};
  for (size_t i = 0; i < 6; ++i) store_le32(&context[4 * i], words[i]);
  m.memory.put(0x101, context);
  m.memory.put(0x200, number("8" + std::string(62, '0') + "1"));
  m.memory.put(0x300, number(std::string(63, '0') + "3"));
  m.memory.put(0x500, number(std::string(62, 'f') + "43"));
  State& s = m.cpu.state;
  s.rax = 0, s.rcx = 256, s.rdx = 77, s.rsi = 0x101;
  ASSERT_EQ(m.run(montmul), Outcome::done) << m.trap.reason();
  EXPECT_EQ(m.memory.get(0x400, 36), [&] {
    Bytes t = number("6fbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbef6e");
    t.resize(36);
    return t;
  }());
  EXPECT_EQ(s.rcx, 0u);
  EXPECT_EQ(s.rdx, 0u);
  EXPECT_EQ(s.rsi, 0x101u);
}

TEST(padlock_smoke, rep_xstore_joins_the_bytes_of_the_buffers) {
  Machine m;
  m.cpu.rng.use_bytes([](void*, uint8_t out[8]) { std::memcpy(out, "ABCDEFGH", 8); });
  State& s = m.cpu.state;
  s.rcx = 5, s.rdx = 2, s.rdi = 0x100;
  ASSERT_EQ(m.run(rep_xstore), Outcome::done);
  EXPECT_EQ(m.memory.get(0x100, 8), (Bytes{'A', 'B', 'A', 'B', 'A', 'B', 0, 0}));
  EXPECT_EQ(s.rdi, 0x105u);
  EXPECT_EQ(s.rcx, 0u);
}

TEST(padlock_smoke, a_dead_generator_does_not_hang_the_emulator) {
  Machine m;
  m.cpu.state.rcx = 5, m.cpu.state.rdx = 0, m.cpu.state.rdi = 0x100;
  EXPECT_EQ(m.run(rep_xstore), Outcome::interrupted);
  EXPECT_EQ(m.cpu.state.rcx, 5u);
}

}  // namespace
}  // namespace incore::padlock
