// Waits for a debugger on 127.0.0.1 and lets it debug a program.
#pragma once

#include <cstdint>
#include <string>

#include "tools/vemicry/gdb_target.h"

namespace incore::tools {

struct GdbServed {
  std::string error;   // why there was no debugger, in words; or empty
  bool ended = false;  // the debugger ended the program, or left; |*target| has no outcome then
};

// Serves one debugger at |port| (0: any free one, which is printed) until the program ends, and if
// it detaches, runs the program to its end.
GdbServed serve_gdb(uint16_t port, GdbMachine* target);

}  // namespace incore::tools
