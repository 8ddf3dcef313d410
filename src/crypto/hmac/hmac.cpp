#include "crypto/hmac/hmac.h"

#include <cstring>

#include "base/wipe.h"

namespace incore {

Hmac::Hmac(ShaAlgorithm algorithm, const KernelInfo* kernel, const uint8_t* key, size_t key_len)
    : inner_(algorithm, kernel), outer_(algorithm, kernel) {
  const size_t block_len = sha_block_len(algorithm);
  uint8_t block[kShaMaxBlockLen] = {};  // K0 of FIPS 198-1 section 4
  if (key_len > block_len) {
    ShaStream hash(algorithm, kernel);
    hash.update(key, key_len);
    hash.final(block);
    wipe(hash);
  } else if (key_len != 0) {
    std::memcpy(block, key, key_len);
  }
  for (uint8_t& b : block) b ^= 0x36;  // ipad
  inner_.update(block, block_len);
  for (uint8_t& b : block) b ^= 0x36 ^ 0x5C;  // opad
  outer_.update(block, block_len);
  wipe(block);
}

void Hmac::final(uint8_t* out_tag) {
  uint8_t digest[kShaMaxDigestLen];
  inner_.final(digest);
  outer_.update(digest, sha_digest_len(algorithm()));
  outer_.final(out_tag);
  wipe(digest);
}

}  // namespace incore
