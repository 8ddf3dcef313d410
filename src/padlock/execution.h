// What an instruction's execute() works on: the processor, the prefixes, and the operand rules that
// PadLock instructions share. PadLock guide 1.66, chapter 1 (REP Prefixes and Exception Handling)
// and section 3.1.
#pragma once

#include "padlock/insn.h"

namespace incore::padlock {

// What an operand is for: segments may forbid either.
enum class Access : uint8_t { read, write };

struct Execution {
  Execution(Processor& processor, const Decoded& instruction, Memory& memory_seen,
            Interrupts* interrupts_asked);

  Processor& cpu;
  State& s;
  const Decoded& decoded;
  Memory& memory;
  Interrupts* const interrupts;
  const unsigned address_bits;  // effective address size: 16, 32 or 64
  const Offset address_mask;
  const Offset flat_len;     // offsets below are linear addresses that allow all
  bool interrupted = false;  // set by execute() where it stopped for an interrupt

  // The first checks of every instruction: #UD unless its unit is usable and its prefixes are
  // allowed.
  Trap require_usable(bool operand_size_allowed) const;

  // A register in the width of the address size. Writing 16 bits keeps the upper ones, writing 32
  // clears them.
  Offset get(uint64_t reg) const { return static_cast<Offset>(reg) & address_mask; }
  void set(uint64_t& reg, Offset value) const {
    reg = (value & address_mask) | (address_bits == 16 ? reg & ~address_mask : 0);
  }

  // The linear address of |len| > 0 bytes at |offset| in ES; #GP beyond its limits, and for what it
  // does not allow. In 64-bit code ES is flat, and the address must be canonical.
  Trap linear(Offset offset, uint64_t len, Access access, uint64_t* out_address) const {
    if (len > flat_len || offset > flat_len - static_cast<Offset>(len))
      return checked(offset, len, access, out_address);
    *out_address = offset;
    return {};
  }
  // The same, and #GP unless it is a multiple of 16.
  Trap aligned(Offset offset, uint64_t len, Access access, uint64_t* out_address) const {
    if (Trap trap = linear(offset, len, access, out_address)) return trap;
    if (*out_address % 16 != 0) return Trap::gp("an operand is not aligned to 16 bytes");
    return {};
  }

  // Asks whether to stop after |done| units of work; if so, marks the execution.
  bool interrupt(uint64_t done) {
    interrupted = interrupts != nullptr && interrupts->pending(done);
    return interrupted;
  }

  const HostKernels& kernels() const { return cpu.kernels_; }
  KeyRam& key_ram() const { return cpu.key_ram_; }
  void count_key_load() const { ++cpu.num_key_loads_; }

 private:
  Trap checked(uint64_t offset, uint64_t len, Access access, uint64_t* out_address) const;
};

}  // namespace incore::padlock
