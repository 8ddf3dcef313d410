// The C interface to CMAC and CBC-MAC.
#include "incore/cmac.h"

#include <cstring>
#include <new>

#include "base/bytes.h"
#include "base/equal.h"
#include "base/wipe.h"
#include "capi/aes_key.h"
#include "crypto/clean/clean_call.h"
#include "crypto/cmac/cmac.h"

namespace incore {
namespace {

constexpr size_t kStack = 1408;  // see clean_call.h

struct Context {
  static constexpr uint64_t kRunning = 0x43414D432D534541;  // tells a context from other memory
  uint64_t mark;
  CbcMac mac;
};
static_assert(sizeof(Context) <= sizeof(incore_cmac) && alignof(Context) <= alignof(incore_cmac));

Context* computation(incore_cmac* ctx) {
  return std::launder(reinterpret_cast<Context*>(ctx));
}
bool is_running(incore_cmac* ctx) {
  return computation(ctx)->mark == Context::kRunning;
}
bool is_tag_len(size_t len) {
  return len >= 4 && len <= INCORE_CMAC_TAG_LEN;
}

// What final and verify ask.
incore_status check_end(incore_cmac* ctx, const incore_aes_key* key, const void* tag,
                        size_t tag_len) {
  if (ctx == nullptr || key == nullptr || (tag == nullptr && tag_len != 0))
    return INCORE_ERROR_NULL;
  if (!is_set(key) || !is_running(ctx)) return INCORE_ERROR_STATE;
  if (!is_tag_len(tag_len)) return INCORE_ERROR_LENGTH;
  if (ranges_overlap(ctx, sizeof *ctx, tag, tag_len)) return INCORE_ERROR_OVERLAP;
  return INCORE_OK;
}

// What the functions on a whole message ask.
incore_status check_message(const incore_aes_key* key, const void* data, size_t data_len,
                            const void* tag, size_t tag_len) {
  if (key == nullptr || (tag == nullptr && tag_len != 0) || (data == nullptr && data_len != 0))
    return INCORE_ERROR_NULL;
  if (!is_set(key)) return INCORE_ERROR_STATE;
  return is_tag_len(tag_len) ? INCORE_OK : INCORE_ERROR_LENGTH;
}

void tag_of(const incore_aes_key* key, const void* data, size_t data_len, uint8_t* out_tag) {
  const AesKey& k = context_of(key)->forward;
  CbcMac mac;
  mac.start();
  mac.update(k, static_cast<const uint8_t*>(data), data_len);
  cmac_finish(mac, k, out_tag);
  wipe(mac);
}

}  // namespace
}  // namespace incore

using namespace incore;

incore_status incore_cmac_start(incore_cmac* out_ctx) {
  return clean_call(kStack, [=] {
    if (out_ctx == nullptr) return INCORE_ERROR_NULL;
    Context* context = new (out_ctx) Context;
    context->mark = Context::kRunning;
    context->mac.start();
    return INCORE_OK;
  });
}

incore_status incore_cmac_update(incore_cmac* ctx, const incore_aes_key* key, const void* data,
                                 size_t data_len) {
  return clean_call(kStack, [=] {
    if (ctx == nullptr || key == nullptr || (data == nullptr && data_len != 0))
      return INCORE_ERROR_NULL;
    if (!is_set(key) || !is_running(ctx)) return INCORE_ERROR_STATE;
    if (ranges_overlap(ctx, sizeof *ctx, data, data_len)) return INCORE_ERROR_OVERLAP;
    computation(ctx)->mac.update(context_of(key)->forward, static_cast<const uint8_t*>(data),
                                 data_len);
    return INCORE_OK;
  });
}

incore_status incore_cmac_final(incore_cmac* ctx, const incore_aes_key* key, void* out_tag,
                                size_t tag_len) {
  return clean_call(kStack, [=] {
    const incore_status status = check_end(ctx, key, out_tag, tag_len);
    if (status != INCORE_OK) return status;
    uint8_t tag[kAesBlockLen];
    cmac_finish(computation(ctx)->mac, context_of(key)->forward, tag);
    std::memcpy(out_tag, tag, tag_len);
    wipe(*ctx);
    wipe(tag);
    return INCORE_OK;
  });
}

incore_status incore_cmac_verify(incore_cmac* ctx, const incore_aes_key* key, const void* tag,
                                 size_t tag_len) {
  return clean_call(kStack, [=] {
    const incore_status status = check_end(ctx, key, tag, tag_len);
    if (status != INCORE_OK) return status;
    uint8_t expected[kAesBlockLen];
    cmac_finish(computation(ctx)->mac, context_of(key)->forward, expected);
    const bool matches = equal_in_constant_time(expected, tag, tag_len);
    wipe(*ctx);
    wipe(expected);
    return matches ? INCORE_OK : INCORE_ERROR_TAG;
  });
}

void incore_cmac_wipe(incore_cmac* ctx) {
  if (ctx != nullptr) wipe(*ctx);
}

incore_status incore_cmac_tag(const incore_aes_key* key, const void* data, size_t data_len,
                              void* out_tag, size_t tag_len) {
  return clean_call(kStack, [=] {
    const incore_status status = check_message(key, data, data_len, out_tag, tag_len);
    if (status != INCORE_OK) return status;
    uint8_t tag[kAesBlockLen];
    tag_of(key, data, data_len, tag);
    std::memcpy(out_tag, tag, tag_len);
    wipe(tag);
    return INCORE_OK;
  });
}

incore_status incore_cmac_verify_tag(const incore_aes_key* key, const void* data, size_t data_len,
                                     const void* tag, size_t tag_len) {
  return clean_call(kStack, [=] {
    const incore_status status = check_message(key, data, data_len, tag, tag_len);
    if (status != INCORE_OK) return status;
    uint8_t expected[kAesBlockLen];
    tag_of(key, data, data_len, expected);
    const bool matches = equal_in_constant_time(expected, tag, tag_len);
    wipe(expected);
    return matches ? INCORE_OK : INCORE_ERROR_TAG;
  });
}

incore_status incore_cbc_mac(const incore_aes_key* key, uint8_t* mac, const void* data,
                             size_t data_len) {
  return clean_call(kStack, [=] {
    if (key == nullptr || mac == nullptr || (data == nullptr && data_len != 0))
      return INCORE_ERROR_NULL;
    if (!is_set(key)) return INCORE_ERROR_STATE;
    if (data_len % kAesBlockLen != 0) return INCORE_ERROR_LENGTH;
    if (ranges_overlap(mac, kAesBlockLen, data, data_len)) return INCORE_ERROR_OVERLAP;
    cbc_mac_blocks(context_of(key)->forward, mac, static_cast<const uint8_t*>(data),
                   data_len / kAesBlockLen);
    return INCORE_OK;
  });
}
