// Running a PadLock instruction of the program on the emulated processor: in a signal handler, or called from a patched
// site. Every REP XCRYPT loads its key and control word anew, because the PUSHF with which programs ask for that cannot be seen
// from outside (see docs/quirks.md).
#include "padlock/insn.h"
#include "run/runtime/runtime.h"
#include "run/runtime/trampoline.h"

namespace incore::run {
namespace {

constinit padlock::HostKernels kernels = {};

// The registers of a program at a patched site; pushed by fast_entry.
struct FastFrame {
  uint64_t rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15;
  uint64_t flags;
  uint64_t return_address;
};

template <class Registers>
void load_registers(padlock::State* out_state, const Registers& r) {
  out_state->rax = r.rax;
  out_state->rbx = r.rbx;
  out_state->rcx = r.rcx;
  out_state->rdx = r.rdx;
  out_state->rsi = r.rsi;
  out_state->rdi = r.rdi;
}

template <class Registers>
void store_registers(Registers* out, const padlock::State& state) {
  out->rax = state.rax;
  out->rbx = state.rbx;
  out->rcx = state.rcx;
  out->rdx = state.rdx;
  out->rsi = state.rsi;
  out->rdi = state.rdi;
}

InsnStats& stats_of(const padlock::Insn* insn) {
  size_t num_insns;
  const padlock::Insn* const* all = padlock::insns(&num_insns);
  size_t i = 0;
  while (i + 1 < num_insns && all[i] != insn) ++i;
  return stats().insns[i];
}

// Bytes of data that an instruction worked on, from the registers before and after it.
uint64_t bytes_done(const padlock::Insn* insn, const padlock::State& before, const padlock::State& after) {
  switch (insn->unit) {
    case padlock::Unit::rng: return after.rdi - before.rdi;
    case padlock::Unit::ace:
    case padlock::Unit::ace_ctr: return (before.rcx - after.rcx) * 16;
    case padlock::Unit::phe: return after.rsi - before.rsi;
    case padlock::Unit::pmm: return before.rcx / 8;
  }
  return 0;
}

void count(std::atomic<uint64_t>& counter, uint64_t n = 1) { counter.fetch_add(n, std::memory_order_relaxed); }

// What Linux reports for a trap of the processor.
int describe_fault(const padlock::Trap& trap, const LiveMemory& memory, KernelUcontext* uc, KernelSiginfo* info) {
  *info = {};
  uc->trapno = static_cast<uint64_t>(trap.vector);
  uc->err = trap.error_code;
  switch (trap.vector) {
    case padlock::Vector::invalid_opcode:
      info->signo = kSigIll;
      info->code = kIllIllopn;
      info->fault.address = uc->rip;
      break;
    case padlock::Vector::page_fault:
      info->signo = memory.fault_signal();
      info->code = memory.fault_code();
      info->fault.address = trap.address;
      uc->cr2 = trap.address;
      break;
    case padlock::Vector::alignment_check:
      info->signo = kSigBus;
      info->code = 1;  // BUS_ADRALN
      break;
    default:
      info->signo = kSigSegv;
      info->code = kSiKernel;
      break;
  }
  return info->signo;
}

}  // namespace

void start_processor() { kernels = padlock::HostKernels::choose(detect_features()); }

padlock::CpuidAnswer guest_cpuid(uint32_t leaf, uint32_t subleaf) {
  const padlock::Model& model = config().model;
  const padlock::Processor processor(model, kernels);
  padlock::CpuidAnswer answer = processor.cpuid(leaf, subleaf);
  if (!model.long_mode && !model.host_cpuid) {
    // A 64-bit program cannot be there on such a chip. It sees the x86-64 baseline in addition, or libc would refuse to start.
    constexpr uint32_t kBaselineEdx = 0x07808111;  // FPU, CX8, CMOV, MMX, FXSR, SSE, SSE2 and TSC
    constexpr uint32_t kExtendedEdx = 0x20100800;  // SYSCALL, NX, long mode
    if (leaf == 1) answer.edx |= kBaselineEdx;
    if (leaf == 0x80000000 && answer.eax < 0x80000001) answer.eax = 0x80000001;
    if (leaf == 0x80000001) answer.edx |= kExtendedEdx;
  }
  return answer;
}

bool execute_in_handler(const uint8_t* bytes, size_t len, KernelUcontext* uc, int* out_signal,
                        KernelSiginfo* info) {
  const padlock::Decoded decoded = padlock::decode(bytes, len, padlock::CodeSize::bits64);
  if (decoded.insn == nullptr) return false;

  LiveMemory memory;
  padlock::Processor processor(config().model, kernels);
  processor.enter_user_mode(padlock::CodeSize::bits64);
  load_registers(&processor.state, *uc);
  processor.state.rip = uc->rip;
  const padlock::State before = processor.state;
  padlock::Trap trap;
  const padlock::Outcome outcome = processor.step(decoded, memory, &trap);
  store_registers(uc, processor.state);
  uc->rip = processor.state.rip;

  InsnStats& s = stats_of(decoded.insn);
  count(s.traps);
  count(s.bytes, bytes_done(decoded.insn, before, processor.state));
  *out_signal = 0;
  if (outcome == padlock::Outcome::trapped) {
    count(s.faults);
    if (trap.vector == padlock::Vector::invalid_opcode) log_line(decoded.insn->mnemonic, uc->rip, trap.reason);
    *out_signal = describe_fault(trap, memory, uc, info);
  } else {
    count(s.calls);
  }
  return true;
}

}  // namespace incore::run

// Called by fast_entry. True: done. False: it came to a fault, before which the registers show whole blocks done; issued
// again by execute_in_handler it goes on from there and delivers the fault.
extern "C" bool fast_execute(incore::run::FastFrame* frame) {
  using namespace incore;
  using namespace incore::run;
  const auto* trampoline = reinterpret_cast<const Trampoline*>(frame->return_address - kReturnOffset);
  const padlock::Decoded decoded =
      padlock::decode(trampoline->original, trampoline->length, padlock::CodeSize::bits64);
  LiveMemory memory;
  padlock::Processor processor(config().model, kernels);
  processor.enter_user_mode(padlock::CodeSize::bits64);
  load_registers(&processor.state, *frame);
  const padlock::State before = processor.state;
  padlock::Trap trap;
  const bool done = processor.step(decoded, memory, &trap) == padlock::Outcome::done;
  store_registers(frame, processor.state);
  InsnStats& s = stats_of(decoded.insn);
  count(s.bytes, bytes_done(decoded.insn, before, processor.state));
  if (done) {
    count(s.patched);
    count(s.calls);
  }
  return done;
}
