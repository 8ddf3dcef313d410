// What the GCM tests share: the pairs of kernels that this CPU can run, and GCM by the plain steps.
#pragma once

#include <string>
#include <vector>

#include "crypto/gcm/gcm.h"
#include "support/hex.h"

namespace incore::test {

struct GcmPair {
  const AesKernel* aes;
  const GhashKernel* ghash;
  std::string name() const { return std::string(aes->info.name) + "_" + ghash->info.name; }
};

// Every AES kernel with every GHASH kernel.
std::vector<GcmPair> gcm_pairs();

// Each kernel of gcm_pairs() has given |num| known answers of |vectors| with each partner.
void gcm_pairs_gave_answers(const std::string& vectors, size_t num);

GcmKey make_gcm_key(const GcmPair& pair, const Bytes& key);

struct Sealed {
  Bytes ciphertext;
  Bytes tag;
  bool operator==(const Sealed&) const = default;
};

// SP 800-38D section 7.1 in its own words, block by block: the oracle.
Sealed gcm_by_steps(const Bytes& key, const Bytes& iv, const Bytes& aad, const Bytes& plaintext);

// An iv of 16 bytes whose pre-counter block is |j0|.
Bytes iv_for_counter(const Bytes& key, const Bytes& j0);

// One call of the library each. Opening gives what stands in the output, and whether the tag was
// right.
Sealed seal(const GcmKey& key, const Bytes& iv, const Bytes& aad, const Bytes& plaintext);
bool open(const GcmKey& key, const Bytes& iv, const Bytes& aad, const Bytes& ciphertext,
          const Bytes& tag, Bytes* out_text);

}  // namespace incore::test
