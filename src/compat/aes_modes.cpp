// incore/compat/aes_modes.h: Gladman's modes over the AES kernels. Whole blocks are the engine's
// where there is one; blocks that a call begins or ends within are the ordinary code's, as in his.
#include <cstdio>

#include "base/wipe.h"
#include "compat/context.h"
#include "compat/trace.h"
#include "crypto/clean/clean_call.h"

namespace incore::compat {
namespace {

constexpr size_t kStack = 2048;  // see clean_call.h

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
  if (ranges_overlap(out, n, context, sizeof(aes_crypt_ctx))) return false;
  return is_ecb ||
         (!ranges_overlap(iv, kAesBlockLen, in, n) && !ranges_overlap(iv, kAesBlockLen, out, n) &&
          !ranges_overlap(iv, kAesBlockLen, context, sizeof(aes_crypt_ctx)));
}

template <auto kFunction, uint64_t kTag>
AES_RETURN crypt_ecb(const uint8_t* in, uint8_t* out, int len, const aes_crypt_ctx* cx) {
  const Context* const c = context_of(cx, kTag);
  if (!usable(c, in, out, len, nullptr, true) || len % 16 != 0) return EXIT_FAILURE;
  if (len == 0) return EXIT_SUCCESS;
  const size_t blocks = static_cast<size_t>(len) / kAesBlockLen;
  note_blocks(*c, blocks);
  (c->modes.kernel->*kFunction)(c->modes, in, out, blocks);
  return EXIT_SUCCESS;
}

template <auto kFunction, uint64_t kTag>
AES_RETURN crypt_cbc(const uint8_t* in, uint8_t* out, int len, uint8_t* iv,
                     const aes_crypt_ctx* cx) {
  const Context* const c = context_of(cx, kTag);
  if (!usable(c, in, out, len, iv, false) || len % 16 != 0) return EXIT_FAILURE;
  if (len == 0) return EXIT_SUCCESS;
  const size_t blocks = static_cast<size_t>(len) / kAesBlockLen;
  note_blocks(*c, blocks);
  (c->modes.kernel->*kFunction)(c->modes, iv, in, out, blocks);
  return EXIT_SUCCESS;
}

// |len| bytes from |position| on in the block that is begun. |vector| is its key stream; in CFB
// ciphertext takes the place of what is used up, and in the end is the next vector.
void crypt_in_begun_block(Mode mode, uint8_t* vector, size_t position, const uint8_t* in,
                          uint8_t* out, size_t len) {
  for (size_t i = 0; i < len; ++i) {
    const uint8_t before = in[i];
    uint8_t& keystream = vector[position++];
    out[i] = before ^ keystream;
    if (mode == Mode::cfb_encrypt) keystream = out[i];
    if (mode == Mode::cfb_decrypt) keystream = before;
  }
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

// Whole blocks of CFB, OFB and CTR.
void crypt_blocks(Mode mode, const AesKey& key, uint8_t* iv, cbuf_inc* next, const uint8_t* in,
                  uint8_t* out, size_t blocks) {
  if (mode == Mode::cfb_encrypt) return key.kernel->cfb_encrypt(key, iv, in, out, blocks);
  if (mode == Mode::cfb_decrypt) return key.kernel->cfb_decrypt(key, iv, in, out, blocks);
  if (mode == Mode::ofb) return key.kernel->ofb(key, iv, in, out, blocks);
  if (next == nullptr && kHasOwnCtr) return key.kernel->ctr(key, iv, in, out, blocks, 128);
  ctr_by_ecb(key, iv, next == nullptr ? increment : next, in, out, blocks);
}

// CFB, OFB and CTR: what the block begun before still takes, whole blocks, the beginning of one
// more. In CTR a begun block keeps its counter, from which its key stream is made again.
AES_RETURN crypt_stream(Mode mode, const uint8_t* in, uint8_t* out, int signed_len, uint8_t* iv,
                        cbuf_inc* next, aes_encrypt_ctx* cx) {
  Context* const c = context_of(cx, kEncryptTag);
  if (!usable(c, in, out, signed_len, iv, false)) return EXIT_FAILURE;
  size_t len = static_cast<size_t>(signed_len);
  if (len == 0) return EXIT_SUCCESS;
  size_t position = cx->inf.b[kPosition];
  if (position > kAesBlockLen) return EXIT_FAILURE;
  if (c->mode != mode && position == kAesBlockLen) position = 0;
  if (c->mode != mode && position != 0) {
    note_mixed_modes();
    return EXIT_FAILURE;
  }
  c->mode = mode;
  const AesKey& single = c->for_single_blocks();
  uint8_t keystream[kAesBlockLen];  // of CTR; in the other modes it is in |iv|
  uint8_t* const vector = mode == Mode::ctr ? keystream : iv;

  if (position != 0) {
    const size_t room = kAesBlockLen - position, n = len < room ? len : room;
    if (mode == Mode::ctr) single.kernel->ecb_encrypt(single, iv, keystream, 1);
    crypt_in_begun_block(mode, vector, position, in, out, n);
    in += n, out += n, len -= n, position += n;
    if (mode != Mode::ctr) {
      position %= kAesBlockLen;
    } else if (len != 0) {
      (next == nullptr ? increment : next)(iv);
      position = 0;
    }
  }
  if (const size_t blocks = len / kAesBlockLen; blocks != 0) {
    note_blocks(*c, blocks);
    crypt_blocks(mode, c->modes, iv, next, in, out, blocks);
    in += blocks * kAesBlockLen, out += blocks * kAesBlockLen, len %= kAesBlockLen;
  }
  if (len != 0) {
    single.kernel->ecb_encrypt(single, iv, vector, 1);
    crypt_in_begun_block(mode, vector, 0, in, out, len);
    position = len;
  }
  cx->inf.b[kPosition] = static_cast<uint8_t>(position);
  if (mode == Mode::ctr) wipe(keystream);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace incore::compat

using namespace incore;
using namespace incore::compat;

AES_RETURN aes_test_alignment_detection(unsigned int n) {
  return n == 4 || n == 8 || n == 16 ? EXIT_SUCCESS : EXIT_FAILURE;
}

AES_RETURN aes_mode_reset(aes_encrypt_ctx cx[1]) {
  Context* const c = context_of(cx, kEncryptTag);
  if (c == nullptr) return EXIT_FAILURE;
  cx->inf.b[kPosition] = 0;
  c->mode = Mode::none;
  return EXIT_SUCCESS;
}

AES_RETURN aes_ecb_encrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           const aes_encrypt_ctx cx[1]) {
  return clean_call(
      kStack, [=] { return crypt_ecb<&AesKernel::ecb_encrypt, kEncryptTag>(ibuf, obuf, len, cx); });
}

AES_RETURN aes_ecb_decrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           const aes_decrypt_ctx cx[1]) {
  return clean_call(
      kStack, [=] { return crypt_ecb<&AesKernel::ecb_decrypt, kDecryptTag>(ibuf, obuf, len, cx); });
}

AES_RETURN aes_cbc_encrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           unsigned char* iv, const aes_encrypt_ctx cx[1]) {
  return clean_call(kStack, [=] {
    return crypt_cbc<&AesKernel::cbc_encrypt, kEncryptTag>(ibuf, obuf, len, iv, cx);
  });
}

