// clear_traces on POWER: finds out whether there are vector registers to be cleared.
#include "crypto/clean/clean_call.h"

#if defined(__powerpc64__)
#include "cpu/cpu.h"
#include "crypto/clean/clear_power.h"

namespace incore {
namespace {

int clear_without_vectors(int status, size_t stack) {
  INCORE_CLEAR_BELOW_R1(stack);
  return status;
}

int find_clear(int status, size_t stack) {
  const Clear found = detect_features().has(Feature::vsx) ? clear_power8 : clear_without_vectors;
  clear_traces.store(found, std::memory_order_relaxed);
  return found(status, stack);
}

}  // namespace

constinit std::atomic<Clear> clear_traces = find_clear;

}  // namespace incore
#endif
