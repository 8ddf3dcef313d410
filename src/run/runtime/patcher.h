// Choosing how a PadLock site is served after its first execution: by the first tactic of
// tactics.def whose every step succeeds. A tactic that fails leaves no trace.
#pragma once

#include "run/runtime/program_code.h"
#include "run/runtime/trampolines.h"

namespace incore::run {

// A PadLock instruction in the program that has just been executed, which proves it to be code; or
// another instruction that is proved.
struct PadlockSite {
  uint64_t address;
  const uint8_t* bytes;
  padlock::Encoding encoding;

  unsigned length() const { return encoding.length; }
};

// Returns the tactic that serves |site| now, count_ if the table of sites is full: then nothing has
// changed. Lock held.
Tactic patch_site(ProgramCode& code, Trampolines& trampolines, const PadlockSite& site);

// Serves |site| by a plain jump to a trampoline whose code |code_of_trampoline| writes. Where that
// does not fit, an int3 stays an int3, whose bytes are known then, and all else as it was. False:
// there is no jump. Lock held.
bool patch_with_jump(ProgramCode& code, Trampolines& trampolines, const PadlockSite& site,
                     CodeOfTrampoline code_of_trampoline);

// The code of |out|, which will be at |trampoline|: it calls |entry|, and goes on behind its site.
void make_trampoline(uint64_t trampoline, uint64_t entry, Trampoline* out);

}  // namespace incore::run
