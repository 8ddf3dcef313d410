// Choosing how a PadLock site is served after its first execution: by the first tactic of
// tactics.def whose every step succeeds. A tactic that fails leaves no trace.
#pragma once

#include "run/runtime/program_code.h"
#include "run/runtime/trampolines.h"

namespace incore::run {

// A PadLock instruction in the program that has just been executed, which proves it to be code.
struct PadlockSite {
  uint64_t address;
  const uint8_t* bytes;
  padlock::Encoding encoding;

  unsigned length() const { return encoding.length; }
};

// Returns the tactic that serves |site| now, count_ if the table of sites is full: then nothing has
// changed. Lock held.
Tactic patch_site(ProgramCode& code, Trampolines& trampolines, const PadlockSite& site);

// Puts a jump in place of the load of a number into EAX at |address|, whose bytes are |load|, if a
// system call follows. |code_of_trampoline| gets the address of the trampoline, and writes code.
// False: nothing has changed, or what has serves too. Lock held.
bool patch_call(ProgramCode& code, Trampolines& trampolines, uint64_t address,
                const uint8_t (&load)[kLoadLen], CodeOfTrampoline code_of_trampoline);

}  // namespace incore::run
