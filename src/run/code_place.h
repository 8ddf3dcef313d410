// Where an address of a process is, for people: file, function, and line of source if the file
// says.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace incore::run {

struct CodePlace {
  std::string module;    // path of the mapped file; empty: not in a file
  uint64_t offset = 0;   // in the module, as its symbols count; the address itself without one
  std::string function;  // demangled; empty: no symbol covers it
  uint64_t function_offset = 0;
  std::string source;  // path of the source file; empty: no debug information
  int line = 0;
};

CodePlace find_code_place(pid_t pid, uint64_t address);

}  // namespace incore::run
