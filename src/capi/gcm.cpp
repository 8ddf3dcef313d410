// incore/gcm.h over GCM: checks arguments, keeps the order of a stream's calls.
#include "incore/gcm.h"

#include <new>

#include "base/bytes.h"
#include "base/equal.h"
#include "base/wipe.h"
#include "crypto/clean/clean_call.h"
#include "crypto/gcm/gcm.h"

namespace incore {
namespace {

// Stack that is cleared: see clean_call.h.
constexpr size_t kStack = 1152, kDecryptStack = 2240, kShortMessageStack = 640;

// The tags tell a context that is set from memory that is not.
constexpr uint64_t kKeyTag = 0x59454B2D4D434749;
constexpr uint64_t kStreamTag = 0x4D5254532D4D4347;

struct KeyContext {
  uint64_t tag;
  GcmKey key;
};
static_assert(sizeof(KeyContext) <= sizeof(incore_gcm_key));
static_assert(alignof(KeyContext) <= alignof(incore_gcm_key));

enum class Direction : uint64_t { none, encrypt, decrypt };

struct StreamContext {
  uint64_t tag;
  Direction direction;  // none: no text was processed yet
  GcmStream stream;
};
static_assert(sizeof(StreamContext) <= sizeof(incore_gcm_stream));
static_assert(alignof(StreamContext) <= alignof(incore_gcm_stream));

const KeyContext* context_of(const incore_gcm_key* key) {
  return std::launder(reinterpret_cast<const KeyContext*>(key->opaque));
}
StreamContext* context_of(incore_gcm_stream* stream) {
  return std::launder(reinterpret_cast<StreamContext*>(stream->opaque));
}
bool is_set(const incore_gcm_key* key) {
  return context_of(key)->tag == kKeyTag;
}
bool is_started(incore_gcm_stream* stream) {
  return context_of(stream)->tag == kStreamTag;
}
const GcmKey& gcm_key(const incore_gcm_key* key) {
  return context_of(key)->key;
}

// SP 800-38D section 5.2.1.2.
bool is_tag_len(size_t len) {
  return (len >= 12 && len <= 16) || len == 8 || len == 4;
}

bool missing(const void* p, size_t len) {
  return p == nullptr && len != 0;
}

// What both one-shot calls ask but the overlap of the tag. A tag is given or asked for.
incore_status check_message(const incore_gcm_key* key, const GcmMessage& m, const void* tag,
                            size_t tag_len) {
  if (key == nullptr || m.iv == nullptr || tag == nullptr || missing(m.aad, m.aad_len) ||
      missing(m.in, m.len) || missing(m.out, m.len))
    return INCORE_ERROR_NULL;
  if (!is_set(key)) return INCORE_ERROR_STATE;
  if (m.iv_len == 0 || !is_tag_len(tag_len) || m.len > kGcmMaxText || m.aad_len > kGcmMaxAad ||
      m.iv_len > kGcmMaxAad)
    return INCORE_ERROR_LENGTH;
  if ((m.in != m.out && ranges_overlap(m.in, m.len, m.out, m.len)) ||
      ranges_overlap(m.out, m.len, m.aad, m.aad_len) ||
      ranges_overlap(m.out, m.len, m.iv, m.iv_len) || ranges_overlap(m.out, m.len, tag, tag_len) ||
      ranges_overlap(m.out, m.len, key, sizeof *key))
    return INCORE_ERROR_OVERLAP;
  return INCORE_OK;
}

// |otherwise|, or less where a loop takes the whole message at once and it is short.
size_t stack_of(const GcmKey& key, const GcmMessage& m, size_t otherwise) {
  const bool at_once =
      m.iv_len == kGcmIvLen && key.loop != nullptr && key.loop->encrypt_message != nullptr;
  return at_once && m.len <= 256 ? kShortMessageStack : otherwise;
}

template <Direction direction>
incore_status crypt(incore_gcm_stream* stream, const incore_gcm_key* key, const void* in,
                    size_t len, void* out) {
  return clean_call(direction == Direction::encrypt ? kStack : kDecryptStack, [=] {
    if (stream == nullptr || key == nullptr || missing(in, len) || missing(out, len))
      return INCORE_ERROR_NULL;
    if (!is_set(key) || !is_started(stream)) return INCORE_ERROR_STATE;
    StreamContext& s = *context_of(stream);
    if (s.direction != Direction::none && s.direction != direction) return INCORE_ERROR_STATE;
    if (len > kGcmMaxText - s.stream.text_len()) return INCORE_ERROR_LENGTH;
    if ((in != out && ranges_overlap(in, len, out, len)) ||
        ranges_overlap(stream, sizeof *stream, in, len) ||
        ranges_overlap(stream, sizeof *stream, out, len) ||
        ranges_overlap(key, sizeof *key, out, len))
      return INCORE_ERROR_OVERLAP;
    s.direction = direction;
    const auto from = static_cast<const uint8_t*>(in);
    const auto to = static_cast<uint8_t*>(out);
    if (direction == Direction::encrypt)
      s.stream.encrypt(gcm_key(key), from, len, to);
    else
      s.stream.decrypt(gcm_key(key), from, len, to);
    return INCORE_OK;
  });
}

// What the last call of a stream asks; |wrong| is the direction that it cannot end.
incore_status check_end(incore_gcm_stream* stream, const incore_gcm_key* key, const void* tag,
                        size_t tag_len, Direction wrong) {
  if (stream == nullptr || key == nullptr || tag == nullptr) return INCORE_ERROR_NULL;
  if (!is_set(key) || !is_started(stream) || context_of(stream)->direction == wrong)
    return INCORE_ERROR_STATE;
  if (!is_tag_len(tag_len)) return INCORE_ERROR_LENGTH;
  if (ranges_overlap(stream, sizeof *stream, tag, tag_len) ||
      ranges_overlap(key, sizeof *key, tag, tag_len))
    return INCORE_ERROR_OVERLAP;
  return INCORE_OK;
}

}  // namespace
}  // namespace incore

