// The C interface to HMAC.
#include "incore/hmac.h"

#include <cstring>
#include <new>
#include <type_traits>

#include "base/bytes.h"
#include "base/equal.h"
#include "base/wipe.h"
#include "crypto/clean/clean_call.h"
#include "crypto/hmac/hmac.h"

namespace incore {
namespace {

constexpr size_t kStack = 2688, kTagStack = 4224;  // see clean_call.h

// What incore_hmac holds. The mark tells a running context from a cleared or forgotten one.
struct Context {
  static constexpr uint64_t kRunning = 0x494e434f52453a68;  // "INCORE:h"
  uint64_t mark;
  Hmac hmac;
};
static_assert(sizeof(Context) <= sizeof(incore_hmac) && alignof(Context) <= alignof(incore_hmac));
static_assert(std::is_trivially_copyable_v<Context> && std::is_trivially_destructible_v<Context>);

constexpr size_t kMinTagLen = 4;

Context* context_of(incore_hmac* ctx) {
  return std::launder(reinterpret_cast<Context*>(ctx));
}

// What final and verify ask.
incore_status check_end(incore_hmac* ctx, const void* tag, size_t tag_len) {
  if (ctx == nullptr || (tag == nullptr && tag_len != 0)) return INCORE_ERROR_NULL;
  if (context_of(ctx)->mark != Context::kRunning) return INCORE_ERROR_STATE;
  if (tag_len < kMinTagLen || tag_len > sha_digest_len(context_of(ctx)->hmac.algorithm()))
    return INCORE_ERROR_LENGTH;
  return ranges_overlap(ctx, sizeof *ctx, tag, tag_len) ? INCORE_ERROR_OVERLAP : INCORE_OK;
}

// Ends the message; |out_tag| has room for any tag.
void finish(incore_hmac* ctx, uint8_t* out_tag) {
  context_of(ctx)->hmac.final(out_tag);
  wipe(*ctx);
}

incore_status start(incore_hmac* out_ctx, incore_sha_algorithm algorithm, const void* key,
                    size_t key_len) {
  if (out_ctx == nullptr || (key == nullptr && key_len != 0)) return INCORE_ERROR_NULL;
  if (incore_sha_digest_len(algorithm) == 0) return INCORE_ERROR_ALGORITHM;
  const ShaAlgorithm internal = static_cast<ShaAlgorithm>(algorithm - INCORE_SHA1);
  const KernelInfo* kernel = sha_kernel(internal);
  if (kernel == nullptr) return INCORE_ERROR_KERNEL;
  if (key_len > ShaStream(internal, kernel).max_message_len()) return INCORE_ERROR_LENGTH;
  if (ranges_overlap(out_ctx, sizeof *out_ctx, key, key_len)) return INCORE_ERROR_OVERLAP;
  new (out_ctx)
      Context{Context::kRunning, Hmac(internal, kernel, static_cast<const uint8_t*>(key), key_len)};
  return INCORE_OK;
}

incore_status update(incore_hmac* ctx, const void* data, size_t data_len) {
  if (ctx == nullptr || (data == nullptr && data_len != 0)) return INCORE_ERROR_NULL;
  if (context_of(ctx)->mark != Context::kRunning) return INCORE_ERROR_STATE;
  if (ranges_overlap(ctx, sizeof *ctx, data, data_len)) return INCORE_ERROR_OVERLAP;
  const bool fits = context_of(ctx)->hmac.update(static_cast<const uint8_t*>(data), data_len);
  return fits ? INCORE_OK : INCORE_ERROR_LENGTH;
}

incore_status final(incore_hmac* ctx, void* out_tag, size_t tag_len) {
  const incore_status status = check_end(ctx, out_tag, tag_len);
  if (status != INCORE_OK) return status;
  uint8_t tag[kShaMaxDigestLen];
  finish(ctx, tag);
  std::memcpy(out_tag, tag, tag_len);
  wipe(tag);
  return INCORE_OK;
}

incore_status verify(incore_hmac* ctx, const void* tag, size_t tag_len) {
  const incore_status status = check_end(ctx, tag, tag_len);
  if (status != INCORE_OK) return status;
  uint8_t expected[kShaMaxDigestLen];
  finish(ctx, expected);
  const bool matches = equal_in_constant_time(expected, tag, tag_len);
  wipe(expected);
  return matches ? INCORE_OK : INCORE_ERROR_TAG;
}

// start and update in one; after a failure |ctx| holds nothing.
incore_status absorb(incore_hmac* ctx, incore_sha_algorithm algorithm, const void* key,
                     size_t key_len, const void* data, size_t data_len) {
  incore_status status = start(ctx, algorithm, key, key_len);
  if (status != INCORE_OK) return status;
  status = update(ctx, data, data_len);
  if (status != INCORE_OK) wipe(*ctx);
  return status;
}

}  // namespace
}  // namespace incore

using namespace incore;

incore_status incore_hmac_start(incore_hmac* out_ctx, incore_sha_algorithm algorithm,
                                const void* key, size_t key_len) {
  return clean_call(kTagStack, [=] { return start(out_ctx, algorithm, key, key_len); });
}

incore_status incore_hmac_update(incore_hmac* ctx, const void* data, size_t data_len) {
  return clean_call(kStack, [=] { return update(ctx, data, data_len); });
}

incore_status incore_hmac_final(incore_hmac* ctx, void* out_tag, size_t tag_len) {
  return clean_call(kStack, [=] { return final(ctx, out_tag, tag_len); });
}

incore_status incore_hmac_verify(incore_hmac* ctx, const void* tag, size_t tag_len) {
  return clean_call(kStack, [=] { return verify(ctx, tag, tag_len); });
}

void incore_hmac_wipe(incore_hmac* ctx) {
  if (ctx != nullptr) wipe(*ctx);
}

incore_status incore_hmac_tag(incore_sha_algorithm algorithm, const void* key, size_t key_len,
                              const void* data, size_t data_len, void* out_tag, size_t tag_len) {
  return clean_call(kTagStack, [=] {
    if (out_tag == nullptr && tag_len != 0) return INCORE_ERROR_NULL;
    incore_hmac ctx;
    incore_status status = absorb(&ctx, algorithm, key, key_len, data, data_len);
    if (status != INCORE_OK) return status;
    status = final(&ctx, out_tag, tag_len);
    if (status != INCORE_OK) wipe(ctx);
    return status;
  });
}

incore_status incore_hmac_verify_tag(incore_sha_algorithm algorithm, const void* key,
                                     size_t key_len, const void* data, size_t data_len,
                                     const void* tag, size_t tag_len) {
  return clean_call(kTagStack, [=] {
    if (tag == nullptr && tag_len != 0) return INCORE_ERROR_NULL;
    incore_hmac ctx;
    incore_status status = absorb(&ctx, algorithm, key, key_len, data, data_len);
    if (status != INCORE_OK) return status;
    status = verify(&ctx, tag, tag_len);
    if (status != INCORE_OK) wipe(ctx);
    return status;
  });
}
