// HMAC (FIPS 198-1) over any SHA algorithm.
#pragma once

#include "crypto/sha/sha_stream.h"

namespace incore {

// A plain structure: may be copied, which forks the computation.
class Hmac {
 public:
  // |kernel| as for ShaStream. |key| of any length.
  Hmac(ShaAlgorithm algorithm, const KernelInfo* kernel, const uint8_t* key, size_t key_len);

  // False, with nothing done, if the message would become too long.
  bool update(const uint8_t* data, size_t len) { return inner_.update(data, len); }
  // Writes sha_digest_len() bytes. The computation is used up.
  void final(uint8_t* out_tag);

  ShaAlgorithm algorithm() const { return inner_.algorithm(); }

 private:
  // H(K0 ^ ipad || message) and H(K0 ^ opad || that), with the key's block behind them.
  ShaStream inner_, outer_;
};

}  // namespace incore
