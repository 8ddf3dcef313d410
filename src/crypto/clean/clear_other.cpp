// clear_traces on other processors than x86: the stack, and on POWER the registers.
#include "crypto/clean/clean_call.h"

#if !defined(__x86_64__) && !defined(__i386__)
#include "base/wipe.h"
#include "cpu/cpu.h"
#include "crypto/clean/clear_power8.h"

namespace incore {
namespace {

[[gnu::noinline]] void clear_stack(size_t stack) {
  constexpr size_t kGap = 256;  // of call_below
  const size_t len = stack + kGap;
  wipe(__builtin_alloca(len), len);
}

int clear(int status, size_t stack) {
  clear_stack(stack);
  return status;
}

#if defined(__powerpc64__)
int clear_with_vectors(int status, size_t stack) {
  clear_stack(stack);
  clear_registers_power8();
  return status;
}

int find_clear(int status, size_t stack) {
  const Clear found = detect_features().has(Feature::vsx) ? clear_with_vectors : clear;
  clear_traces.store(found, std::memory_order_relaxed);
  return found(status, stack);
}
#endif

}  // namespace

#if defined(__powerpc64__)
constinit std::atomic<Clear> clear_traces = find_clear;
#else
constinit std::atomic<Clear> clear_traces = clear;
#endif

}  // namespace incore
#endif
