// The C interface to SHA.
#include "incore/sha.h"

#include <new>
#include <type_traits>

#include "base/wipe.h"
#include "capi/overlap.h"
#include "capi/sha_overlap.h"
#include "crypto/clean/clean_call.h"
#include "crypto/sha/sha_many.h"
#include "crypto/sha/sha_stream.h"

namespace incore {
namespace {

constexpr size_t kManyStack = 12288;  // see clean_call.h

// What incore_sha holds. The mark tells a running context from a cleared or forgotten one.
struct Context {
  static constexpr uint64_t kRunning = 0x494e434f52453a73;  // "INCORE:s"
  uint64_t mark;
  ShaStream stream;
};
static_assert(sizeof(Context) <= sizeof(incore_sha) && alignof(Context) <= alignof(incore_sha));
static_assert(std::is_trivially_copyable_v<Context> && std::is_trivially_destructible_v<Context>);

Context* context(incore_sha* ctx) {
  return std::launder(reinterpret_cast<Context*>(ctx));
}

bool is_algorithm(incore_sha_algorithm algorithm) {
  return algorithm >= INCORE_SHA1 && algorithm <= INCORE_SHA512;
}
ShaAlgorithm internal(incore_sha_algorithm algorithm) {
  return static_cast<ShaAlgorithm>(algorithm - INCORE_SHA1);
}
static_assert(static_cast<int>(ShaAlgorithm::sha512) == INCORE_SHA512 - INCORE_SHA1);

incore_status check_messages(ShaAlgorithm algorithm, const incore_sha_message* messages,
                             size_t num_messages) {
  if (messages == nullptr && num_messages != 0) return INCORE_ERROR_NULL;
  if (num_messages > SIZE_MAX / sizeof *messages) return INCORE_ERROR_LENGTH;
  for (size_t i = 0; i < num_messages; ++i) {
    const incore_sha_message& m = messages[i];
    if (m.out_digest == nullptr || (m.data == nullptr && m.data_len != 0)) return INCORE_ERROR_NULL;
  }
  for (size_t i = 0; i < num_messages; ++i) {
    const size_t room = UINTPTR_MAX - reinterpret_cast<uintptr_t>(messages[i].data);
    if (messages[i].data_len > sha_max_message_len(algorithm) || messages[i].data_len > room)
      return INCORE_ERROR_LENGTH;
  }
  return sha_digests_overlap(messages, num_messages, sha_digest_len(algorithm))
             ? INCORE_ERROR_OVERLAP
             : INCORE_OK;
}

incore_status digest(ShaAlgorithm algorithm, const KernelInfo* kernel, const void* data,
                     size_t data_len, uint8_t* out_digest) {
  ShaStream stream(algorithm, kernel);
  if (!stream.update(static_cast<const uint8_t*>(data), data_len)) return INCORE_ERROR_LENGTH;
  stream.final(out_digest);
  return INCORE_OK;
}

incore_status digest_one_by_one(ShaAlgorithm algorithm, const KernelInfo* kernel,
                                const incore_sha_message* messages, size_t num_messages) {
  incore_status status = INCORE_OK;
  for (size_t i = 0; i < num_messages && status == INCORE_OK; ++i)
    status =
        digest(algorithm, kernel, messages[i].data, messages[i].data_len, messages[i].out_digest);
  return status;
}

// Whether lanes gain more by blocks side by side than it costs to set them up, and to clear them.
bool gains_by_lanes(ShaAlgorithm algorithm, const incore_sha_message* messages,
                    size_t num_messages) {
  const size_t block_len = sha_block_len(algorithm);
  // Two messages of 64-bit words take as long side by side.
  const size_t fewest_messages = block_len == 128 ? 3 : 2,
               fewest_blocks = block_len == 128 ? 2 : 12;
  if (num_messages < fewest_messages) return false;
  size_t blocks = 0, longest = 0;
  for (const incore_sha_message* m = messages; m != messages + num_messages; ++m) {
    const size_t n = m->data_len / block_len + 1;
    longest = n > longest ? n : longest;
    blocks += n;
    if (blocks - longest >= fewest_blocks) return true;
  }
  return false;
}

template <class Word>
void digest_many(ShaAlgorithm algorithm, const ShaManyKernels& kernels,
                 const incore_sha_message* messages, size_t num_messages) {
  ShaManyHasher<Word> hasher(algorithm, kernels);
  for (size_t i = 0; i < num_messages; ++i)
    hasher.add({static_cast<const uint8_t*>(messages[i].data), messages[i].data_len,
                messages[i].out_digest});
  hasher.finish();
}

}  // namespace
}  // namespace incore

