// What the contexts of the compatible AES hold, and which kernels serve them. A context has its key
// in the form of two kernels: the engine (VIA's, the kernel `padlock`) may only process the whole
// blocks of a mode; single blocks are the ordinary code's. Without engine both are one.
#pragma once

#include "base/bytes.h"
#include "crypto/aes/aes_kernel.h"
#include "incore/compat/aes.h"
#include "incore/compat/aesopt.h"

namespace incore::compat {

enum class Mode : uint32_t { none, cfb_encrypt, cfb_decrypt, ofb, ctr };

struct Context {
  uint64_t tag;     // says that a key is set, and for which direction
  Mode mode;        // which one has begun a block
  bool has_engine;  // |single| is set, and not of the kernel of |modes|
  AesKey modes, single;

  const AesKey& for_single_blocks() const { return has_engine ? single : modes; }
};
static_assert(sizeof(Context) <= sizeof(aes_crypt_ctx::opaque));
static_assert(alignof(Context) <= 16);

// What stands in |inf|, for programs to see. b[kPosition] is more: bytes of the begun block that
// are used, 0 if none is begun; in CTR 16 if its last byte is used and the counter still its own.
enum Info { kRounds16, kEngine, kEncrypts, kPosition };

// Different for the two directions, so that one is not taken for the other.
inline constexpr uint64_t kEncryptTag = 0x434E45444E414C47;
inline constexpr uint64_t kDecryptTag = 0x434544444E414C47;

inline bool is_aligned(const void* cx) {
  return reinterpret_cast<uintptr_t>(cx) % 16 == 0;
}

// Null if |cx| is null, not aligned, or has no key for the direction of |tag|.
inline const Context* context_of(const aes_crypt_ctx* cx, uint64_t tag) {
  const auto* const context = reinterpret_cast<const Context*>(cx);
  return cx != nullptr && is_aligned(cx) && context->tag == tag ? context : nullptr;
}
inline Context* context_of(aes_crypt_ctx* cx, uint64_t tag) {
  return const_cast<Context*>(context_of(const_cast<const aes_crypt_ctx*>(cx), tag));
}

}  // namespace incore::compat
