// Identity, MSRs, RESET and EFLAGS bit 30 of the PadLock processor; instructions are in insns/.
// PadLock guide 1.66, chapters 1 and 2.
#include "padlock/processor.h"

#include "padlock/execution.h"
#if defined(__x86_64__) || defined(__i386__)
#include "cpu/cpuid_x86.h"
#endif

namespace incore::padlock {
namespace {

constexpr uint64_t kResetFlags = 2;
constexpr uint64_t kResetRip = 0xFFFFFFF0;

// Flags of leaf 0xC0000001 EDX. Each unit has a bit for "exists" and, above it, one for "enabled".
constexpr uint32_t kFlagRng = 1u << 2;
constexpr uint32_t kFlagCcs = 1u << 4;  // on Zhaoxin; older parts have other things there
constexpr uint32_t kFlagAce = 1u << 6;
constexpr uint32_t kFlagAce2 = 1u << 8;
constexpr uint32_t kFlagPhe = 1u << 10;
constexpr uint32_t kFlagPmm = 1u << 12;
constexpr uint32_t kFlagPhe2 = 1u << 25;
constexpr uint32_t kEmulatedFlags =
    3 * (kFlagRng | kFlagAce | kFlagAce2 | kFlagPhe | kFlagPmm | kFlagPhe2);
// RNG2 and RSA (XMODEXP, MONTMUL2) of Nano and later are not emulated, and must not be announced.
constexpr uint32_t kMissingFlags = 3u << 22 | 3u << 27;
// Zhaoxin's SM2 (missing too) and CCS, in bits that mean other things on older parts.
constexpr uint32_t kZhaoxinFlags = 3u << 0 | 3 * kFlagCcs;

// What every x86-64 processor has, for 64-bit programs on models that have no long mode: leaf 1 EDX
// FPU, TSC, MSR, CX8, CMOV, MMX, FXSR, SSE, SSE2; leaf 0x80000001 EDX SYSCALL, NX, LM.
constexpr uint32_t kBaseline1 =
    1u << 0 | 1u << 4 | 1u << 5 | 1u << 8 | 1u << 15 | 1u << 23 | 1u << 24 | 1u << 25 | 1u << 26;
constexpr uint32_t kBaseline80000001 = 1u << 11 | 1u << 20 | 1u << 29;

const CpuidRow* find_row(const Model& model, uint32_t leaf, uint32_t subleaf) {
  for (size_t i = 0; i < model.num_cpuid; ++i) {
    const CpuidRow& row = model.cpuid[i];
    if (row.leaf == leaf && (row.subleaf == kAnySubleaf || row.subleaf == subleaf)) return &row;
  }
  return nullptr;
}

CpuidAnswer host_cpuid(uint32_t leaf, uint32_t subleaf) {
#if defined(__x86_64__) || defined(__i386__)
  const CpuidResult r = native_cpuid(leaf, subleaf);
  return {r.eax, r.ebx, r.ecx, r.edx};
#else
  (void)leaf, (void)subleaf;
  return {0, 0, 0, 0};
#endif
}

uint64_t reset_fcr(const Model& model) {
  return model.zhaoxin ? kZhaoxinAceEnable | kZhaoxinRngEnable : kFcrEnable;
}

}  // namespace

Processor::Processor(const Model& model, const HostKernels& kernels)
    : rng(model), model_(&model), kernels_(kernels), fcr_(reset_fcr(model)) {}

void Processor::reset() {
  init();
  fcr_ = reset_fcr(*model_);
  rng.reset();
  key_ram_.clear();
}

void Processor::init() {
  state.rflags = kResetFlags;  // bit 30 too
  state.cr0 = state.cr4 = 0;
  state.cpl = 0;
  state.rip = kResetRip;
}

void Processor::enter_user_mode(CodeSize code_size) {
  state.code_size = code_size;
  state.cpl = 3;
  state.cr0 |= kCr0Am;
  state.cr4 |= kCr4Osfxsr;
  state.es = Segment{};
}

bool Processor::unit_exists(Unit unit) const {
  switch (unit) {
    case Unit::rng:
      return model_->rng;
    case Unit::ace:
      return model_->ace;
    case Unit::ace_ctr:
      return model_->ace && model_->ctr;
    case Unit::phe:
      return model_->phe;
    case Unit::phe2:
      return model_->phe2;
    case Unit::pmm:
      return model_->pmm;
    case Unit::ccs:
      return model_->ccs;
  }
  return false;
}

bool Processor::unit_enabled(Unit unit) const {
  if (!unit_exists(unit)) return false;
  if (unit == Unit::phe2 || unit == Unit::ccs) return true;  // no MSR switches these
  return unit == Unit::rng ? rng_enabled() : ace_enabled();
}

bool Processor::ace_enabled() const {
  return (fcr_ & (model_->zhaoxin ? kZhaoxinAceEnable : kFcrEnable)) != 0;
}

bool Processor::rng_enabled() const {
  return model_->zhaoxin ? (fcr_ & kZhaoxinRngEnable) != 0 : rng.enabled();
}

CpuidAnswer Processor::cpuid(uint32_t leaf, uint32_t subleaf) const {
  CpuidAnswer answer = {0, 0, 0, 0};
  if (const CpuidRow* row = find_row(*model_, leaf, subleaf)) {
    answer = {row->eax, row->ebx, row->ecx, row->edx};
  } else if (model_->host_cpuid && leaf < 0xC0000000) {
    return host_cpuid(leaf, subleaf);
  }
  if (leaf == kPadlockLeaf) answer.edx = padlock_flags(answer.edx);
  if (state.code_size == CodeSize::bits64 && !model_->long_mode) {
    if (leaf == 1) answer.edx |= kBaseline1;
    if (leaf == 0x80000001) answer.edx |= kBaseline80000001;
  }
  return answer;
}

uint32_t Processor::padlock_flags(uint32_t dumped) const {
  const uint32_t taken = kEmulatedFlags | kMissingFlags | (model_->zhaoxin ? kZhaoxinFlags : 0);
  uint32_t flags = dumped & ~taken;
  const auto add = [&flags](uint32_t exists_flag, bool exists, bool enabled) {
    if (exists) flags |= exists_flag | (enabled ? exists_flag << 1 : 0);
  };
  add(kFlagRng, model_->rng, rng_enabled());
  add(kFlagAce, model_->ace, ace_enabled());
  add(kFlagAce2, model_->ace2, ace_enabled() && model_->ace2_enabled_flag);
  add(kFlagPhe, model_->phe, ace_enabled());
  add(kFlagPmm, model_->pmm, ace_enabled());
  add(kFlagPhe2, model_->phe2, true);
  add(kFlagCcs, model_->ccs, true);
  return flags;
}

bool Processor::is_fcr(uint32_t msr) const {
  return model_->ace && model_->fcr_msr && msr == (model_->zhaoxin ? kMsrZhaoxinFcr : kMsrFcr);
}

bool Processor::is_rng_msr(uint32_t msr) const {
  return model_->rng && model_->rng_msr && msr == kMsrRng;
}

Trap Processor::rdmsr(uint32_t msr, uint64_t* out_value) {
  if (state.cpl != 0) return Trap::gp("RDMSR needs privilege level 0");
  if (!is_fcr(msr) && !is_rng_msr(msr)) return Trap::gp("the MSR does not exist");
  *out_value = is_fcr(msr) ? fcr_ : rng.read_msr();
  return {};
}

Trap Processor::wrmsr(uint32_t msr, uint64_t value) {
  if (state.cpl != 0) return Trap::gp("WRMSR needs privilege level 0");
  if (!is_fcr(msr) && !is_rng_msr(msr)) return Trap::gp("the MSR does not exist");
  if (is_fcr(msr))
    fcr_ = value;
  else
    rng.write_msr(static_cast<uint32_t>(value));
  return {};
}

Outcome Processor::step(const Decoded& decoded, Memory& memory, Trap* out_trap,
                        Interrupts* interrupts) {
  if (decoded.insn == nullptr) {
    *out_trap = decoded.too_long ? Trap::gp("the instruction is longer than 15 bytes")
                                 : Trap::ud("not a PadLock instruction");
  } else {
    Execution x(*this, decoded, memory, interrupts);
    *out_trap = decoded.insn->execute(x);
    if (!*out_trap && !x.interrupted) {
      state.rip += decoded.length;
      if (state.code_size != CodeSize::bits64) state.rip &= 0xFFFFFFFF;
      return Outcome::done;
    }
  }
  state.rflags &= ~kEflagsKeyLoaded;
  return *out_trap ? Outcome::trapped : Outcome::interrupted;
}

uint64_t Processor::store_flags() {
  state.rflags &= ~kEflagsKeyLoaded;
  return state.rflags;
}

void Processor::load_flags(uint64_t image) {
  state.rflags = (image & ~kEflagsKeyLoaded) | kResetFlags;
}

void Processor::restore_key(const LoadedKey& key) {
  key_ram_.load(key.control_word, key.key, *kernels_.aes);
  state.rflags |= kEflagsKeyLoaded;
}

void Processor::exchange(Snapshot& snapshot) {
  snapshot.number(&fcr_);
  rng.exchange(snapshot);
  key_ram_.exchange(snapshot, *kernels_.aes);
}

void Processor::sysenter() {
  state.rflags &= ~kEflagsKeyLoaded;
}

}  // namespace incore::padlock