using namespace incore;

size_t incore_sha_digest_len(incore_sha_algorithm algorithm) {
  return is_algorithm(algorithm) ? sha_digest_len(internal(algorithm)) : 0;
}

incore_status incore_sha_init(incore_sha* out_ctx, incore_sha_algorithm algorithm) {
  if (out_ctx == nullptr) return INCORE_ERROR_NULL;
  if (!is_algorithm(algorithm)) return INCORE_ERROR_ALGORITHM;
  const KernelInfo* kernel = sha_kernel(internal(algorithm));
  if (kernel == nullptr) return INCORE_ERROR_KERNEL;
  new (out_ctx) Context{Context::kRunning, ShaStream(internal(algorithm), kernel)};
  return INCORE_OK;
}

incore_status incore_sha_update(incore_sha* ctx, const void* data, size_t data_len) {
  if (ctx == nullptr || (data == nullptr && data_len != 0)) return INCORE_ERROR_NULL;
  if (context(ctx)->mark != Context::kRunning) return INCORE_ERROR_STATE;
  return clean_call(sha_stack(context(ctx)->stream.kernel()), [=] {
    const bool fits = context(ctx)->stream.update(static_cast<const uint8_t*>(data), data_len);
    return fits ? INCORE_OK : INCORE_ERROR_LENGTH;
  });
}

incore_status incore_sha_final(incore_sha* ctx, uint8_t* out_digest, size_t out_digest_len) {
  if (ctx == nullptr || out_digest == nullptr) return INCORE_ERROR_NULL;
  if (context(ctx)->mark != Context::kRunning) return INCORE_ERROR_STATE;
  if (out_digest_len != sha_digest_len(context(ctx)->stream.algorithm()))
    return INCORE_ERROR_LENGTH;
  return clean_call(sha_stack(context(ctx)->stream.kernel()), [=] {
    context(ctx)->stream.final(out_digest);
    wipe(*ctx);
    return INCORE_OK;
  });
}

void incore_sha_wipe(incore_sha* ctx) {
  if (ctx != nullptr) wipe(*ctx);
}

incore_status incore_sha_digest(incore_sha_algorithm algorithm, const void* data, size_t data_len,
                                uint8_t* out_digest, size_t out_digest_len) {
  if (out_digest == nullptr) return INCORE_ERROR_NULL;
  if (!is_algorithm(algorithm)) return INCORE_ERROR_ALGORITHM;
  if (out_digest_len != incore_sha_digest_len(algorithm)) return INCORE_ERROR_LENGTH;
  const KernelInfo* kernel = sha_kernel(internal(algorithm));
  if (kernel == nullptr) return INCORE_ERROR_KERNEL;
  if (data == nullptr && data_len != 0) return INCORE_ERROR_NULL;
  return clean_call(sha_stack(*kernel), [=] {
    return digest(internal(algorithm), kernel, data, data_len, out_digest);
  });
}

incore_status incore_sha_digest_many(incore_sha_algorithm algorithm,
                                     const incore_sha_message* messages, size_t num_messages) {
  if (!is_algorithm(algorithm)) return INCORE_ERROR_ALGORITHM;
  const size_t digest_len = sha_digest_len(internal(algorithm));
  if (num_messages == 1 && messages != nullptr &&
      !ranges_overlap(messages->out_digest, digest_len, messages, sizeof *messages))
    return incore_sha_digest(algorithm, messages->data, messages->data_len, messages->out_digest,
                             digest_len);
  const incore_status status = check_messages(internal(algorithm), messages, num_messages);
  if (status != INCORE_OK) return status;
  const ShaManyKernels kernels = sha_many_kernels(internal(algorithm));
  const KernelInfo* kernel = sha_kernel(internal(algorithm));
  if (kernels.list == nullptr || kernel == nullptr) return INCORE_ERROR_KERNEL;
  if (!gains_by_lanes(internal(algorithm), messages, num_messages))
    return clean_call(sha_stack(*kernel), [=] {
      return digest_one_by_one(internal(algorithm), kernel, messages, num_messages);
    });
  return clean_call(kManyStack, [=] {
    if (sha_block_len(internal(algorithm)) == 128)
      digest_many<uint64_t>(internal(algorithm), kernels, messages, num_messages);
    else
      digest_many<uint32_t>(internal(algorithm), kernels, messages, num_messages);
    return INCORE_OK;
  });
}
