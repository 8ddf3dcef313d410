// How the C interfaces leave nothing secret behind, neither on the stack nor in a register,
// whatever kernels and compilers put there on the way.
//
// A function of the interface does its work in a call of its own. All that the work keeps on the
// stack, the compilers' spills among it, then lies below one known address. Behind the call, as
// many bytes below that address as the function says are cleared, and all registers that a call may
// change. So no kernel has to clear what it used, and none can forget to.
//
//   incore_status incore_cmac_start(incore_cmac* out_ctx) {
//     return clean_call(kStack, [=] { ... });
//   }
//
// How much stack a function takes is not computed: tests/capi/residue_*_test.cpp call each function
// on each kernel with secrets that differ, and finds what is left of them.
#pragma once

#include <atomic>
#include <cstddef>

#include "base/bytes.h"

namespace incore {

// Arguments on the stack would lie where the work's frame was, with bytes of it between them.
#if defined(__i386__)
#define INCORE_IN_REGISTERS __attribute__((regparm(2)))
#else
#define INCORE_IN_REGISTERS
#endif

// Clears |stack| bytes below its caller's frame and the registers; |status| is what it returns.
using Clear = INCORE_IN_REGISTERS int (*)(int status, size_t stack);

// The one for this CPU, found by its first call.
extern std::atomic<Clear> clear_traces;

// What compilers keep on the stack beyond that: where registers are few, and where frames are
// large.
#if defined(__i386__)
inline constexpr size_t kMoreStack = 3072;
#elif defined(__powerpc64__) && defined(__clang__)
inline constexpr size_t kMoreStack = 2048;
#elif defined(__powerpc64__)
inline constexpr size_t kMoreStack = kBigEndianHost ? 2048 : 0;
#else
inline constexpr size_t kMoreStack = 0;
#endif

// |work| in a frame of its own, in which nothing secret is.
template <class Work>
[[gnu::noinline]] auto call_below(const Work& work) {
  return work();
}

// Clears |stack| bytes of the call just made, and returns |status|: the second half of clean_call,
// for functions that only hand pointers on to a kernel, and for which a call more would be a cost.
template <class Status>
[[gnu::always_inline]] inline Status clear_behind(Status status, size_t stack) {
  const Clear clear = clear_traces.load(std::memory_order_relaxed);
  return static_cast<Status>(clear(static_cast<int>(status), stack + kMoreStack));
}

// Calls |work|, which returns a status, and clears |stack| bytes of its traces.
template <class Work>
[[gnu::always_inline]] inline auto clean_call(size_t stack, const Work& work) {
  return clear_behind(call_below(work), stack);
}

}  // namespace incore
