// The PadLock units of the CPU that this runs on: x86 only.
#pragma once

#include "incore/padlock.h"
#include "padlock/insn.h"

namespace incore::native_padlock {

// Leaf 0xC0000001 EDX; 0: there is none. CPUID is slow, so callers keep it.
uint32_t flags();
// The unit is there and enabled.
bool has(uint32_t flags, padlock::Unit unit);

// Runs the instruction, whose unit must be there.
void execute(const padlock::Insn& insn, incore_padlock_registers* registers);
void reload_key();
bool cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out_registers[4]);

// Through /dev/cpu/N/msr: read from the first CPU, written to all. False: no right, or no such
// register.
bool read_msr(uint32_t msr, uint64_t* out_value);
bool write_msr(uint32_t msr, uint64_t value);

}  // namespace incore::native_padlock
