#include "run/site.h"

namespace incore::run {

const char* proof_name(Proof proof) {
  switch (proof) {
    case Proof::none:
      return "none";
    case Proof::unwind_table:
      return "unwind table";
    case Proof::symbol:
      return "symbol";
    case Proof::control_flow:
      return "control flow";
  }
  return "unknown";
}

}  // namespace incore::run
