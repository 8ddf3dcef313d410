// incore/compat/aes.h: keys and single blocks, and the choice of kernels.
#include "incore/compat/aes.h"

#include <atomic>
#include <new>

#include "base/wipe.h"
#include "compat/context.h"
#include "compat/trace.h"
#include "crypto/clean/clean_call.h"

#ifdef INCORE_GLADMAN_TRACE
struct aes_trace aes_trace;
#endif

namespace incore::compat {
namespace {

constexpr size_t kStack = 1152;  // see clean_call.h

// Kernels for keys that are set from now on. |modes| is null if INCORE_KERNEL is wrong.
struct Kernels {
  const AesKernel* modes;
  const AesKernel* single;
};

#ifdef ASSUME_VIA_ACE_PRESENT

Kernels kernels() {
  return {&aes_padlock, &aes_portable};
}

#else

#if defined(__x86_64__) || defined(__i386__)

// The best that is no engine.
const AesKernel* find_ordinary_kernel() {
  const KernelInfo* const info = best_kernel(aes_kernel_list, this_machine(), kPadlockFeatures);
  return reinterpret_cast<const AesKernel*>(info);  // its first member
}

// Threads that meet here at first find the same.
const AesKernel* ordinary_kernel() {
  static constinit std::atomic<const AesKernel*> known = nullptr;
  const AesKernel* kernel = known.load(std::memory_order_acquire);
  if (kernel == nullptr) {
    kernel = find_ordinary_kernel();
    known.store(kernel, std::memory_order_release);
  }
  return kernel;
}

bool may_use_engine() {
#ifdef NO_VIA_ACE
  return false;
#elif defined(INCORE_GLADMAN_TRACE)
  ++aes_trace.detections;
  return aes_trace.forbid_engine == 0;
#else
  return true;
#endif
}

Kernels kernels() {
  const AesKernel* const chosen = aes_kernel();
  if (chosen != &aes_padlock) return {chosen, chosen};
  const AesKernel* const ordinary = ordinary_kernel();
  return {may_use_engine() ? chosen : ordinary, ordinary};
}

#else

Kernels kernels() {
  const AesKernel* const chosen = aes_kernel();
  return {chosen, chosen};
}

#endif
#endif

// In bytes; 0 for a length that no key has.
size_t key_len_in_bytes(int key_len) {
  switch (key_len) {
    case 16:
    case 128:
      return 16;
    case 24:
    case 192:
      return 24;
    case 32:
    case 256:
      return 32;
    default:
      return 0;
  }
}

AES_RETURN set_key(const uint8_t* key, int key_len, aes_crypt_ctx* cx, uint64_t tag) {
  const bool decrypts = tag == kDecryptTag;
  const size_t len = key_len_in_bytes(key_len);
  if (key == nullptr || cx == nullptr || !is_aligned(cx) || len == 0) return EXIT_FAILURE;
  if (ranges_overlap(key, len, cx, sizeof *cx)) return EXIT_FAILURE;
  const Kernels chosen = kernels();
  if (chosen.modes == nullptr) return EXIT_FAILURE;

  AesRoundKeys forward, inverse;
  const unsigned rounds = static_cast<unsigned>(len / 4 + 6);  // FIPS 197 section 5: Nr = Nk + 6
  chosen.single->expand_key(key, len, rounds, &forward);
  if (decrypts) chosen.single->invert_key(forward, &inverse);
  const AesRoundKeys& schedule = decrypts ? inverse : forward;

  Context* const context = new (cx->opaque) Context;
  context->mode = Mode::none;
  context->has_engine = chosen.modes != chosen.single;
  chosen.modes->load_key(schedule, &context->modes);
  if (context->has_engine) chosen.single->load_key(schedule, &context->single);
  context->tag = tag;
  cx->inf.b[kRounds16] = static_cast<uint8_t>(16 * rounds);
  cx->inf.b[kEngine] = context->has_engine ? 0xFF : 0;
  cx->inf.b[kEncrypts] = decrypts ? 0 : 1;
  cx->inf.b[kPosition] = 0;
  wipe(forward);
  if (decrypts) wipe(inverse);
  return EXIT_SUCCESS;
}

// Null if |cx| or a block will not do.
const AesKey* key_for_block(const uint8_t* in, const uint8_t* out, const aes_crypt_ctx* cx,
                            uint64_t tag) {
  const Context* const context = context_of(cx, tag);
  const bool usable = context != nullptr && in != nullptr && out != nullptr &&
                      (in == out || !ranges_overlap(in, kAesBlockLen, out, kAesBlockLen)) &&
                      !ranges_overlap(out, kAesBlockLen, cx, sizeof *cx);
  return usable ? &context->for_single_blocks() : nullptr;
}

}  // namespace
}  // namespace incore::compat

using namespace incore;
using namespace incore::compat;

AES_RETURN aes_init(void) {
  return EXIT_SUCCESS;
}

AES_RETURN aes_encrypt_key(const unsigned char* key, int key_len, aes_encrypt_ctx cx[1]) {
  return clean_call(kStack, [=] { return set_key(key, key_len, cx, kEncryptTag); });
}
AES_RETURN aes_encrypt_key128(const unsigned char* key, aes_encrypt_ctx cx[1]) {
  return clean_call(kStack, [=] { return set_key(key, 16, cx, kEncryptTag); });
}
AES_RETURN aes_encrypt_key192(const unsigned char* key, aes_encrypt_ctx cx[1]) {
  return clean_call(kStack, [=] { return set_key(key, 24, cx, kEncryptTag); });
}
AES_RETURN aes_encrypt_key256(const unsigned char* key, aes_encrypt_ctx cx[1]) {
  return clean_call(kStack, [=] { return set_key(key, 32, cx, kEncryptTag); });
}

AES_RETURN aes_decrypt_key(const unsigned char* key, int key_len, aes_decrypt_ctx cx[1]) {
  return clean_call(kStack, [=] { return set_key(key, key_len, cx, kDecryptTag); });
}
AES_RETURN aes_decrypt_key128(const unsigned char* key, aes_decrypt_ctx cx[1]) {
  return clean_call(kStack, [=] { return set_key(key, 16, cx, kDecryptTag); });
}
AES_RETURN aes_decrypt_key192(const unsigned char* key, aes_decrypt_ctx cx[1]) {
  return clean_call(kStack, [=] { return set_key(key, 24, cx, kDecryptTag); });
}
AES_RETURN aes_decrypt_key256(const unsigned char* key, aes_decrypt_ctx cx[1]) {
  return clean_call(kStack, [=] { return set_key(key, 32, cx, kDecryptTag); });
}

AES_RETURN aes_encrypt(const unsigned char* in, unsigned char* out, const aes_encrypt_ctx cx[1]) {
  const AesKey* const key = key_for_block(in, out, cx, kEncryptTag);
  if (key == nullptr) return EXIT_FAILURE;
  key->kernel->ecb_encrypt(*key, in, out, 1);
  return clear_behind(EXIT_SUCCESS, key->kernel->stack);
}

AES_RETURN aes_decrypt(const unsigned char* in, unsigned char* out, const aes_decrypt_ctx cx[1]) {
  const AesKey* const key = key_for_block(in, out, cx, kDecryptTag);
  if (key == nullptr) return EXIT_FAILURE;
  key->kernel->ecb_decrypt(*key, in, out, 1);
  return clear_behind(EXIT_SUCCESS, key->kernel->stack);
}
