// Clears secrets in a way that the compiler may not remove. Always inlined, as files that are
// compiled for a bigger CPU call it too: the linker must not find their copy for the others.
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
