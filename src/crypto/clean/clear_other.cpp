// clear_traces where there is no assembly for it: the stack alone, and of that not what the frames
// of these functions cover themselves, some dozens of bytes.
#include "crypto/clean/clean_call.h"

#if !defined(__x86_64__) && !defined(__i386__) && !defined(__powerpc64__)
#include "base/wipe.h"

namespace incore {
namespace {

int clear(int status, size_t stack) {
  wipe(__builtin_alloca(stack), stack);
  return status;
}

}  // namespace

constinit std::atomic<Clear> clear_traces = clear;

}  // namespace incore
#endif
