#include "crypto/xts/xts.h"

#include <cstring>

#include "base/bytes.h"
#include "base/wipe.h"
#include "crypto/aes/aes_plain_modes.h"

namespace incore {
namespace {

// IEEE 1619 section 5.3.2 with the encrypted tweak T_0, which is used up.
void encrypt_unit(const XtsKey& key, uint8_t* t, const uint8_t* in, size_t len, uint8_t* out) {
  const AesKernel& kernel = *key.forward.kernel;
  const size_t blocks = len / kAesBlockLen, rest = len % kAesBlockLen;
  if (rest == 0) return kernel.xts_encrypt(key.forward, t, in, out, blocks);
  // The last whole block lends its end to the block that is not full.
  uint8_t last[kAesBlockLen];
  const size_t whole = blocks * kAesBlockLen;
  std::memcpy(last, in + whole, rest);
  kernel.xts_encrypt(key.forward, t, in, out, blocks);
  uint8_t* const lender = out + whole - kAesBlockLen;
  std::memcpy(last + rest, lender + rest, kAesBlockLen - rest);
  std::memcpy(out + whole, lender, rest);
  kernel.xts_encrypt(key.forward, t, last, lender, 1);
  wipe(last);
}

// Section 5.4.2. The last whole block was encrypted after the one that is not full, so they are
// decrypted in that order: with their tweaks exchanged.
void decrypt_unit(const XtsKey& key, uint8_t* t, const uint8_t* in, size_t len, uint8_t* out) {
  const AesKernel& kernel = *key.inverse.kernel;
  const size_t blocks = len / kAesBlockLen, rest = len % kAesBlockLen;
  if (rest == 0) return kernel.xts_decrypt(key.inverse, t, in, out, blocks);
  kernel.xts_decrypt(key.inverse, t, in, out, blocks - 1);
  const size_t whole = blocks * kAesBlockLen;
  uint8_t t_of_lender[kAesBlockLen], lender[kAesBlockLen], last[kAesBlockLen];
  std::memcpy(t_of_lender, t, kAesBlockLen);
  aes_xts_multiply_by_alpha(t);
  kernel.xts_decrypt(key.inverse, t, in + whole - kAesBlockLen, last, 1);
  std::memcpy(lender, in + whole, rest);
  std::memcpy(lender + rest, last + rest, kAesBlockLen - rest);
  std::memcpy(out + whole, last, rest);
  kernel.xts_decrypt(key.inverse, t_of_lender, lender, out + whole - kAesBlockLen, 1);
  wipe(t_of_lender);
  wipe(lender);
  wipe(last);
}

using CryptUnit = void (*)(const XtsKey&, uint8_t* t, const uint8_t* in, size_t len, uint8_t* out);

void crypt_one(CryptUnit crypt_unit, const XtsKey& key, const uint8_t* tweak, const uint8_t* in,
               size_t len, uint8_t* out) {
  uint8_t t[kAesBlockLen];
  key.tweak.kernel->ecb_encrypt(key.tweak, tweak, t, 1);
  crypt_unit(key, t, in, len, out);
  wipe(t);
}

// The tweaks of many units are encrypted together: one alone takes as long as many blocks of data.
void crypt_many(CryptUnit crypt_unit, const XtsKey& key, uint64_t unit, size_t unit_len,
                const uint8_t* in, size_t len, uint8_t* out) {
  constexpr size_t kBatch = 16;
  alignas(16) uint8_t t[kBatch * kAesBlockLen];
  while (len != 0) {
    const size_t units = (len - 1) / unit_len + 1;
    const size_t n = units < kBatch ? units : kBatch;
    for (size_t i = 0; i < n; ++i, ++unit) {
      store_le64(t + i * kAesBlockLen, unit);  // section 5.1: little-endian
      store_le64(t + i * kAesBlockLen + 8, 0);
    }
    key.tweak.kernel->ecb_encrypt(key.tweak, t, t, n);
    for (size_t i = 0; i < n; ++i) {
      const size_t this_len = len < unit_len ? len : unit_len;
      crypt_unit(key, t + i * kAesBlockLen, in, this_len, out);
      in += this_len, out += this_len, len -= this_len;
    }
  }
  wipe(t);
}

}  // namespace

void xts_set_key(const AesKernel& kernel, const uint8_t* key, size_t key_len, XtsKey* out_key) {
  const size_t half = key_len / 2;
  AesKey inverse_of_tweak;  // of no use
  aes_set_key(kernel, key, half, &out_key->forward, &out_key->inverse);
  aes_set_key(kernel, key + half, half, &out_key->tweak, &inverse_of_tweak);
  wipe(inverse_of_tweak);
}

void xts_encrypt(const XtsKey& key, const uint8_t* tweak, const uint8_t* in, size_t len,
                 uint8_t* out) {
  crypt_one(encrypt_unit, key, tweak, in, len, out);
}
void xts_decrypt(const XtsKey& key, const uint8_t* tweak, const uint8_t* in, size_t len,
                 uint8_t* out) {
  crypt_one(decrypt_unit, key, tweak, in, len, out);
}

void xts_encrypt_units(const XtsKey& key, uint64_t first_unit, size_t unit_len, const uint8_t* in,
                       size_t len, uint8_t* out) {
  crypt_many(encrypt_unit, key, first_unit, unit_len, in, len, out);
}
void xts_decrypt_units(const XtsKey& key, uint64_t first_unit, size_t unit_len, const uint8_t* in,
                       size_t len, uint8_t* out) {
  crypt_many(decrypt_unit, key, first_unit, unit_len, in, len, out);
}

}  // namespace incore
