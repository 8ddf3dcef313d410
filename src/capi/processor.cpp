// The C interface to an emulated PadLock processor that is part of somebody else's machine.
#include "incore/processor.h"

#include "base/wipe.h"
#include "capi/modelled_chip.h"
#include "crypto/clean/clean_call.h"
#include "padlock/checks/checker.h"
#include "padlock/work.h"

namespace incore {
namespace {

constexpr size_t kStack = 5120;  // see clean_call.h

using padlock::CodeSize;
using padlock::Decoded;
using padlock::Outcome;
using padlock::Processor;
using padlock::State;
using padlock::Trap;

enum class Kind : uint64_t { none = 0, processor = 0x50414401 };

struct Embedded {
  ModelledChip modelled;
  bool key_known = false;  // false: EFLAGS bit 30 counts as 0, whatever the machine says
};

// In incore_processor_checker. |loaded| is what the key RAM holds since an instruction was checked
// with EFLAGS bit 30 clear.
struct EmbeddedChecker {
  padlock::Checker checker;
  padlock::LoadedKey loaded;
  bool has_loaded = false;
};

bool is_made(const incore_processor* processor) {
  return static_cast<Kind>(processor->opaque[0]) == Kind::processor;
}

Embedded& embedded(const incore_processor* processor) {
  return *place_in<Embedded>(const_cast<incore_processor*>(processor)->opaque);
}

EmbeddedChecker& embedded(incore_processor_checker* checker) {
  return *place_in<EmbeddedChecker>(checker->opaque);
}

bool is_padlock_msr(uint32_t msr) {
  return msr == padlock::kMsrFcr || msr == padlock::kMsrZhaoxinFcr || msr == padlock::kMsrRng;
}

constexpr incore_processor_trap kNoTrap = {INCORE_PROCESSOR_NO_TRAP, 0, 0, nullptr};

incore_processor_trap describe(const Trap& trap) {
  if (!trap) return kNoTrap;
  return {static_cast<int>(trap.vector), trap.error_code, trap.address(), trap.reason()};
}

// The machine's memory. An exception of the machine's goes through the processor as a page fault
// at the same address; what it really is stays here.
class MachineMemory final : public padlock::Memory {
 public:
  explicit MachineMemory(const incore_processor_machine& machine) : machine_(machine) {}

  Trap read(uint64_t address, void* out, size_t len) override {
    return call([&](incore_processor_trap* out_trap) {
      return machine_.read(machine_.context, address, out, len, out_trap);
    });
  }
  Trap write(uint64_t address, const void* in, size_t len) override {
    return call([&](incore_processor_trap* out_trap) {
      return machine_.write(machine_.context, address, in, len, out_trap);
    });
  }
  Trap probe_write(uint64_t address, size_t len) override {
    return call([&](incore_processor_trap* out_trap) {
      return machine_.probe_write(machine_.context, address, len, out_trap);
    });
  }
  const uint8_t* readable(uint64_t address, size_t len) override {
    return machine_.readable == nullptr ? nullptr
                                        : machine_.readable(machine_.context, address, len);
  }
  uint8_t* writable(uint64_t address, size_t len) override {
    return machine_.writable == nullptr ? nullptr
                                        : machine_.writable(machine_.context, address, len);
  }

  // What the machine knows |trap|, with which an instruction has ended, as.
  incore_processor_trap original(const Trap& trap) const {
    const bool of_memory = trap.vector == padlock::Vector::page_fault;
    return of_memory ? last_ : describe(trap);
  }

 private:
  template <class Access>
  Trap call(Access access) {
    incore_processor_trap trap = kNoTrap;
    if (access(&trap) == 0) return {};
    last_ = trap;
    return Trap::pf(trap.address, static_cast<uint16_t>(trap.error_code));
  }

  const incore_processor_machine& machine_;
  incore_processor_trap last_ = kNoTrap;
};

class MachineInterrupts final : public padlock::Interrupts {
 public:
  explicit MachineInterrupts(const incore_processor_machine& machine) : machine_(machine) {}
  bool pending(uint64_t done) override { return machine_.interrupt(machine_.context, done) != 0; }

