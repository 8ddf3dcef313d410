// `incore rng`: random bytes from the processor, and judging them.
#include "cli/command.h"

namespace incore::cli {

#define X(name) Command rng_##name##_command();
#include "cli/rng/rng_commands.def"
#undef X

Command rng_command() {
  return {
      .name = "rng",
      .summary = "random bytes from the processor's generators, and judging those of any source",
      .commands =
          {
#define X(name) {#name, rng_##name##_command},
#include "cli/rng/rng_commands.def"
#undef X
          },
  };
}

}  // namespace incore::cli
