#include "tools/samples/execute_padlock.h"

namespace incore::tools {

std::string execute_padlock(incore_padlock* padlock, const char* mnemonic,
                            incore_padlock_registers* registers) {
  incore_padlock_trap trap = {};
  const incore_status status = incore_padlock_execute(padlock, mnemonic, registers, &trap);
  if (status == INCORE_OK) return "";
  return trap.reason != nullptr ? trap.reason : incore_status_message(status);
}

}  // namespace incore::tools