using namespace incore;

const char* incore_ghash_kernel(void) {
  const GhashKernel* kernel = ghash_kernel();
  return kernel == nullptr ? nullptr : kernel->info.name;
}

incore_status incore_gcm_key_set(incore_gcm_key* out_key, const void* key, size_t key_len) {
  return clean_call(kStack, [=] {
    if (out_key == nullptr || key == nullptr) return INCORE_ERROR_NULL;
    if (key_len != 16 && key_len != 24 && key_len != 32) return INCORE_ERROR_KEY_LENGTH;
    if (ranges_overlap(out_key, sizeof *out_key, key, key_len)) return INCORE_ERROR_OVERLAP;
    const AesKernel* aes = aes_kernel();
    const GhashKernel* ghash = ghash_kernel();
    if (aes == nullptr || ghash == nullptr) return INCORE_ERROR_KERNEL;
    KeyContext* context = new (out_key->opaque) KeyContext;
    gcm_set_key(*aes, *ghash, static_cast<const uint8_t*>(key), key_len, &context->key);
    context->tag = kKeyTag;
    return INCORE_OK;
  });
}

void incore_gcm_key_wipe(incore_gcm_key* key) {
  if (key != nullptr) wipe(*key);
}

incore_status incore_gcm_encrypt(const incore_gcm_key* key, const void* iv, size_t iv_len,
                                 const void* aad, size_t aad_len, const void* in, size_t len,
                                 void* out, void* out_tag, size_t tag_len) {
  const GcmMessage m = {
      static_cast<const uint8_t*>(iv), iv_len, static_cast<const uint8_t*>(aad), aad_len,
      static_cast<const uint8_t*>(in), len,    static_cast<uint8_t*>(out)};
  const incore_status status = check_message(key, m, out_tag, tag_len);
  if (status != INCORE_OK) return status;
  if (ranges_overlap(out_tag, tag_len, in, len) || ranges_overlap(out_tag, tag_len, aad, aad_len) ||
      ranges_overlap(out_tag, tag_len, iv, iv_len) ||
      ranges_overlap(out_tag, tag_len, key, sizeof *key))
    return INCORE_ERROR_OVERLAP;
  const size_t stack = stack_of(gcm_key(key), m, kStack);
  if (tag_len == kGcmTagLen) {
    gcm_encrypt(gcm_key(key), m, static_cast<uint8_t*>(out_tag));
    return clear_behind(INCORE_OK, stack);
  }
  uint8_t tag[kGcmTagLen];
  gcm_encrypt(gcm_key(key), m, tag);
  std::memcpy(out_tag, tag, tag_len);
  wipe(tag);
  return clear_behind(INCORE_OK, stack);
}

