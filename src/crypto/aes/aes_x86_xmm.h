// Registers of one block for aes_x86_modes.h: XMM, SSSE3.
#pragma once

#include "crypto/aes/aes_x86.h"

namespace incore {
namespace {

using Vector = Block;
constexpr size_t kLanes = 1;

[[maybe_unused]] INLINE Block broadcast(Block x) {
  return x;
}
[[maybe_unused]] INLINE Block shift_in(Block before, Block) {
  return before;
}
INLINE Block join(const Block (&x)[1]) {
  return x[0];
}
INLINE void transpose(Block (&)[1]) {}

}  // namespace
}  // namespace incore
