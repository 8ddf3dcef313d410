#include "crypto/gcm/gcm_testing.h"

#include <cstring>

#include "base/bytes.h"
#include "crypto/aes/aes_steps.h"
#include "crypto/ghash/ghash_steps.h"

namespace incore::test {
namespace {

// Appends zeros up to a whole block.
void pad(Bytes& bytes) {
  bytes.resize((bytes.size() + 15) / 16 * 16);
}
void append_length(Bytes& bytes, size_t len) {
  bytes.resize(bytes.size() + 8);
  store_be64(bytes.data() + bytes.size() - 8, 8 * uint64_t{len});
}

struct Steps {
  AesRoundKeys round_keys;
  Bytes h = Bytes(16);

  explicit Steps(const Bytes& key) {
    aes_steps::key_expansion(key.data(), key.size(), static_cast<unsigned>(key.size() / 4 + 6),
                             &round_keys);
    h = ciph(h);
  }
  Bytes ciph(const Bytes& block) const {
    Bytes out(16);
    aes_steps::cipher(round_keys, block.data(), out.data());
    return out;
  }
  Bytes ghash(const Bytes& blocks) const {
    Bytes y(16);
    ghash_steps::ghash(h.data(), y.data(), blocks.data(), blocks.size() / 16);
    return y;
  }
  Bytes gctr(Bytes counter, Bytes x) const {
    for (size_t i = 0; i < x.size(); i += 16) {
      const Bytes keystream = ciph(counter);
      for (size_t j = i; j < x.size() && j < i + 16; ++j) x[j] ^= keystream[j - i];
      store_be32(counter.data() + 12, load_be32(counter.data() + 12) + 1);
    }
    return x;
  }
};

Bytes multiply(const Bytes& x, const Bytes& y) {
  Bytes z(16);
  ghash_steps::multiply(x.data(), y.data(), z.data());
  return z;
}

}  // namespace

std::vector<GcmPair> gcm_pairs() {
  const FeatureSet features = detect_features();
  std::vector<GcmPair> pairs;
  for (const AesKernel* aes : {
#define X(kernel) &aes_##kernel,
#include "crypto/aes/aes_kernels.def"
#undef X
       })
    for (const GhashKernel* ghash : {
#define X(kernel) &ghash_##kernel,
#include "crypto/ghash/ghash_kernels.def"
#undef X
         })
      if (features.has_all(aes->info.needs) && features.has_all(ghash->info.needs))
        pairs.push_back({aes, ghash});
  return pairs;
}

GcmKey make_gcm_key(const GcmPair& pair, const Bytes& key) {
  GcmKey k;
  gcm_set_key(*pair.aes, *pair.ghash, key.data(), key.size(), &k);
  return k;
}

Sealed gcm_by_steps(const Bytes& key, const Bytes& iv, const Bytes& aad, const Bytes& plaintext) {
  const Steps steps(key);
  Bytes j0 = iv;
  if (iv.size() == 12) {
    j0.insert(j0.end(), {0, 0, 0, 1});
  } else {
    pad(j0);
    append_length(j0, 0);
    append_length(j0, iv.size());
    j0 = steps.ghash(j0);
  }
  Bytes first = j0;
  store_be32(first.data() + 12, load_be32(first.data() + 12) + 1);
  const Bytes c = steps.gctr(first, plaintext);
  Bytes hashed = aad;
  pad(hashed);
  hashed.insert(hashed.end(), c.begin(), c.end());
  pad(hashed);
  append_length(hashed, aad.size());
  append_length(hashed, c.size());
  return {c, steps.gctr(j0, steps.ghash(hashed))};
}

Bytes iv_for_counter(const Bytes& key, const Bytes& j0) {
  const Steps steps(key);
  // 1 / H = H^(2^128 - 2): all bits of the exponent but the last.
  Bytes inverse(16);
  inverse[0] = 0x80;
  for (unsigned bit = 0; bit < 128; ++bit) {
    inverse = multiply(inverse, inverse);
    if (bit != 127) inverse = multiply(inverse, steps.h);
  }
  Bytes iv = multiply(j0, inverse);
  iv[15] ^= 128;  // the block of lengths
  return multiply(iv, inverse);
}

Sealed seal(const GcmKey& key, const Bytes& iv, const Bytes& aad, const Bytes& plaintext) {
  Sealed s = {Bytes(plaintext.size()), Bytes(16)};
  gcm_encrypt(key,
              {iv.data(), iv.size(), aad.data(), aad.size(), plaintext.data(), plaintext.size(),
               s.ciphertext.data()},
              s.tag.data());
  return s;
}

bool open(const GcmKey& key, const Bytes& iv, const Bytes& aad, const Bytes& ciphertext,
          const Bytes& tag, Bytes* out_text) {
  out_text->assign(ciphertext.size(), 0xA5);
  return gcm_decrypt(key,
                     {iv.data(), iv.size(), aad.data(), aad.size(), ciphertext.data(),
                      ciphertext.size(), out_text->data()},
                     tag.data(), tag.size());
}

}  // namespace incore::test
