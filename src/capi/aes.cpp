// incore/aes.h over the AES kernels: checks arguments, and turns blocks into messages of any
// length.
#include "incore/aes.h"

#include <new>

#include "base/wipe.h"
#include "capi/aes_key.h"
#include "capi/overlap.h"
#include "crypto/clean/clean_call.h"

namespace incore {
namespace {

constexpr size_t kStack = 1152;  // of all but what a kernel does alone: see clean_call.h

constexpr uint64_t kStreamTag = 0x4D5254532D534541;

struct StreamContext {
  uint64_t tag;
  uint64_t blocks_started;
  uint8_t iv[kAesBlockLen];  // the kernel's vector for the next whole block
  // Of a block that is begun: OFB and CTR: keystream. CFB128: keystream, replaced by ciphertext as
  // it is used.
  uint8_t partial[kAesBlockLen];
  uint32_t partial_len;  // bytes of |partial| that are used up; 0: no block is begun
  uint32_t mode;
};
static_assert(sizeof(StreamContext) <= sizeof(incore_aes_stream));
static_assert(alignof(StreamContext) <= alignof(incore_aes_stream));

StreamContext* context_of(incore_aes_stream* stream) {
  return std::launder(reinterpret_cast<StreamContext*>(stream->opaque));
}

bool is_started(incore_aes_stream* stream) {
  return context_of(stream)->tag == kStreamTag;
}

// What all functions on whole blocks ask. |iv| is null for ECB.
[[gnu::noinline, gnu::cold]] incore_status check_blocks(const incore_aes_key* key,
                                                        const uint8_t* iv, const void* in,
                                                        size_t len, const void* out) {
  if (key == nullptr || (len != 0 && (in == nullptr || out == nullptr))) return INCORE_ERROR_NULL;
  if (!is_set(key)) return INCORE_ERROR_STATE;
  if (len % kAesBlockLen != 0) return INCORE_ERROR_LENGTH;
  if (overlap_wrongly(in, out, len)) return INCORE_ERROR_OVERLAP;
  if (iv != nullptr && overlap_either(iv, kAesBlockLen, in, out, len)) return INCORE_ERROR_OVERLAP;
  return INCORE_OK;
}

// True if |len| bytes at |a| and as many at |b| are far enough from each other to share none.
inline bool lie_apart(const void* a, const void* b, size_t len) {
  const uintptr_t distance = reinterpret_cast<uintptr_t>(a) - reinterpret_cast<uintptr_t>(b);
  return distance >= len && 0 - distance >= len;
}

// True if nothing is wrong: the straight way of calls for a block or two, for which check_blocks
// would cost more than their work. False: something may be wrong, and check_blocks knows.
inline bool surely_right(const incore_aes_key* key, const void* in, size_t len, const void* out) {
  return key != nullptr && in != nullptr && out != nullptr && is_set(key) &&
         len % kAesBlockLen == 0 && (in == out || lie_apart(in, out, len));
}
inline bool surely_right(const incore_aes_key* key, const uint8_t* iv, const void* in, size_t len,
                         const void* out) {
  return len >= kAesBlockLen && surely_right(key, in, len, out) && lie_apart(iv, in, len) &&
         lie_apart(iv, out, len);
}

bool is_mode(incore_aes_stream_mode mode) {
  return mode >= INCORE_AES_CFB128_ENCRYPT && mode <= INCORE_AES_CTR128;
}

// 0: not a counter mode.
unsigned counter_bits_of(unsigned mode) {
  static_assert(INCORE_AES_CTR16 == 4 && INCORE_AES_CTR128 == 7);
  return mode < INCORE_AES_CTR16 ? 0 : 16u << (mode - INCORE_AES_CTR16);
}

constexpr size_t kEveryCounterSuffices = (size_t{1} << 16) * kAesBlockLen;  // bytes

// True if a counter of the stream's mode has values for |len| bytes more.
bool counter_suffices(const StreamContext& s, size_t len) {
  const unsigned bits = counter_bits_of(s.mode);
  if (bits == 0 || bits > 32) return true;  // 2^64 blocks are out of reach
  const size_t begun = s.partial_len == 0 ? 0 : kAesBlockLen - s.partial_len;
  if (len <= begun) return true;
  const uint64_t blocks = (uint64_t{len} - begun - 1) / kAesBlockLen + 1;
  return blocks <= (uint64_t{1} << bits) - s.blocks_started;
}

void start(StreamContext* s, unsigned mode, const uint8_t* iv) {
  s->blocks_started = 0;
  std::memcpy(s->iv, iv, kAesBlockLen);
  s->partial_len = 0;
  s->mode = mode;
  s->tag = kStreamTag;
}

inline void crypt_blocks(unsigned mode, const AesKey& key, uint8_t* iv, const uint8_t* in,
                         uint8_t* out, size_t blocks) {
  const AesKernel& kernel = *key.kernel;
  const unsigned counter_bits = counter_bits_of(mode);
  if (counter_bits != 0) return kernel.ctr(key, iv, in, out, blocks, counter_bits);
  if (mode == INCORE_AES_OFB) return kernel.ofb(key, iv, in, out, blocks);
  if (mode == INCORE_AES_CFB128_ENCRYPT) return kernel.cfb_encrypt(key, iv, in, out, blocks);
  kernel.cfb_decrypt(key, iv, in, out, blocks);
}

void begin_partial_block(StreamContext& s, const AesKey& key) {
  const AesKernel& kernel = *key.kernel;
  ++s.blocks_started;
  if (counter_bits_of(s.mode) != 0) {
    const uint8_t zeros[kAesBlockLen] = {};
    kernel.ctr(key, s.iv, zeros, s.partial, 1, counter_bits_of(s.mode));
  } else {
    kernel.ecb_encrypt(key, s.iv, s.partial, 1);
    if (s.mode == INCORE_AES_OFB) std::memcpy(s.iv, s.partial, kAesBlockLen);
  }
}

void crypt_in_partial_block(StreamContext& s, const uint8_t* in, uint8_t* out, size_t len) {
  for (size_t i = 0; i < len; ++i) {
    const uint8_t before = in[i];
    uint8_t& keystream = s.partial[s.partial_len++];
    const uint8_t after = before ^ keystream;
    if (s.mode == INCORE_AES_CFB128_ENCRYPT) keystream = after;
    if (s.mode == INCORE_AES_CFB128_DECRYPT) keystream = before;
    out[i] = after;
  }
  if (s.partial_len < kAesBlockLen) return;
  s.partial_len = 0;
  if (s.mode == INCORE_AES_CFB128_ENCRYPT || s.mode == INCORE_AES_CFB128_DECRYPT)
    std::memcpy(s.iv, s.partial, kAesBlockLen);
}

void update(StreamContext& s, const AesKey& key, const uint8_t* in, size_t len, uint8_t* out) {
  if (s.partial_len != 0) {
    const size_t room = kAesBlockLen - s.partial_len;
    const size_t n = len < room ? len : room;
    crypt_in_partial_block(s, in, out, n);
    in += n, out += n, len -= n;
  }
  const size_t whole = len / kAesBlockLen * kAesBlockLen;
  if (whole != 0) {
    s.blocks_started += whole / kAesBlockLen;
    crypt_blocks(s.mode, key, s.iv, in, out, whole / kAesBlockLen);
    in += whole, out += whole, len -= whole;
  }
  if (len != 0) {
    begin_partial_block(s, key);
    crypt_in_partial_block(s, in, out, len);
  }
}

}  // namespace
}  // namespace incore

