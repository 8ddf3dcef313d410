// The PadLock processor: architectural state, hidden state, and a model. It knows nothing of who
// runs it: the tests, the run-time of `incore run` and a checker are all front-ends. No system
// call, no allocation; safe in a signal handler.
#pragma once

#include <cstdint>

#include "crypto/aes/aes_kernel.h"
#include "crypto/sha/sha_kernel.h"
#include "padlock/control_word.h"
#include "padlock/decode.h"
#include "padlock/memory.h"
#include "padlock/model.h"
#include "padlock/rng.h"
#include "padlock/state.h"
#include "padlock/trap.h"

namespace incore::padlock {

// The host kernels that the processor computes with. The emulator names them and never takes the
// kernel `padlock`, which would come back to it.
struct HostKernels {
  const AesKernel* aes;
  const Sha1Kernel* sha1;
  const Sha256Kernel* sha256;
  const Sha512Kernel* sha512;

  static HostKernels choose(FeatureSet available);  // the best that this CPU runs
  static HostKernels portable();
};

enum class Unit : uint8_t { rng, ace, ace_ctr, phe, phe2, pmm, ccs };

inline constexpr uint32_t kMsrFcr = 0x1107;                // Function Control Register
inline constexpr uint64_t kFcrEnable = uint64_t{1} << 28;  // ACE, ACE2, PHE and PMM together
// Zhaoxin has its enable bits in another register (Linux, arch/x86/kernel/cpu/zhaoxin.c).
inline constexpr uint32_t kMsrZhaoxinFcr = 0x1257;
inline constexpr uint64_t kZhaoxinAceEnable = uint64_t{1} << 7;
inline constexpr uint64_t kZhaoxinRngEnable = uint64_t{1} << 8;
inline constexpr uint32_t kPadlockLeaf = 0xC0000001;

struct CpuidAnswer {
  uint32_t eax, ebx, ecx, edx;
};

enum class Outcome : uint8_t {
  done,         // completed; RIP is behind the instruction
  trapped,      // RIP is at the instruction, registers as the guide promises for that fault
  interrupted,  // as trapped, by an interrupt at a block boundary; issued again, it goes on
};

class Processor {
 public:
  State state;
  Rng rng;

  Processor(const Model& model, const HostKernels& kernels);

  const Model& model() const { return *model_; }

  // RESET and INIT as the guide's chapter 1 (Start-Up) says; a new processor has been RESET. CR4 is
  // cleared by both.
  void reset();
  void init();

  // For front-ends that stand where an operating system has already set up the CPU: CPL 3,
  // CR4.OSFXSR set.
  void enter_user_mode(CodeSize code_size);

  CpuidAnswer cpuid(uint32_t leaf, uint32_t subleaf) const;
  Trap rdmsr(uint32_t msr, uint64_t* out_value);
  Trap wrmsr(uint32_t msr, uint64_t value);

  // The flags of CPUID leaf 0xC0000001: whether the unit is there, and whether its MSR bit lets it
  // work.
  bool unit_exists(Unit unit) const;
  bool unit_enabled(Unit unit) const;

  // Runs the decoded instruction at state.rip to its end, a trap or an interrupt. A trap is left in
  // *out_trap. EFLAGS bit 30 is clear after a trap or an interrupt, since their delivery stores
  // EFLAGS.
  Outcome step(const Decoded& decoded, Memory& memory, Trap* out_trap,
               Interrupts* interrupts = nullptr);

  // What else changes EFLAGS bit 30: PUSHF and its like (returns the image stored), POPF and IRET,
  // SYSENTER.
  uint64_t store_flags();
  void load_flags(uint64_t image);
  void sysenter();

  // For front-ends that keep the key RAM while others use the processor: it holds |key|, and EFLAGS
  // bit 30 is set.
  void restore_key(const LoadedKey& key);

  // The hidden state. What |state| holds is the front-end's.
  void exchange(Snapshot& snapshot);

  // What was loaded last.
  const KeyRam& key_ram() const { return key_ram_; }
  ControlWord control_word() const { return key_ram_.control_word(); }

  // Key loads since the start, for tests and statistics.
  uint64_t num_key_loads() const { return num_key_loads_; }

 private:
  friend struct Execution;  // what an instruction's execute() works on: see execution.h

  bool is_fcr(uint32_t msr) const;
  bool is_rng_msr(uint32_t msr) const;
  bool ace_enabled() const;  // and with it ACE2, PHE and PMM
  bool rng_enabled() const;
  uint32_t padlock_flags(uint32_t dumped) const;

  const Model* model_;
  HostKernels kernels_;
  uint64_t fcr_;    // MSR 0x1107, or 0x1257
  KeyRam key_ram_;  // hidden: the loaded control word and keys
  uint64_t num_key_loads_ = 0;
};

}  // namespace incore::padlock
