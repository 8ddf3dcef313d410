// The C interface to a PadLock processor: the emulated one, or the units of this CPU.
#include "incore/padlock.h"

#include "base/wipe.h"
#include "capi/host_memory.h"
#include "capi/modelled_chip.h"
#include "capi/native_padlock.h"
#include "crypto/clean/clean_call.h"

namespace incore {
namespace {

constexpr size_t kStack = 5120;  // see clean_call.h

using padlock::CodeSize;
using padlock::EmulatedChip;
using padlock::Trap;

struct Emulated {
  ModelledChip modelled;
  HostMemory memory;

  EmulatedChip& chip() { return modelled.chip(); }
};

enum class Kind : uint64_t { none = 0, native = 0x50414400, emulated };

// |opaque| holds the kind, and then this CPU's flags or the emulated processor.
Kind kind_of(const incore_padlock* padlock) {
  return padlock == nullptr ? Kind::none : static_cast<Kind>(padlock->opaque[0]);
}

// The processor in |padlock|, which must be emulated.
Emulated& emulated(const incore_padlock* padlock) {
  return *place_in<Emulated>(const_cast<incore_padlock*>(padlock)->opaque);
}

incore_status check(const incore_padlock* padlock) {
  if (padlock == nullptr) return INCORE_ERROR_NULL;
  const Kind kind = kind_of(padlock);
  return kind == Kind::native || kind == Kind::emulated ? INCORE_OK : INCORE_ERROR_STATE;
}

const padlock::Insn* find_insn(const char* mnemonic, uint8_t* out_index) {
  size_t num_insns;
  const padlock::Insn* const* const all = padlock::insns(&num_insns);
  for (size_t i = 0; i < num_insns; ++i) {
    if (std::strcmp(all[i]->mnemonic, mnemonic) != 0) continue;
    *out_index = static_cast<uint8_t>(i);
    return all[i];
  }
  return nullptr;
}

void load(padlock::State* out_state, const incore_padlock_registers& r) {
  out_state->rax = r.rax, out_state->rbx = r.rbx, out_state->rcx = r.rcx;
  out_state->rdx = r.rdx, out_state->rsi = r.rsi, out_state->rdi = r.rdi;
}

incore_padlock_trap describe(const Trap& trap) {
  return {trap ? static_cast<int>(trap.vector) : -1, trap.address(), trap.reason()};
}

incore_status run_natively(uint32_t flags, const padlock::Insn& insn,
                           incore_padlock_registers* registers, Trap* out_trap) {
  if (!native_padlock::has(flags, insn.unit)) {
    *out_trap = Trap::ud("this CPU lacks the instruction");
    return INCORE_ERROR_FAULT;
  }
  native_padlock::execute(insn, registers);
  return INCORE_OK;
}

incore_status run_emulated(Emulated& machine, const padlock::Insn& insn, uint8_t index,
                           incore_padlock_registers* registers, Trap* out_trap) {
  EmulatedChip& chip = machine.chip();
  padlock::State& state = chip.processor().state;
  load(&state, *registers);
  const EmulatedChip::Result result = chip.execute(insn, index, machine.memory, out_trap);
  *registers = {state.rax, state.rbx, state.rcx, state.rdx, state.rsi, state.rdi};
  switch (result) {
    case EmulatedChip::Result::done:
      break;
    case EmulatedChip::Result::trapped:
      return INCORE_ERROR_FAULT;
    case EmulatedChip::Result::silent:
      return INCORE_ERROR_IO;
  }
  return INCORE_OK;
}

}  // namespace
}  // namespace incore

using namespace incore;

const char* incore_padlock_model_name(size_t index) {
  size_t num_models;
  const padlock::Model* const* const models = padlock::models(&num_models);
  return index < num_models ? models[index]->name : nullptr;
}

incore_status incore_padlock_init_emulated(incore_padlock* out_padlock, const char* model,
                                           uint64_t seed, char* reason, size_t reason_len) {
  if (out_padlock == nullptr || model == nullptr) return INCORE_ERROR_NULL;
  out_padlock->opaque[0] = static_cast<uint64_t>(Kind::none);
  Emulated* const machine = new (place_in<Emulated>(out_padlock->opaque)) Emulated;
  constexpr CodeSize kCodeSize = sizeof(void*) == 8 ? CodeSize::bits64 : CodeSize::bits32;
  const incore_status status = machine->modelled.make(model, kCodeSize, seed, reason, reason_len);
  if (status != INCORE_OK) return status;
  out_padlock->opaque[0] = static_cast<uint64_t>(Kind::emulated);
  return INCORE_OK;
}

incore_status incore_padlock_init_native(incore_padlock* out_padlock) {
  if (out_padlock == nullptr) return INCORE_ERROR_NULL;
  const uint32_t flags = native_padlock::flags();
  out_padlock->opaque[0] = static_cast<uint64_t>(flags != 0 ? Kind::native : Kind::none);
  out_padlock->opaque[1] = flags;
  return flags != 0 ? INCORE_OK : INCORE_ERROR_UNSUPPORTED;
}

