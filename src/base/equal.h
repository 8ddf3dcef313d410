// Comparison of secrets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore {

// True if the |len| bytes are equal. Time depends on |len| alone.
inline bool equal_in_constant_time(const void* a, const void* b, size_t len) {
  const volatile uint8_t* x = static_cast<const volatile uint8_t*>(a);
  const volatile uint8_t* y = static_cast<const volatile uint8_t*>(b);
  uint8_t difference = 0;
  for (size_t i = 0; i < len; ++i) difference = static_cast<uint8_t>(difference | (x[i] ^ y[i]));
  return difference == 0;
}

}  // namespace incore
