// `incore vemicry`: tools for a MIPS with a vector unit for cryptography.
#include <memory>
#include "cli/command.h"

namespace incore::cli {

#define X(name) Command vemicry_##name##_command();
#include "cli/vemicry/vemicry_commands.def"
#undef X

Command vemicry_command() {
  return {
      .name = "vemicry",
      .summary =
          "assembler, simulator and pipeline model of a MIPS with a vector unit for cryptography",
      .commands =
          {
#define X(name) {#name, vemicry_##name##_command},
#include "cli/vemicry/vemicry_commands.def"
#undef X
          },
  };
}

}  // namespace incore::cli