 private:
  const incore_processor_machine& machine_;
};

bool load(State* out, const incore_processor_state& in) {
  if (in.cpl > 3) return false;
  switch (in.code_bits) {
    case 16:
      out->code_size = CodeSize::bits16;
      break;
    case 32:
      out->code_size = CodeSize::bits32;
      break;
    case 64:
      out->code_size = CodeSize::bits64;
      break;
    default:
      return false;
  }
  out->rax = in.rax, out->rbx = in.rbx, out->rcx = in.rcx;
  out->rdx = in.rdx, out->rsi = in.rsi, out->rdi = in.rdi;
  out->rip = in.rip, out->rflags = in.rflags;
  out->cr0 = in.cr0, out->cr4 = in.cr4, out->cpl = in.cpl;
  out->es = in.es.readable != 0
                ? padlock::Segment{in.es.base, in.es.limit, in.es.first, in.es.writable != 0}
                : padlock::Segment::none();
  return true;
}

// What an instruction changes.
void store(incore_processor_state* out, const State& in) {
  out->rax = in.rax, out->rbx = in.rbx, out->rcx = in.rcx;
  out->rdx = in.rdx, out->rsi = in.rsi, out->rdi = in.rdi;
  out->rip = in.rip, out->rflags = in.rflags;
}

incore_processor_outcome outcome_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::done:
      return INCORE_PROCESSOR_DONE;
    case Outcome::trapped:
      return INCORE_PROCESSOR_TRAPPED;
    case Outcome::interrupted:
      break;
  }
  return INCORE_PROCESSOR_INTERRUPTED;
}

// An instruction that the machine has come to: the processor has its registers.
incore_status prepare(Embedded& of, const incore_processor_state& state, const uint8_t* code,
                      size_t code_len, Decoded* out_decoded) {
  Processor& cpu = of.modelled.chip().processor();
  if (!load(&cpu.state, state)) return INCORE_ERROR_RANGE;
  if (!of.key_known) cpu.state.rflags &= ~INCORE_PROCESSOR_KEY_LOADED;
  *out_decoded = padlock::decode(code, code_len, cpu.state.code_size);
  return INCORE_OK;
}

incore_processor_result execute(Embedded& of, const Decoded& decoded,
                                const incore_processor_machine& machine) {
  padlock::EmulatedChip& chip = of.modelled.chip();
  MachineMemory memory(machine);
  Trap trap;
  incore_processor_result result = {};
  if (decoded.insn == nullptr) {
    const bool too_long = decoded.too_long;  // #GP
    if (too_long) (void)chip.processor().step(decoded, memory, &trap);
    result.outcome = too_long ? INCORE_PROCESSOR_TRAPPED : INCORE_PROCESSOR_OTHER;
    result.trap = describe(trap);
    return result;
  }
  const State before = chip.processor().state;
  const uint64_t clocks = chip.ticks() / padlock::kTicksPerClock;
  const uint64_t num_key_loads = chip.processor().num_key_loads();
  MachineInterrupts interrupts(machine);
  of.key_known = false;  // if the machine does not come back from a callback
  const Outcome outcome =
      chip.issue(decoded, memory, machine.interrupt == nullptr ? nullptr : &interrupts, &trap);
  of.key_known = true;
  const State& after = chip.processor().state;
  result.outcome = outcome_of(outcome);
  result.trap = memory.original(trap);
  result.mnemonic = decoded.insn->mnemonic;
  result.insn = decoded.index;
  result.length = decoded.length;
  result.bytes = padlock::bytes_done(decoded, before, after);
  result.clocks = chip.ticks() / padlock::kTicksPerClock - clocks;
  result.key_loaded = chip.processor().num_key_loads() != num_key_loads ? 1 : 0;
  return result;
}

// Whether the bytes are what save makes of such a processor.
bool exchange(Embedded& of, padlock::Snapshot::Mode mode, uint8_t* bytes) {
  padlock::Snapshot snapshot(mode, bytes, bytes + INCORE_PROCESSOR_SAVED_LEN);
  static constexpr uint8_t kFormat[8] = {'P', 'a', 'd', 'L', 'o', 'c', 'k', 1};
  uint8_t name[16] = {};
  const char* const text = of.modelled.model().name;
  for (size_t i = 0; i < sizeof name && text[i] != '\0'; ++i)
    name[i] = static_cast<uint8_t>(text[i]);
  snapshot.constant(kFormat, sizeof kFormat);
  snapshot.constant(name, sizeof name);
  snapshot.flag(&of.key_known);
  of.modelled.chip().exchange(snapshot);
  return snapshot.ok();
}

class FindingSink final : public padlock::ReportSink {
 public:
  using OnFinding = void (*)(void* context, const incore_processor_finding* finding);
  FindingSink(OnFinding on_finding, void* context) : on_finding_(on_finding), context_(context) {}

  void report(const padlock::Report& report) override {
    const padlock::Rule& rule = report.check->rules[report.rule];
    const incore_processor_finding finding = {
        .check = report.check->name,
        .clause = rule.clause,
        .what = rule.what,
        .remedy = report.check->remedy,
        .operand = padlock::operand_name(report.operand),
        .operand_address = report.address,
        .control_word = report.control_word,
    };
    on_finding_(context_, &finding);
  }

