// The file that the user asked to run: where it is, and whether it can be run.
#pragma once

#include <string>

namespace incore::run {

enum class ProgramKind { x86, power, script };

struct Program {
  std::string path;   // as execve takes it; empty if there is none
  std::string error;  // one line on what is wrong; empty if nothing is
  ProgramKind kind = ProgramKind::x86;
};

// Finds |name| like a shell: as it is if it contains a slash, else along PATH. Then looks at the
// file.
Program find_program(const std::string& name);

}  // namespace incore::run
