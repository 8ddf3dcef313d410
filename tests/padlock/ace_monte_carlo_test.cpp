// The AES Monte Carlo test (NIST's, as the sample program BAES of the PadLock guide has it) through
// the processor: one block per instruction, 400 x 10000 of them.
#include "cpu/cpu.h"
#include "padlock/vectors.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

constexpr uint64_t kKey = 0x20000, kControl = 0x30000, kBuffers = 0x40000;

struct MonteCarlo {
  Mode mode;
  bool decrypt;
  unsigned outer_rounds = 400;
  bool reset_flags = true;  // PUSHFL, POPFL after each change of the key

  Bytes run() const;
};

Bytes MonteCarlo::run() const {
  Machine m(*find_model("esther9"), CodeSize::bits32, HostKernels::choose(detect_features()));
  ControlFields control;
  control.decrypt = decrypt;
  m.put(kKey, Bytes(16));
  m.put(kControl, control.bytes());
  m.put(kBuffers, Bytes(64));
  const Bytes& code = opcode_of(mode);
  const Decoded decoded = decode(code.data(), code.size(), CodeSize::bits32);
  State& s = m.state();
  s.rbx = kKey;
  s.rdx = kControl;
  // Three buffers go round. ECB reads a second source block, hence the fourth.
  uint64_t source = kBuffers, vector = kBuffers + 16, result = kBuffers + 32;
  for (unsigned outer = 0; outer < outer_rounds; ++outer) {
    for (unsigned inner = 0; inner < 10000; ++inner) {
      s.rax = vector;
      s.rcx = 1;
      s.rsi = source;
      s.rdi = result;
      Trap trap;
      if (m.processor.step(decoded, m.memory, &trap) != Outcome::done) {
        ADD_FAILURE() << (trap.reason() ? trap.reason() : "interrupted");
        return {};
      }
      if (mode == Mode::ecb) {
        std::swap(source, result);
        continue;
      }
      const uint64_t old_source = source, old_vector = vector, made = result;
      if (decrypt)  // the vector is the source just used, the source is the result
        vector = old_source, source = made, result = old_vector;
      else  // the source is the old vector, as its bytes are in memory; the vector is the result
        vector = made, source = old_vector, result = old_source;
    }
    const uint64_t last = mode == Mode::ecb || decrypt ? source : vector;
    const Bytes made = m.get(last, 16);
    if (outer + 1 == outer_rounds) return made;
    Bytes key = m.get(kKey, 16);
    for (size_t i = 0; i < 16; ++i) key[i] ^= made[i];
    m.put(kKey, key);
    if (reset_flags) m.processor.load_flags(m.processor.store_flags());
  }
  return {};
}

TEST(padlock_ace_monte_carlo, cbc_encrypts_to_the_published_result) {
  // clause: PLK-TOOL-043
  // clause: PLK-TOOL-044
  // clause: PLK-TOOL-047
  // clause: PLK-TOOL-048
  EXPECT_EQ(to_hex(MonteCarlo{Mode::cbc, false}.run()), "2f844cbf78eba70da7a49601388f1ab6");
}

TEST(padlock_ace_monte_carlo, cbc_decrypts_to_the_published_result) {
  // clause: PLK-TOOL-043
  // clause: PLK-TOOL-045
  // clause: PLK-TOOL-049
  EXPECT_EQ(to_hex(MonteCarlo{Mode::cbc, true}.run()), "9b8fb71e035ceff9cbfa1346e5acefe0");
}

TEST(padlock_ace_monte_carlo, ecb_encrypts_to_the_published_result) {
  // clause: PLK-TOOL-050
  EXPECT_EQ(to_hex(MonteCarlo{Mode::ecb, false}.run()), "a04377abe259b0d0b5ba2d40a501971b");
}

TEST(padlock_ace_monte_carlo, ecb_decrypts_to_the_published_result) {
  // clause: PLK-TOOL-051
  EXPECT_EQ(to_hex(MonteCarlo{Mode::ecb, true}.run()), "f5bf8b37136f2e1f6bec6f572021e3ba");
}

TEST(padlock_ace_monte_carlo, fails_without_the_flag_reset) {
  for (Mode mode : {Mode::cbc, Mode::ecb}) {
    for (bool decrypt : {false, true}) {
      // clause: PLK-TOOL-046
      EXPECT_EQ((MonteCarlo{mode, decrypt, 1, false}.run()),
                (MonteCarlo{mode, decrypt, 1, true}.run()));
      EXPECT_NE((MonteCarlo{mode, decrypt, 2, false}.run()),
                (MonteCarlo{mode, decrypt, 2, true}.run()));
    }
  }
}

}  // namespace
}  // namespace incore::padlock::test
