// incore/compat/aes_modes.h: Gladman's modes over the AES kernels. Whole blocks are the engine's
// where there is one; blocks that a call begins or ends within are the ordinary code's, as in his.
#include <cstdio>

#include "base/wipe.h"
#include "compat/context.h"
#include "compat/trace.h"

namespace incore::compat {
namespace {

#ifdef INCORE_GLADMAN_TRACE
void note_blocks(const Context& c, size_t blocks) {
  if (!c.has_engine) return;
  ++aes_trace.engine_calls;
  aes_trace.engine_blocks += blocks;
}
void note_mixed_modes() {
  ++aes_trace.mode_mixes;
  std::fputs("aes_modes: another mode in the midst of a block; aes_mode_reset is missing\n",
             stderr);
}
#else
void note_blocks(const Context&, size_t) {}
void note_mixed_modes() {}
#endif

#ifdef ASSUME_VIA_ACE_PRESENT
constexpr bool kHasOwnCtr = false;  // whether the engine counts is nothing to take for granted
#else
constexpr bool kHasOwnCtr = true;
#endif

// Of the arguments of all modes; |iv| may be null if there |is_ecb|.
bool usable(const Context* context, const uint8_t* in, const uint8_t* out, int len,
            const uint8_t* iv, bool is_ecb) {
  if (context == nullptr || len < 0) return false;
  if (!is_ecb && iv == nullptr) return false;
  if (len == 0) return true;
  const size_t n = static_cast<size_t>(len);
  if (in == nullptr || out == nullptr) return false;
  if (in != out && ranges_overlap(in, n, out, n)) return false;
  if (ranges_overlap(out, n, context, sizeof *context)) return false;
  return is_ecb ||
         (!ranges_overlap(iv, kAesBlockLen, in, n) && !ranges_overlap(iv, kAesBlockLen, out, n) &&
          !ranges_overlap(iv, kAesBlockLen, context, sizeof *context));
}

template <auto kFunction, class Ctx>
AES_RETURN crypt_ecb(const uint8_t* in, uint8_t* out, int len, const Ctx* cx) {
  const Context* const c = context_of(cx);
  if (!usable(c, in, out, len, nullptr, true) || len % 16 != 0) return EXIT_FAILURE;
  if (len == 0) return EXIT_SUCCESS;
  const size_t blocks = static_cast<size_t>(len) / kAesBlockLen;
  note_blocks(*c, blocks);
  (c->modes.kernel->*kFunction)(c->modes, in, out, blocks);
  return EXIT_SUCCESS;
}

template <auto kFunction, class Ctx>
AES_RETURN crypt_cbc(const uint8_t* in, uint8_t* out, int len, uint8_t* iv, const Ctx* cx) {
  const Context* const c = context_of(cx);
  if (!usable(c, in, out, len, iv, false) || len % 16 != 0) return EXIT_FAILURE;
  if (len == 0) return EXIT_SUCCESS;
  const size_t blocks = static_cast<size_t>(len) / kAesBlockLen;
  note_blocks(*c, blocks);
  (c->modes.kernel->*kFunction)(c->modes, iv, in, out, blocks);
  return EXIT_SUCCESS;
}

// Bytes within the block that is begun. |vector| is its key stream; in CFB ciphertext takes the
// place of what is used up, and in the end is the next vector.
void crypt_in_begun_block(Context& c, Mode mode, uint8_t* vector, const uint8_t* in, uint8_t* out,
                          size_t len) {
  for (size_t i = 0; i < len; ++i) {
    const uint8_t before = in[i];
    uint8_t& keystream = vector[c.position++];
    out[i] = before ^ keystream;
    if (mode == Mode::cfb_encrypt) keystream = out[i];
    if (mode == Mode::cfb_decrypt) keystream = before;
  }
  c.position %= kAesBlockLen;
}

void increment(uint8_t* counter) {
  const uint64_t low = load_be64(counter + 8) + 1;
  store_be64(counter + 8, low);
  if (low == 0) store_be64(counter, load_be64(counter) + 1);
}

// Whole blocks of CTR with the caller's increment.
void ctr_by_ecb(const AesKey& key, uint8_t* counter, cbuf_inc* next, const uint8_t* in,
                uint8_t* out, size_t blocks) {
  constexpr size_t kBatch = 64;
  alignas(64) uint8_t keystream[kBatch * kAesBlockLen];
  const size_t used = (blocks < kBatch ? blocks : kBatch) * kAesBlockLen;
  while (blocks != 0) {
    const size_t n = blocks < kBatch ? blocks : kBatch, len = n * kAesBlockLen;
    for (size_t i = 0; i < len; i += kAesBlockLen) {
      std::memcpy(keystream + i, counter, kAesBlockLen);
      next(counter);
    }
    key.kernel->ecb_encrypt(key, keystream, keystream, n);
    for (size_t i = 0; i < len; i += 8)
      store_le64(out + i, load_le64(in + i) ^ load_le64(keystream + i));
    in += len, out += len, blocks -= n;
  }
  wipe(keystream, used);
}

// CFB, OFB and CTR: what the block begun before still takes, whole blocks, the beginning of one
// more.
AES_RETURN crypt_stream(Mode mode, const uint8_t* in, uint8_t* out, int signed_len, uint8_t* iv,
                        cbuf_inc* next, aes_encrypt_ctx* cx) {
  Context* const c = context_of(cx);
  if (!usable(c, in, out, signed_len, iv, false)) return EXIT_FAILURE;
  size_t len = static_cast<size_t>(signed_len);
  if (len == 0) return EXIT_SUCCESS;
  if (c->position != 0 && c->mode != mode) {
    note_mixed_modes();
    return EXIT_FAILURE;
  }
  c->mode = mode;
  uint8_t* const vector = mode == Mode::ctr ? c->keystream : iv;

  if (c->position != 0) {
    const size_t room = kAesBlockLen - c->position, n = len < room ? len : room;
    crypt_in_begun_block(*c, mode, vector, in, out, n);
    in += n, out += n, len -= n;
  }
  if (const size_t blocks = len / kAesBlockLen; blocks != 0) {
    const AesKey& key = c->modes;
    note_blocks(*c, blocks);
    if (mode == Mode::cfb_encrypt)
      key.kernel->cfb_encrypt(key, iv, in, out, blocks);
    else if (mode == Mode::cfb_decrypt)
      key.kernel->cfb_decrypt(key, iv, in, out, blocks);
    else if (mode == Mode::ofb)
      key.kernel->ofb(key, iv, in, out, blocks);
    else if (next == nullptr && kHasOwnCtr)
      key.kernel->ctr(key, iv, in, out, blocks, 128);
    else
      ctr_by_ecb(key, iv, next == nullptr ? increment : next, in, out, blocks);
    in += blocks * kAesBlockLen, out += blocks * kAesBlockLen, len %= kAesBlockLen;
  }
  if (len != 0) {
    const AesKey& key = c->for_single_blocks();
    key.kernel->ecb_encrypt(key, iv, vector, 1);
    if (mode == Mode::ctr) (next == nullptr ? increment : next)(iv);
    crypt_in_begun_block(*c, mode, vector, in, out, len);
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace incore::compat

using namespace incore;
using namespace incore::compat;

AES_RETURN aes_mode_reset(aes_encrypt_ctx cx[1]) {
  Context* const c = context_of(cx);
  if (c == nullptr) return EXIT_FAILURE;
  wipe(c->keystream);
  c->position = 0;
  c->mode = Mode::none;
  return EXIT_SUCCESS;
}

AES_RETURN aes_ecb_encrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           const aes_encrypt_ctx cx[1]) {
  return crypt_ecb<&AesKernel::ecb_encrypt>(ibuf, obuf, len, cx);
}

AES_RETURN aes_ecb_decrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           const aes_decrypt_ctx cx[1]) {
  return crypt_ecb<&AesKernel::ecb_decrypt>(ibuf, obuf, len, cx);
}

AES_RETURN aes_cbc_encrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           unsigned char* iv, const aes_encrypt_ctx cx[1]) {
  return crypt_cbc<&AesKernel::cbc_encrypt>(ibuf, obuf, len, iv, cx);
}

AES_RETURN aes_cbc_decrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           unsigned char* iv, const aes_decrypt_ctx cx[1]) {
  return crypt_cbc<&AesKernel::cbc_decrypt>(ibuf, obuf, len, iv, cx);
}

AES_RETURN aes_cfb_encrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           unsigned char* iv, aes_encrypt_ctx cx[1]) {
  return crypt_stream(Mode::cfb_encrypt, ibuf, obuf, len, iv, nullptr, cx);
}

AES_RETURN aes_cfb_decrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           unsigned char* iv, aes_encrypt_ctx cx[1]) {
  return crypt_stream(Mode::cfb_decrypt, ibuf, obuf, len, iv, nullptr, cx);
}

AES_RETURN aes_ofb_crypt(const unsigned char* ibuf, unsigned char* obuf, int len, unsigned char* iv,
                         aes_encrypt_ctx cx[1]) {
  return crypt_stream(Mode::ofb, ibuf, obuf, len, iv, nullptr, cx);
}

AES_RETURN aes_ctr_crypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                         unsigned char* cbuf, cbuf_inc ctr_inc, aes_encrypt_ctx cx[1]) {
  return crypt_stream(Mode::ctr, ibuf, obuf, len, cbuf, ctr_inc, cx);
}
