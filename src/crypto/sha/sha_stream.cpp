#include "crypto/sha/sha_stream.h"

#include <cstring>

#include "base/bytes.h"
#include "crypto/sha/sha_steps.h"

namespace incore {
namespace {

enum class Family : uint8_t { sha1, sha256, sha512 };

struct Properties {
  Family family;
  uint8_t digest_len;
  uint8_t block_len;
};

constexpr Properties kProperties[] = {
    {Family::sha1, 20, 64},    {Family::sha256, 28, 64},  {Family::sha256, 32, 64},
    {Family::sha512, 48, 128}, {Family::sha512, 64, 128},
};
static_assert(sizeof kProperties / sizeof kProperties[0] ==
              static_cast<size_t>(ShaAlgorithm::count_));

const Properties& properties(ShaAlgorithm algorithm) {
  return kProperties[static_cast<size_t>(algorithm)];
}

}  // namespace

size_t sha_digest_len(ShaAlgorithm algorithm) {
  return properties(algorithm).digest_len;
}
size_t sha_block_len(ShaAlgorithm algorithm) {
  return properties(algorithm).block_len;
}

uint64_t sha_max_message_len(ShaAlgorithm algorithm) {
  return properties(algorithm).family == Family::sha512 ? UINT64_MAX : (uint64_t{1} << 61) - 1;
}

const KernelInfo* sha_kernel(ShaAlgorithm algorithm) {
  switch (properties(algorithm).family) {
    case Family::sha1:
      return reinterpret_cast<const KernelInfo*>(sha1_kernel());
    case Family::sha256:
      return reinterpret_cast<const KernelInfo*>(sha256_kernel());
    case Family::sha512:
      return reinterpret_cast<const KernelInfo*>(sha512_kernel());
  }
  return nullptr;
}

ShaStream::ShaStream(ShaAlgorithm algorithm, const KernelInfo* kernel)
    : kernel_(kernel), algorithm_(algorithm) {
  for (size_t i = 0; i < 8; ++i) {
    switch (algorithm) {
      case ShaAlgorithm::sha1:
        H_.words32[i] = i < 5 ? sha::kSha1H[i] : 0;
        break;
      case ShaAlgorithm::sha224:
        H_.words32[i] = sha::kSha224H[i];
        break;
      case ShaAlgorithm::sha256:
        H_.words32[i] = sha::kSha256H[i];
        break;
      case ShaAlgorithm::sha384:
        H_.words64[i] = sha::kSha384H[i];
        break;
      default:
        H_.words64[i] = sha::kSha512H[i];
        break;
    }
  }
}

void ShaStream::compress(const uint8_t* blocks, size_t num_blocks) {
  switch (properties(algorithm_).family) {
    case Family::sha1:
      return reinterpret_cast<const Sha1Kernel*>(kernel_)->compress(H_.words32, blocks, num_blocks);
    case Family::sha256:
      return reinterpret_cast<const Sha256Kernel*>(kernel_)->compress(H_.words32, blocks,
                                                                      num_blocks);
    case Family::sha512:
      return reinterpret_cast<const Sha512Kernel*>(kernel_)->compress(H_.words64, blocks,
                                                                      num_blocks);
  }
}

bool ShaStream::update(const uint8_t* data, size_t len) {
  if (len > max_message_len() - message_len_) return false;
  if (len == 0) return true;
  const size_t block_len = sha_block_len(algorithm_);
  const size_t have = tail_len();
  message_len_ += len;
  if (have != 0) {
    const size_t missing = block_len - have;
    if (len < missing) {
      std::memcpy(tail_ + have, data, len);
      return true;
    }
    std::memcpy(tail_ + have, data, missing);
    compress(tail_, 1);
    data += missing;
    len -= missing;
  }
  const size_t num_blocks = len / block_len;
  if (num_blocks != 0) compress(data, num_blocks);
  std::memcpy(tail_, data + num_blocks * block_len, len % block_len);
  return true;
}

void ShaStream::final(uint8_t* out_digest) {
  const bool wide = properties(algorithm_).family == Family::sha512;
  compress(tail_, wide ? sha::pad<128>(tail_, tail_len(), message_len_, tail_)
                       : sha::pad<64>(tail_, tail_len(), message_len_, tail_));
  const size_t word_len = wide ? 8 : 4;
  for (size_t i = 0; i < sha_digest_len(algorithm_) / word_len; ++i) {
    if (wide)
      store_be64(out_digest + 8 * i, H_.words64[i]);
    else
      store_be32(out_digest + 4 * i, H_.words32[i]);
  }
}

}  // namespace incore
