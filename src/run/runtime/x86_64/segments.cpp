// Segments of 64-bit programs: in 64-bit code all are flat, whatever they hold.
#include "run/runtime/runtime.h"

namespace incore::run {

padlock::Segment program_es(const KernelUcontext&) {
  return {};
}

bool runs_own_code(const KernelUcontext& uc) {
  constexpr uint32_t kLong = 1u << 21;  // L of the descriptor, as LAR tells it
  uint32_t rights = 0;
  __asm__("larl %1, %0" : "+r"(rights) : "r"(uint32_t{uc.cs}) : "cc");
  return (rights & kLong) != 0;
}

}  // namespace incore::run