using namespace incore;

const char* incore_aes_kernel(void) {
  const AesKernel* kernel = aes_kernel();
  return kernel == nullptr ? nullptr : kernel->info.name;
}

incore_status incore_aes_key_set(incore_aes_key* out_key, const void* key, size_t key_len) {
  return clean_call(kStack, [=] {
    if (out_key == nullptr || key == nullptr) return INCORE_ERROR_NULL;
    if (key_len != 16 && key_len != 24 && key_len != 32) return INCORE_ERROR_KEY_LENGTH;
    if (ranges_overlap(out_key, sizeof *out_key, key, key_len)) return INCORE_ERROR_OVERLAP;
    const AesKernel* kernel = aes_kernel();
    if (kernel == nullptr) return INCORE_ERROR_KERNEL;

    AesKeyContext* context = new (out_key->opaque) AesKeyContext;
    aes_set_key(*kernel, static_cast<const uint8_t*>(key), key_len, &context->forward,
                &context->inverse);
    context->tag = AesKeyContext::kSet;
    return INCORE_OK;
  });
}

void incore_aes_key_wipe(incore_aes_key* key) {
  if (key != nullptr) wipe(*key);
}

incore_status incore_aes_ecb_encrypt(const incore_aes_key* key, const void* in, size_t len,
                                     void* out) {
  if (!surely_right(key, in, len, out)) [[unlikely]] {
    const incore_status status = check_blocks(key, nullptr, in, len, out);
    if (status != INCORE_OK) return status;
  }
  const AesKey& k = context_of(key)->forward;
  k.kernel->ecb_encrypt(k, static_cast<const uint8_t*>(in), static_cast<uint8_t*>(out),
                        len / kAesBlockLen);
  return clear_behind(INCORE_OK, k.kernel->stack);
}

incore_status incore_aes_ecb_decrypt(const incore_aes_key* key, const void* in, size_t len,
                                     void* out) {
  if (!surely_right(key, in, len, out)) [[unlikely]] {
    const incore_status status = check_blocks(key, nullptr, in, len, out);
    if (status != INCORE_OK) return status;
  }
  const AesKey& k = context_of(key)->inverse;
  k.kernel->ecb_decrypt(k, static_cast<const uint8_t*>(in), static_cast<uint8_t*>(out),
                        len / kAesBlockLen);
  return clear_behind(INCORE_OK, k.kernel->stack);
}