 private:
  OnFinding on_finding_;
  void* context_;
};

bool can_access(const incore_processor_machine* machine) {
  return machine != nullptr && machine->read != nullptr && machine->write != nullptr &&
         machine->probe_write != nullptr;
}

incore_status check_insn(Embedded& of, EmbeddedChecker& checker,
                         const incore_processor_state& state, const uint8_t* code, size_t code_len,
                         const incore_processor_machine& machine, FindingSink sink) {
  Decoded decoded;
  if (const incore_status status = prepare(of, state, code, code_len, &decoded);
      status != INCORE_OK)
    return status;
  Processor& cpu = of.modelled.chip().processor();
  MachineMemory memory(machine);
  const bool loaded = (cpu.state.rflags & padlock::kEflagsKeyLoaded) != 0;
  if (!loaded) checker.has_loaded = false;
  checker.checker.before_insn(cpu, decoded, memory, checker.has_loaded ? &checker.loaded : nullptr,
                              sink);
  if (!loaded)
    checker.has_loaded = padlock::read_key_to_load(cpu, decoded, memory, &checker.loaded);
  return INCORE_OK;
}

}  // namespace
}  // namespace incore

using namespace incore;

incore_status incore_processor_init(incore_processor* out_processor, const char* model,
                                    uint64_t seed, char* reason, size_t reason_len) {
  if (out_processor == nullptr || model == nullptr) return INCORE_ERROR_NULL;
  out_processor->opaque[0] = static_cast<uint64_t>(Kind::none);
  Embedded* const made = new (place_in<Embedded>(out_processor->opaque)) Embedded;
  const incore_status status =
      made->modelled.make(model, CodeSize::bits32, seed, reason, reason_len);
  if (status != INCORE_OK) return status;
  out_processor->opaque[0] = static_cast<uint64_t>(Kind::processor);
  return INCORE_OK;
}

void incore_processor_wipe(incore_processor* processor) {
  if (processor != nullptr) wipe(*processor);
}

void incore_processor_reset(incore_processor* processor) {
  if (processor == nullptr || !is_made(processor)) return;
  embedded(processor).modelled.chip().processor().reset();
  embedded(processor).key_known = false;
}

void incore_processor_init_signal(incore_processor* processor) {
  if (processor == nullptr || !is_made(processor)) return;
  embedded(processor).modelled.chip().processor().init();
  embedded(processor).key_known = false;
}

const char* incore_processor_name(const incore_processor* processor) {
  const bool made = processor != nullptr && is_made(processor);
  return made ? embedded(processor).modelled.model().name : "none";
}

uint32_t incore_processor_clock_mhz(const incore_processor* processor) {
  const bool made = processor != nullptr && is_made(processor);
  return made ? embedded(processor).modelled.model().clock_mhz : 0;
}

incore_status incore_processor_cpuid(const incore_processor* processor, uint32_t leaf,
                                     uint32_t subleaf, uint32_t out_registers[4]) {
  if (processor == nullptr || out_registers == nullptr) return INCORE_ERROR_NULL;
  if (!is_made(processor)) return INCORE_ERROR_STATE;
  Processor& cpu = embedded(processor).modelled.chip().processor();
  cpu.state.code_size = CodeSize::bits32;  // the model's own words: see Processor::cpuid
  const padlock::CpuidAnswer answer = cpu.cpuid(leaf, subleaf);
  out_registers[0] = answer.eax, out_registers[1] = answer.ebx;
  out_registers[2] = answer.ecx, out_registers[3] = answer.edx;
  return INCORE_OK;
}

incore_status incore_processor_read_msr(incore_processor* processor, uint32_t msr,
                                        uint64_t* out_value) {
  if (processor == nullptr || out_value == nullptr) return INCORE_ERROR_NULL;
  if (!is_made(processor)) return INCORE_ERROR_STATE;
  if (!is_padlock_msr(msr)) return INCORE_ERROR_RANGE;
  return embedded(processor).modelled.read_msr(msr, out_value);
}

incore_status incore_processor_write_msr(incore_processor* processor, uint32_t msr,
                                         uint64_t value) {
  if (processor == nullptr) return INCORE_ERROR_NULL;
  if (!is_made(processor)) return INCORE_ERROR_STATE;
  if (!is_padlock_msr(msr)) return INCORE_ERROR_RANGE;
  return embedded(processor).modelled.write_msr(msr, value);
}