AES_RETURN aes_cbc_decrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           unsigned char* iv, const aes_decrypt_ctx cx[1]) {
  return clean_call(kStack, [=] {
    return crypt_cbc<&AesKernel::cbc_decrypt, kDecryptTag>(ibuf, obuf, len, iv, cx);
  });
}

AES_RETURN aes_cfb_encrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           unsigned char* iv, aes_encrypt_ctx cx[1]) {
  return clean_call(
      kStack, [=] { return crypt_stream(Mode::cfb_encrypt, ibuf, obuf, len, iv, nullptr, cx); });
}

AES_RETURN aes_cfb_decrypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                           unsigned char* iv, aes_encrypt_ctx cx[1]) {
  return clean_call(
      kStack, [=] { return crypt_stream(Mode::cfb_decrypt, ibuf, obuf, len, iv, nullptr, cx); });
}

AES_RETURN aes_ofb_crypt(const unsigned char* ibuf, unsigned char* obuf, int len, unsigned char* iv,
                         aes_encrypt_ctx cx[1]) {
  return clean_call(kStack,
                    [=] { return crypt_stream(Mode::ofb, ibuf, obuf, len, iv, nullptr, cx); });
}

AES_RETURN aes_ctr_crypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                         unsigned char* cbuf, cbuf_inc ctr_inc, aes_encrypt_ctx cx[1]) {
  return clean_call(kStack,
                    [=] { return crypt_stream(Mode::ctr, ibuf, obuf, len, cbuf, ctr_inc, cx); });
}