incore_status incore_aes_cbc_encrypt(const incore_aes_key* key, uint8_t* iv, const void* in,
                                     size_t len, void* out) {
  if (iv == nullptr) return INCORE_ERROR_NULL;
  if (!surely_right(key, iv, in, len, out)) [[unlikely]] {
    const incore_status status = check_blocks(key, iv, in, len, out);
    if (status != INCORE_OK) return status;
  }
  const AesKey& k = context_of(key)->forward;
  k.kernel->cbc_encrypt(k, iv, static_cast<const uint8_t*>(in), static_cast<uint8_t*>(out),
                        len / kAesBlockLen);
  return clear_behind(INCORE_OK, k.kernel->stack);
}

incore_status incore_aes_cbc_decrypt(const incore_aes_key* key, uint8_t* iv, const void* in,
                                     size_t len, void* out) {
  if (iv == nullptr) return INCORE_ERROR_NULL;
  if (!surely_right(key, iv, in, len, out)) [[unlikely]] {
    const incore_status status = check_blocks(key, iv, in, len, out);
    if (status != INCORE_OK) return status;
  }
  const AesKey& k = context_of(key)->inverse;
  k.kernel->cbc_decrypt(k, iv, static_cast<const uint8_t*>(in), static_cast<uint8_t*>(out),
                        len / kAesBlockLen);
  return clear_behind(INCORE_OK, k.kernel->stack);
}

incore_status incore_aes_stream_start(incore_aes_stream* out_stream, incore_aes_stream_mode mode,
                                      const uint8_t* iv) {
  return clean_call(kStack, [=] {
    if (out_stream == nullptr || iv == nullptr) return INCORE_ERROR_NULL;
    if (!is_mode(mode)) return INCORE_ERROR_RANGE;
    if (ranges_overlap(out_stream, sizeof *out_stream, iv, kAesBlockLen))
      return INCORE_ERROR_OVERLAP;
    start(new (out_stream->opaque) StreamContext, mode, iv);
    return INCORE_OK;
  });
}

incore_status incore_aes_stream_update(incore_aes_stream* stream, const incore_aes_key* key,
                                       const void* in, size_t len, void* out) {
  return clean_call(kStack, [=] {
    if (stream == nullptr || key == nullptr) return INCORE_ERROR_NULL;
    if (len != 0 && (in == nullptr || out == nullptr)) return INCORE_ERROR_NULL;
    if (!is_set(key) || !is_started(stream)) return INCORE_ERROR_STATE;
    StreamContext& s = *context_of(stream);
    if (!counter_suffices(s, len)) return INCORE_ERROR_LENGTH;
    if (overlap_wrongly(in, out, len) || overlap_either(stream, sizeof *stream, in, out, len))
      return INCORE_ERROR_OVERLAP;
    update(s, context_of(key)->forward, static_cast<const uint8_t*>(in), len,
           static_cast<uint8_t*>(out));
    return INCORE_OK;
  });
}

void incore_aes_stream_wipe(incore_aes_stream* stream) {
  if (stream != nullptr) wipe(*stream);
}

incore_status incore_aes_crypt(const incore_aes_key* key, incore_aes_stream_mode mode,
                               const uint8_t* iv, const void* in, size_t len, void* out) {
  if (key == nullptr || iv == nullptr) return INCORE_ERROR_NULL;
  const uint8_t* const from = static_cast<const uint8_t*>(in);
  uint8_t* const to = static_cast<uint8_t*>(out);
  if (surely_right(key, iv, in, len, out) && is_mode(mode) && len <= kEveryCounterSuffices)
      [[likely]] {  // needs no stream
    const AesKey& k = context_of(key)->forward;
    uint8_t vector[kAesBlockLen];
    std::memcpy(vector, iv, kAesBlockLen);
    crypt_blocks(mode, k, vector, from, to, len / kAesBlockLen);
    wipe(vector);
    return clear_behind(INCORE_OK, k.kernel->stack);
  }
  return clean_call(kStack, [=] {
    if (len != 0 && (in == nullptr || out == nullptr)) return INCORE_ERROR_NULL;
    if (!is_set(key)) return INCORE_ERROR_STATE;
    if (!is_mode(mode)) return INCORE_ERROR_RANGE;
    StreamContext s;
    start(&s, mode, iv);
    if (!counter_suffices(s, len)) return INCORE_ERROR_LENGTH;
    if (overlap_wrongly(in, out, len) || overlap_either(iv, kAesBlockLen, in, out, len))
      return INCORE_ERROR_OVERLAP;
    update(s, context_of(key)->forward, from, len, to);
    wipe(s);
    return INCORE_OK;
  });
}
