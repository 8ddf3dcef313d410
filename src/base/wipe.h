// Clears secrets in a way that the compiler may not remove. Always inlined: a kernel's file must not
// define what others call too, since it is compiled for a bigger CPU.
#pragma once

#include <cstddef>
#include <cstring>

namespace incore {

[[gnu::always_inline]] inline void wipe(void* p, size_t len) {
  std::memset(p, 0, len);
  __asm__ volatile("" : : "r"(p) : "memory");  // the compiler must assume that the zeros are read
}

template <class T>
[[gnu::always_inline]] inline void wipe(T& object) {
  wipe(&object, sizeof object);
}

}  // namespace incore
