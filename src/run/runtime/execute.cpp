// Running a PadLock instruction of the program on the emulated processor: in a signal handler, or
// called from a patched site. Every REP XCRYPT loads its key and control word anew, unless the run
// emulates stale keys: the PUSHF with which programs ask for that does not trap (docs/quirks.md).
#include <new>

#include "padlock/insn.h"
#include "padlock/program_cpuid.h"
#include "padlock/work.h"
#include "run/runtime/one_block.h"
#include "run/runtime/pooled_processor.h"

namespace incore::run {
namespace {

// Chosen, and for that tested, when the first instruction comes: few programs have one.
constinit padlock::HostKernels kernels = {};
constinit std::atomic<bool> kernels_chosen = false;

void choose_kernels() {
  if (kernels_chosen.load(std::memory_order_acquire)) return;
  const Lock lock;
  kernels = padlock::HostKernels::choose(detect_features());
  kernels_chosen.store(true, std::memory_order_release);
}

// Of the flags only AC has a meaning for PadLock; the key counts as not loaded.
template <class Registers>
void load_registers(padlock::State* out_state, const Registers& r, uint64_t flags) {
  out_state->rax = r.rax;
  out_state->rbx = r.rbx;
  out_state->rcx = r.rcx;
  out_state->rdx = r.rdx;
  out_state->rsi = r.rsi;
  out_state->rdi = r.rdi;
  out_state->rflags = flags & padlock::kEflagsAc;
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

void count(std::atomic<uint64_t>& counter, uint64_t n = 1) {
  add_to_shared(counter, n);
}

constexpr uint32_t kEflagsRf = 1u << 16;

}  // namespace

INCORE_LARGE constinit PooledProcessor::Storage PooledProcessor::storage[kNumProcessors] = {};
constinit FastFault PooledProcessor::faults[kNumProcessors] = {};
constinit std::atomic<Word> PooledProcessor::versions[kNumProcessors] = {};

void prepare(padlock::Processor& processor, RandomStock* stock) {
  use_random_bytes(processor.rng, stock);
  processor.enter_user_mode(kCodeSize);
}

const padlock::HostKernels& host_kernels() {
  return kernels;
}

int describe_fault(const padlock::Trap& trap, const LiveMemory& memory, KernelUcontext* uc,
                   KernelSiginfo* info) {
  *info = {};
  uc->eflags |= kEflagsRf;
  uc->trapno = static_cast<uint64_t>(trap.vector);
  uc->err = trap.error_code;
  switch (trap.vector) {
    case padlock::Vector::invalid_opcode:
      info->signo = kSigIll;
      info->code = kIllIllopn;
      info->address = uc->rip;
      break;
    case padlock::Vector::page_fault:
      info->signo = memory.fault_signal();
      info->code = memory.fault_code();
      info->address = trap.address();
      uc->cr2 = trap.address();
      break;
    case padlock::Vector::alignment_check:
      info->signo = kSigBus;
      info->code = kBusAdraln;
      break;
    default:
      info->signo = kSigSegv;
      info->code = kSiKernel;
      break;
  }
  return info->signo;
}

padlock::CpuidAnswer guest_cpuid(uint32_t leaf, uint32_t subleaf) {
  return padlock::program_cpuid(config().model, kCodeSize, leaf, subleaf);
}

bool execute_in_handler(const uint8_t* bytes, size_t len, KernelUcontext* uc, int* out_signal,
                        KernelSiginfo* info) {
  const padlock::Decoded decoded = padlock::decode(bytes, len, kCodeSize);
  if (decoded.insn == nullptr) return false;

  choose_kernels();
  LiveMemory memory;
  padlock::Processor processor(config().model, kernels);
  prepare(processor, nullptr);
  load_registers(&processor.state, *uc, uc->eflags);
  processor.state.rip = uc->rip;
  processor.state.es = program_es(*uc);
  const padlock::State before = processor.state;
  FollowedKey key(processor, decoded, memory, uc);
  check_before(processor, decoded, memory, key.held());
  TracedCall traced;
  if (config().trace != 0) trace_before(processor, decoded, memory, &traced);
  padlock::Trap trap;
  const padlock::Outcome outcome = processor.step(decoded, memory, &trap);
  store_registers(uc, processor.state);
  uc->rip = processor.state.rip;
  key.end(outcome == padlock::Outcome::done);

  InsnStats& s = stats().insns[decoded.index];
  count(s.traps);
  const uint64_t num_bytes = padlock::bytes_done(decoded, before, processor.state);
  count(s.bytes, num_bytes);
  if (config().trace != 0)
    trace_after(traced, before.rip, num_bytes, outcome == padlock::Outcome::done, memory);
  if (config().count_model_time != 0)
    count(s.model_ticks,
          model_ticks(decoded, processor, before, outcome == padlock::Outcome::done));
  *out_signal = 0;
  if (outcome == padlock::Outcome::trapped) {
    count(s.faults);
    if (trap.vector == padlock::Vector::invalid_opcode)
      log_line(decoded.insn->mnemonic, uc->rip, trap.reason());
    *out_signal = describe_fault(trap, memory, uc, info);
  } else {
    count(s.trapped_calls);
  }
  return true;
}

bool fault_of_call(KernelUcontext* uc, int* out_signal, KernelSiginfo* info) {
  FastFault fault;
  if (!PooledProcessor::take_fault(uc->rsp, &fault)) return false;
  *out_signal = describe_fault(fault.trap, fault.memory, uc, info);
  return true;
}

bool fault_of_unended(const uint8_t* bytes, size_t len, KernelUcontext* uc, int* out_signal,
                      KernelSiginfo* info) {
  constexpr uint32_t kPfInsnFetch = 16;
  const padlock::Decoded decoded = padlock::decode(bytes, len, kCodeSize);
  if (!decoded.too_long && !decoded.cut_short) return false;
  choose_kernels();
  LiveMemory memory;
  padlock::Trap trap;
  if (decoded.too_long) {
    padlock::Processor(config().model, kernels).step(decoded, memory, &trap);
  } else {
    uint8_t missing;
    trap = memory.read(uc->rip + len, &missing, sizeof missing);
    trap.error_code |= kPfInsnFetch;
  }
  *out_signal = trap ? describe_fault(trap, memory, uc, info) : 0;  // it can be read by now
  return true;
}

}  // namespace incore::run

// Called by fast_entry. True: done. False: the signal handler delivers the fault that it came to,
// or does it all.
extern "C" bool fast_execute(incore::run::FastFrame* frame) {
  using namespace incore;
  using namespace incore::run;
  const auto* trampoline = at_address<const Trampoline>(frame->return_address - kReturnOffset);
  const unsigned first_choice = PooledProcessor::first_choice(frame->rbx, frame);
  if (execute_one_block(*trampoline, first_choice, frame)) return true;
  const padlock::Decoded decoded = padlock::decoded_as(trampoline->encoding);
  // The work is done on the program's stack, which may be small; the largest numbers would need 16
  // KiB of it.
  constexpr uint64_t kMostBitsOnStack = 4096;
  if (decoded.insn->unit == padlock::Unit::pmm && frame->rcx > kMostBitsOnStack) return false;
  PooledProcessor pooled(first_choice);
  padlock::Processor* processor = pooled.get();
  if (processor == nullptr) return false;

  LiveMemory memory;
  padlock::State& state = processor->state;
  padlock::State before;  // of the registers; a copy of |state| would wait for its stores
  load_registers(&before, *frame, frame->flags);
  load_registers(&state, *frame, frame->flags);
  TracedCall traced;
  if (config().trace != 0) trace_before(*processor, decoded, memory, &traced);
  padlock::Trap trap;
  const bool done = processor->step(decoded, memory, &trap) == padlock::Outcome::done;
  store_registers(frame, state);
  InsnStats& s = stats().insns[decoded.index];
  const uint64_t num_bytes = padlock::bytes_done(decoded, before, state);
  count(s.bytes, num_bytes);
  if (config().trace != 0) {
    trace_after(traced, trampoline->site, num_bytes, done, memory);
    clear_stack_below();
  }
  if (config().count_model_time != 0)
    count(s.model_ticks, model_ticks(decoded, *processor, before, done));
  if (done) {
    count(s.patched_calls);
    return true;
  }
  count(s.traps);
  count(s.faults);
  pooled.keep({address_of(frame + 1) + kRedZoneLen, trap, memory});
  return false;
}

// Called by cpuid_entry.
extern "C" bool fast_cpuid(incore::run::FastFrame* frame) {
  incore::run::do_cpuid(frame);
  return true;
}