incore_status incore_processor_execute(incore_processor* processor, incore_processor_state* state,
                                       const uint8_t* code, size_t code_len,
                                       const incore_processor_machine* machine,
                                       incore_processor_result* out_result) {
  return clean_call(kStack, [=] {
    if (processor == nullptr || state == nullptr || (code == nullptr && code_len != 0) ||
        !can_access(machine) || out_result == nullptr)
      return INCORE_ERROR_NULL;
    if (!is_made(processor)) return INCORE_ERROR_STATE;
    Embedded& of = embedded(processor);
    Decoded decoded;
    if (const incore_status status = prepare(of, *state, code, code_len, &decoded);
        status != INCORE_OK)
      return status;
    *out_result = execute(of, decoded, *machine);
    store(state, of.modelled.chip().processor().state);
    return INCORE_OK;
  });
}

void incore_processor_forget_key(incore_processor* processor) {
  if (processor != nullptr && is_made(processor)) embedded(processor).key_known = false;
}

incore_status incore_processor_save(const incore_processor* processor,
                                    uint8_t out[INCORE_PROCESSOR_SAVED_LEN]) {
  return clean_call(kStack, [=] {
    if (processor == nullptr || out == nullptr) return INCORE_ERROR_NULL;
    if (!is_made(processor)) return INCORE_ERROR_STATE;
    (void)exchange(embedded(processor), padlock::Snapshot::Mode::save, out);
    return INCORE_OK;
  });
}

incore_status incore_processor_load(incore_processor* processor,
                                    const uint8_t in[INCORE_PROCESSOR_SAVED_LEN]) {
  return clean_call(kStack, [=] {
    if (processor == nullptr || in == nullptr) return INCORE_ERROR_NULL;
    if (!is_made(processor)) return INCORE_ERROR_STATE;
    uint8_t* const bytes = const_cast<uint8_t*>(in);  // only read
    if (!exchange(embedded(processor), padlock::Snapshot::Mode::check, bytes))
      return INCORE_ERROR_RANGE;
    (void)exchange(embedded(processor), padlock::Snapshot::Mode::load, bytes);
    return INCORE_OK;
  });
}

void incore_processor_reseed(incore_processor* processor, uint64_t seed) {
  if (processor != nullptr && is_made(processor)) embedded(processor).modelled.chip().reseed(seed);
}

void incore_processor_pass(incore_processor* processor, uint64_t clocks) {
  if (processor != nullptr && is_made(processor)) embedded(processor).modelled.chip().wait(clocks);
}

uint64_t incore_processor_clocks(const incore_processor* processor) {
  if (processor == nullptr || !is_made(processor)) return 0;
  return embedded(processor).modelled.chip().ticks() / padlock::kTicksPerClock;
}

void incore_processor_checker_init(incore_processor_checker* out_checker) {
  if (out_checker == nullptr) return;
  out_checker->opaque[0] = static_cast<uint64_t>(Kind::processor);
  new (place_in<EmbeddedChecker>(out_checker->opaque)) EmbeddedChecker;
}

void incore_processor_checker_wipe(incore_processor_checker* checker) {
  if (checker != nullptr) wipe(*checker);
}

incore_status incore_processor_check(incore_processor* processor, incore_processor_checker* checker,
                                     const incore_processor_state* state, const uint8_t* code,
                                     size_t code_len, const incore_processor_machine* machine,
                                     void (*on_finding)(void* context,
                                                        const incore_processor_finding* finding),
                                     void* context) {
  return clean_call(kStack, [=] {
    if (processor == nullptr || checker == nullptr || state == nullptr ||
        (code == nullptr && code_len != 0) || !can_access(machine) || on_finding == nullptr)
      return INCORE_ERROR_NULL;
    if (!is_made(processor) || static_cast<Kind>(checker->opaque[0]) != Kind::processor)
      return INCORE_ERROR_STATE;
    return check_insn(embedded(processor), embedded(checker), *state, code, code_len, *machine,
                      FindingSink(on_finding, context));
  });
}

incore_status incore_processor_check_msr(
    const incore_processor* processor, incore_processor_checker* checker, uint32_t msr,
    uint64_t value, void (*on_finding)(void* context, const incore_processor_finding* finding),
    void* context) {
  if (processor == nullptr || checker == nullptr || on_finding == nullptr) return INCORE_ERROR_NULL;
  if (!is_made(processor) || static_cast<Kind>(checker->opaque[0]) != Kind::processor)
    return INCORE_ERROR_STATE;
  FindingSink sink(on_finding, context);
  embedded(checker).checker.before_wrmsr(embedded(processor).modelled.chip().processor(), msr,
                                         value, sink);
  return INCORE_OK;
}
