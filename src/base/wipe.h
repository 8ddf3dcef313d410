// Clears secrets in a way that the compiler may not remove.
#pragma once

#include <cstddef>
#include <cstring>

namespace incore {

inline void wipe(void* p, size_t len) {
  std::memset(p, 0, len);
  __asm__ volatile("" : : "r"(p) : "memory");  // the compiler must assume that the zeros are read
}

template <class T>
inline void wipe(T& object) {
  wipe(&object, sizeof object);
}

}  // namespace incore
