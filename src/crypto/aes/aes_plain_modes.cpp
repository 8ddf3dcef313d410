#include "crypto/aes/aes_plain_modes.h"

#include "base/wipe.h"

namespace incore {
namespace {

constexpr size_t kBatch = 16;  // blocks for which tweaks are kept

using Ecb = void (*)(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks);

void xor_bytes(uint8_t* out, const uint8_t* a, const uint8_t* b, size_t len) {
  for (size_t i = 0; i < len; ++i) out[i] = a[i] ^ b[i];
}

void xts(Ecb ecb, const AesKey& key, uint8_t* tweak, const uint8_t* in, uint8_t* out,
         size_t blocks) {
  alignas(16) uint8_t tweaks[kBatch * kAesBlockLen], data[kBatch * kAesBlockLen];
  while (blocks != 0) {
    const size_t n = blocks < kBatch ? blocks : kBatch;
    const size_t len = n * kAesBlockLen;
    for (size_t i = 0; i < len; i += kAesBlockLen) {
      std::memcpy(tweaks + i, tweak, kAesBlockLen);
      aes_xts_multiply_by_alpha(tweak);
    }
    xor_bytes(data, in, tweaks, len);
    ecb(key, data, data, n);
    xor_bytes(out, data, tweaks, len);
    in += len, out += len, blocks -= n;
  }
  wipe(tweaks);
  wipe(data);
}

}  // namespace

void aes_xts_encrypt_by_ecb(const AesKey& key, uint8_t* tweak, const uint8_t* in, uint8_t* out,
                            size_t blocks) {
  xts(key.kernel->ecb_encrypt, key, tweak, in, out, blocks);
}

void aes_xts_decrypt_by_ecb(const AesKey& key, uint8_t* tweak, const uint8_t* in, uint8_t* out,
                            size_t blocks) {
  xts(key.kernel->ecb_decrypt, key, tweak, in, out, blocks);
}

void aes_cbc_encrypt_one_by_one(const AesChain* chains, size_t num_chains) {
  for (const AesChain* c = chains; c != chains + num_chains; ++c)
    c->key->kernel->cbc_encrypt(*c->key, c->iv, c->in, c->out, c->blocks);
}

void aes_cfb_encrypt_one_by_one(const AesChain* chains, size_t num_chains) {
  for (const AesChain* c = chains; c != chains + num_chains; ++c)
    c->key->kernel->cfb_encrypt(*c->key, c->iv, c->in, c->out, c->blocks);
}

}  // namespace incore
