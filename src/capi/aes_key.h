// What an incore_aes_key holds, for the files of the C interface whose functions take one.
#pragma once

#include <new>

#include "crypto/aes/aes_kernel.h"
#include "incore/aes.h"

namespace incore {

struct AesKeyContext {
  // Tells a key that is set from memory that is not; the opaque bytes hold nothing else before
  // that.
  static constexpr uint64_t kSet = 0x59454B2D53454149;
  uint64_t tag;
  AesKey forward;
  AesKey inverse;
};
static_assert(sizeof(AesKeyContext) <= sizeof(incore_aes_key));
static_assert(alignof(AesKeyContext) <= alignof(incore_aes_key));

inline const AesKeyContext* context_of(const incore_aes_key* key) {
  return std::launder(reinterpret_cast<const AesKeyContext*>(key->opaque));
}
inline bool is_set(const incore_aes_key* key) {
  return context_of(key)->tag == AesKeyContext::kSet;
}

}  // namespace incore
