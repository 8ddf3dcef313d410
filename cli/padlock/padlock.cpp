// `incore padlock`: programs for PadLock processors, this CPU or an emulated one.
#include "cli/command.h"

namespace incore::cli {

#define X(name) Command padlock_##name##_command();
#include "cli/padlock/padlock_commands.def"
#undef X

Command padlock_command() {
  return {
      .name = "padlock",
      .summary = "programs for VIA PadLock, on this CPU or on an emulated model",
      .commands =
          {
#define X(name) {#name, padlock_##name##_command},
#include "cli/padlock/padlock_commands.def"
#undef X
          },
  };
}

}  // namespace incore::cli