incore_status incore_gcm_decrypt(const incore_gcm_key* key, const void* iv, size_t iv_len,
                                 const void* aad, size_t aad_len, const void* in, size_t len,
                                 const void* tag, size_t tag_len, void* out) {
  const GcmMessage m = {
      static_cast<const uint8_t*>(iv), iv_len, static_cast<const uint8_t*>(aad), aad_len,
      static_cast<const uint8_t*>(in), len,    static_cast<uint8_t*>(out)};
  const incore_status status = check_message(key, m, tag, tag_len);
  if (status != INCORE_OK) return status;
  const bool right = gcm_decrypt(gcm_key(key), m, static_cast<const uint8_t*>(tag), tag_len);
  return clear_behind(right ? INCORE_OK : INCORE_ERROR_TAG,
                      stack_of(gcm_key(key), m, kDecryptStack));
}

incore_status incore_gcm_stream_start(incore_gcm_stream* out_stream, const incore_gcm_key* key,
                                      const void* iv, size_t iv_len) {
  return clean_call(kStack, [=] {
    if (out_stream == nullptr || key == nullptr || iv == nullptr) return INCORE_ERROR_NULL;
    if (!is_set(key)) return INCORE_ERROR_STATE;
    if (iv_len == 0 || iv_len > kGcmMaxAad) return INCORE_ERROR_LENGTH;
    if (ranges_overlap(out_stream, sizeof *out_stream, iv, iv_len) ||
        ranges_overlap(out_stream, sizeof *out_stream, key, sizeof *key))
      return INCORE_ERROR_OVERLAP;
    new (out_stream->opaque)
        StreamContext{kStreamTag, Direction::none,
                      GcmStream(gcm_key(key), static_cast<const uint8_t*>(iv), iv_len)};
    return INCORE_OK;
  });
}

incore_status incore_gcm_stream_aad(incore_gcm_stream* stream, const incore_gcm_key* key,
                                    const void* aad, size_t aad_len) {
  return clean_call(kStack, [=] {
    if (stream == nullptr || key == nullptr || missing(aad, aad_len)) return INCORE_ERROR_NULL;
    if (!is_set(key) || !is_started(stream)) return INCORE_ERROR_STATE;
    StreamContext& s = *context_of(stream);
    if (s.direction != Direction::none) return INCORE_ERROR_STATE;
    if (aad_len > kGcmMaxAad - s.stream.aad_len()) return INCORE_ERROR_LENGTH;
    if (ranges_overlap(stream, sizeof *stream, aad, aad_len)) return INCORE_ERROR_OVERLAP;
    s.stream.add_aad(gcm_key(key), static_cast<const uint8_t*>(aad), aad_len);
    return INCORE_OK;
  });
}

incore_status incore_gcm_stream_encrypt(incore_gcm_stream* stream, const incore_gcm_key* key,
                                        const void* in, size_t len, void* out) {
  return crypt<Direction::encrypt>(stream, key, in, len, out);
}

incore_status incore_gcm_stream_decrypt(incore_gcm_stream* stream, const incore_gcm_key* key,
                                        const void* in, size_t len, void* out) {
  return crypt<Direction::decrypt>(stream, key, in, len, out);
}

incore_status incore_gcm_stream_tag(incore_gcm_stream* stream, const incore_gcm_key* key,
                                    void* out_tag, size_t tag_len) {
  return clean_call(kStack, [=] {
    const incore_status status = check_end(stream, key, out_tag, tag_len, Direction::decrypt);
    if (status != INCORE_OK) return status;
    uint8_t tag[kGcmTagLen];
    context_of(stream)->stream.tag(gcm_key(key), tag);
    std::memcpy(out_tag, tag, tag_len);
    wipe(tag);
    incore_gcm_stream_wipe(stream);
    return INCORE_OK;
  });
}

incore_status incore_gcm_stream_verify(incore_gcm_stream* stream, const incore_gcm_key* key,
                                       const void* tag, size_t tag_len) {
  return clean_call(kStack, [=] {
    const incore_status status = check_end(stream, key, tag, tag_len, Direction::encrypt);
    if (status != INCORE_OK) return status;
    uint8_t computed[kGcmTagLen];
    context_of(stream)->stream.tag(gcm_key(key), computed);
    const bool right = equal_in_constant_time(computed, tag, tag_len);
    wipe(computed);
    incore_gcm_stream_wipe(stream);
    return right ? INCORE_OK : INCORE_ERROR_TAG;
  });
}

void incore_gcm_stream_wipe(incore_gcm_stream* stream) {
  if (stream != nullptr) wipe(*stream);
}
