// Enumerations that come from C.
#pragma once

#include <cstring>

namespace incore {

// The number in |value|, which a caller may have made of any integer: C++ may not even read one
// that no enumerator comes near.
template <class Enum>
int number_in(const Enum& value) {
  int number;
  static_assert(sizeof number == sizeof value);
  std::memcpy(&number, &value, sizeof number);
  return number;
}

}  // namespace incore
