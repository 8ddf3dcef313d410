// A SHA computation in pieces: FIPS 180-4 over any kernel. Collects bytes into blocks, counts them,
// pads at the end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/sha/sha_kernel.h"

namespace incore {

enum class ShaAlgorithm : uint8_t { sha1, sha224, sha256, sha384, sha512, count_ };

inline constexpr size_t kShaMaxDigestLen = 64;
inline constexpr size_t kShaMaxBlockLen = 128;

size_t sha_digest_len(ShaAlgorithm algorithm);
size_t sha_block_len(ShaAlgorithm algorithm);  // bytes that the compression function takes
// In bytes. 2^61 - 1 is the standard's limit of 2^64 bits less one; SHA-384 and SHA-512 would
// allow 2^125 bytes, of which 2^64 - 1 are counted here.
uint64_t sha_max_message_len(ShaAlgorithm algorithm);

// The kernel that serves this process for |algorithm|; null if INCORE_KERNEL is wrong.
const KernelInfo* sha_kernel(ShaAlgorithm algorithm);

// Bytes of stack that a computation on |kernel| takes at most: so much is cleared behind it
// (clean_call.h). Those for AVX2 and AVX-512 prepare the words of two blocks there.
inline size_t sha_stack(const KernelInfo& kernel) {
  return kernel.needs.has_any(FeatureSet(Feature::avx2, Feature::avx512)) ? 2816 : 1152;
}

// A plain structure: may be copied, which forks the computation.
class ShaStream {
 public:
  // |kernel| begins a record for |algorithm|: of SHA-256 for SHA-224, of SHA-512 for SHA-384.
  ShaStream(ShaAlgorithm algorithm, const KernelInfo* kernel);

  // False, with nothing done, if the message would become longer than max_message_len().
  bool update(const uint8_t* data, size_t len);
  // Writes sha_digest_len() bytes. The stream is used up.
  void final(uint8_t* out_digest);

  ShaAlgorithm algorithm() const { return algorithm_; }
  const KernelInfo& kernel() const { return *kernel_; }
  uint64_t max_message_len() const { return sha_max_message_len(algorithm_); }

 private:
  friend class ShaStreamTest;
  void compress(const uint8_t* blocks, size_t num_blocks);
  size_t tail_len() const { return static_cast<size_t>(message_len_ % sha_block_len(algorithm_)); }

  union {
    uint32_t words32[8];
    uint64_t words64[8];
  } H_;
  uint64_t message_len_ = 0;
  uint8_t tail_[2 * kShaMaxBlockLen];  // what has not filled a block; the padding needs a second
                                       // block at times
  const KernelInfo* kernel_;
  ShaAlgorithm algorithm_;
};

}  // namespace incore