void incore_padlock_wipe(incore_padlock* padlock) {
  if (padlock != nullptr) wipe(*padlock);
}

int incore_padlock_is_native(const incore_padlock* padlock) {
  return kind_of(padlock) == Kind::native ? 1 : 0;
}

const char* incore_padlock_name(const incore_padlock* padlock) {
  if (check(padlock) != INCORE_OK) return "none";
  return kind_of(padlock) == Kind::native ? "native" : emulated(padlock).modelled.model().name;
}

uint32_t incore_padlock_clock_mhz(const incore_padlock* padlock) {
  return kind_of(padlock) == Kind::emulated ? emulated(padlock).modelled.model().clock_mhz : 0;
}

incore_status incore_padlock_cpuid(const incore_padlock* padlock, uint32_t leaf, uint32_t subleaf,
                                   uint32_t out_registers[4]) {
  if (out_registers == nullptr) return INCORE_ERROR_NULL;
  if (const incore_status status = check(padlock); status != INCORE_OK) return status;
  if (kind_of(padlock) == Kind::native)
    return native_padlock::cpuid(leaf, subleaf, out_registers) ? INCORE_OK
                                                               : INCORE_ERROR_UNSUPPORTED;
  const padlock::CpuidAnswer answer = emulated(padlock).chip().processor().cpuid(leaf, subleaf);
  out_registers[0] = answer.eax, out_registers[1] = answer.ebx;
  out_registers[2] = answer.ecx, out_registers[3] = answer.edx;
  return INCORE_OK;
}

const char* incore_padlock_mnemonic(size_t insn) {
  size_t num_insns;
  const padlock::Insn* const* const all = padlock::insns(&num_insns);
  return insn < num_insns ? all[insn]->mnemonic : nullptr;
}

incore_status incore_padlock_execute(incore_padlock* padlock, const char* mnemonic,
                                     incore_padlock_registers* registers,
                                     incore_padlock_trap* out_trap) {
  return clean_call(kStack, [=] {
    if (mnemonic == nullptr || registers == nullptr) return INCORE_ERROR_NULL;
    if (const incore_status status = check(padlock); status != INCORE_OK) return status;
    uint8_t index = 0;
    const padlock::Insn* const insn = find_insn(mnemonic, &index);
    if (insn == nullptr) return INCORE_ERROR_ALGORITHM;
    Trap trap;
    const incore_status status =
        kind_of(padlock) == Kind::native
            ? run_natively(static_cast<uint32_t>(padlock->opaque[1]), *insn, registers, &trap)
            : run_emulated(emulated(padlock), *insn, index, registers, &trap);
    if (out_trap != nullptr) *out_trap = describe(trap);
    return status;
  });
}

void incore_padlock_reload_key(incore_padlock* padlock) {
  if (kind_of(padlock) == Kind::native) native_padlock::reload_key();
  if (kind_of(padlock) == Kind::emulated) (void)emulated(padlock).chip().processor().store_flags();
}

incore_status incore_padlock_read_msr(incore_padlock* padlock, uint32_t msr, uint64_t* out_value) {
  if (out_value == nullptr) return INCORE_ERROR_NULL;
  if (const incore_status status = check(padlock); status != INCORE_OK) return status;
  if (kind_of(padlock) == Kind::native)
    return native_padlock::read_msr(msr, out_value) ? INCORE_OK : INCORE_ERROR_UNSUPPORTED;
  return emulated(padlock).modelled.read_msr(msr, out_value);
}

incore_status incore_padlock_write_msr(incore_padlock* padlock, uint32_t msr, uint64_t value) {
  if (const incore_status status = check(padlock); status != INCORE_OK) return status;
  if (kind_of(padlock) == Kind::native) {
    if (!native_padlock::write_msr(msr, value)) return INCORE_ERROR_UNSUPPORTED;
    padlock->opaque[1] = native_padlock::flags();  // it may have switched units
    return INCORE_OK;
  }
  return emulated(padlock).modelled.write_msr(msr, value);
}

incore_status incore_padlock_set_interrupts(incore_padlock* padlock, uint64_t blocks,
                                            uint64_t seed) {
  if (const incore_status status = check(padlock); status != INCORE_OK) return status;
  if (kind_of(padlock) == Kind::native) return INCORE_ERROR_UNSUPPORTED;
  emulated(padlock).chip().set_interrupts(blocks, seed);
  return INCORE_OK;
}

uint64_t incore_padlock_num_interrupts(const incore_padlock* padlock) {
  return kind_of(padlock) == Kind::emulated ? emulated(padlock).chip().num_interrupts() : 0;
}

double incore_padlock_seconds(const incore_padlock* padlock) {
  if (kind_of(padlock) != Kind::emulated) return 0;
  Emulated& machine = emulated(padlock);
  return padlock::clocks_of(machine.chip().ticks()) / (machine.modelled.model().clock_mhz * 1e6);
}

void incore_padlock_wait(incore_padlock* padlock, uint64_t clocks) {
  if (kind_of(padlock) == Kind::emulated) emulated(padlock).chip().wait(clocks);
}
