// Shows each instruction to every check before it executes. A front-end holds one Checker and
// decides what becomes of the reports.
#pragma once

#include "padlock/checks/check.h"

namespace incore::padlock {

class Checker {
 public:
  // |processor| stands at the instruction. |loaded| is what its key RAM would hold on silicon if
  // EFLAGS bit 30 were known to be set, else null.
  void before_insn(Processor& processor, const Decoded& decoded, Memory& memory,
                   const LoadedKey* loaded, ReportSink& sink);

  // Before WRMSR |msr| with |value|.
  void before_wrmsr(const Processor& processor, uint32_t msr, uint64_t value, ReportSink& sink);

 private:
  CheckHistory history_;
};

// What the key RAM holds after a REP XCRYPT that starts with these registers and EFLAGS bit 30
// clear. False: it loads nothing (another instruction, ECX = 0, unreadable operands).
bool read_key_to_load(Processor& processor, const Decoded& decoded, Memory& memory,
                      LoadedKey* out_key);

// True if the instruction in |code| clears EFLAGS bit 30 (guide, section 3.2; SYSCALL, INT and IRET
// count as SYSENTER and interrupts do).
bool clears_key_loaded(const uint8_t* code, size_t len, CodeSize code_size);

}  // namespace incore::padlock
