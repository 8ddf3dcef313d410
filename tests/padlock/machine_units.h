// Each unit tried with valid operands, and the MSRs as an operating system reaches them, for the
// tests of CPUID, MSRs, RESET and INIT.
#pragma once

#include <vector>

#include "padlock/machine.h"
#include "padlock/machine_montmul.h"
#include "padlock/machine_xsha.h"

namespace incore::padlock::test {

inline constexpr uint32_t kMsrFcr = 0x1107;
inline constexpr uint64_t kFcrPadlock = uint64_t{1} << 28;

// A model with fields changed, as `--cpu` takes it.
class SpecifiedMachine {
 public:
  explicit SpecifiedMachine(const char* spec)
      : machine_(parsed(spec, &spec_), CodeSize::bits32, HostKernels::portable()) {}
  Machine* operator->() { return &machine_; }
  Machine& operator*() { return machine_; }

 private:
  static const Model& parsed(const char* text, ModelSpec* out) {
    char message[256];
    const char* error = parse_model_spec(text, out, message, sizeof message);
    EXPECT_EQ(error, nullptr) << error;
    return out->model;
  }
  ModelSpec spec_;
  Machine machine_;
};

// ---- MSRs at CPL 0 ----

inline Trap try_rdmsr(Machine& m, uint32_t msr, uint64_t* out_value, unsigned cpl = 0) {
  const unsigned before = m.state().cpl;
  m.state().cpl = cpl;
  const Trap trap = m.processor.rdmsr(msr, out_value);
  m.state().cpl = before;
  return trap;
}

inline Trap try_wrmsr(Machine& m, uint32_t msr, uint64_t value, unsigned cpl = 0) {
  const unsigned before = m.state().cpl;
  m.state().cpl = cpl;
  const Trap trap = m.processor.wrmsr(msr, value);
  m.state().cpl = before;
  return trap;
}

inline uint64_t msr_of(Machine& m, uint32_t msr) {
  uint64_t value = ~uint64_t{0};
  EXPECT_FALSE(try_rdmsr(m, msr, &value));
  return value;
}

inline void set_msr(Machine& m, uint32_t msr, uint64_t value) {
  EXPECT_FALSE(try_wrmsr(m, msr, value));
}

// MSR 0x110B without the count and the undefined half.
inline uint32_t rng_fields(Machine& m) {
  return static_cast<uint32_t>(msr_of(m, kMsrRng)) & ~kRngBcntMask;
}
inline unsigned rng_count(Machine& m) {
  return static_cast<uint32_t>(msr_of(m, kMsrRng)) & kRngBcntMask;
}

// ---- CPUID ----

inline uint32_t padlock_flags(Machine& m) {
  return m.processor.cpuid(0xC0000001, 0).edx;
}
inline bool flag(Machine& m, unsigned bit) {
  return (padlock_flags(m) >> bit & 1) != 0;
}

// ---- Every unit once ----

inline const std::vector<Bytes> kXcrypts = {kXcryptEcb, kXcryptCbc, kXcryptCtr, kXcryptCfb,
                                            kXcryptOfb};
inline const std::vector<Bytes> kXshas = {kXsha1, kXsha256};

inline Step try_xstore(Machine& m, const Bytes& code = kXstore) {
  m.memory.map(0x50000, 4096);
  m.state().rdi = 0x50000;
  m.state().rdx = 0;
  m.state().rcx = 0;
  return m.issue(code);
}

// One block with a zero key and vector: 128 bits, ten rounds, hardware keys.
inline Step try_xcrypt(Machine& m, const Bytes& code) {
  m.memory.map(0x51000, 8 * 4096);
  m.put(0x51000, from_hex("0a000000000000000000000000000000"));
  m.state().rdx = 0x51000;
  m.state().rax = 0x52000;
  m.state().rbx = 0x53000;
  m.state().rsi = 0x54000;
  m.state().rdi = 0x55000;
  m.state().rcx = 1;
  return m.issue(code);
}

inline Step try_xsha(Machine& m, const Bytes& code) {
  set_up_hash(m, code == kXsha1 ? sha1_hash() : sha256_hash(), {'a', 'b', 'c'});
  return m.issue(code);
}

inline Step try_montmul(Machine& m) {
  Bytes modulus(32, 0xFF);
  set_up_montmul(m, number("2", 32), number("3", 32), modulus);
  return m.issue(kMontmul);
}

// Whether all instructions of the unit execute; fails the test unless they all do or all raise #UD.
inline bool works(const std::vector<Step>& steps) {
  size_t done = 0;
  for (const Step& step : steps) {
    if (step.outcome == Outcome::done) {
      ++done;
    } else {
      EXPECT_TRUE(is_trap(step, Vector::invalid_opcode));
    }
  }
  EXPECT_TRUE(done == 0 || done == steps.size());
  return done != 0;
}

inline bool rng_works(Machine& m) {
  return works({try_xstore(m), try_xstore(m, kRepXstore)});
}

// The modes that Nehemiah has too; with CTR where |ctr|.
inline bool ace_works(Machine& m, bool ctr = false) {
  std::vector<Step> steps;
  for (const Bytes& code : kXcrypts)
    if (ctr || code != kXcryptCtr) steps.push_back(try_xcrypt(m, code));
  return works(steps);
}

inline bool phe_works(Machine& m) {
  return works({try_xsha(m, kXsha1), try_xsha(m, kXsha256)});
}
inline bool pmm_works(Machine& m) {
  return works({try_montmul(m)});
}

}  // namespace incore::padlock::test
