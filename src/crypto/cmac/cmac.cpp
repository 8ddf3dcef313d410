#include "crypto/cmac/cmac.h"

#include <cstring>

#include "base/bytes.h"
#include "base/wipe.h"

namespace incore {
namespace {

// Multiplies by the x of GF(2^128), big-endian, modulo x^128 + x^7 + x^2 + x + 1: SP 800-38B
// section 6.1.
void double_block(uint8_t* block) {
  const uint64_t high = load_be64(block), low = load_be64(block + 8);
  store_be64(block, high << 1 | low >> 63);
  store_be64(block + 8, low << 1 ^ (0x87 & (0 - (high >> 63))));
}

}  // namespace

void cmac_finish(CbcMac& mac, const AesKey& key, uint8_t* out_tag) {
  uint8_t subkey[kAesBlockLen] = {};
  key.kernel->ecb_encrypt(key, subkey, subkey, 1);
  double_block(subkey);  // K1, for a last block that is full
  if (mac.begun != kAesBlockLen) {
    double_block(subkey);  // K2, for one that is padded
    mac.chain[mac.begun] ^= 0x80;
  }
  for (size_t i = 0; i < kAesBlockLen; ++i) mac.chain[i] ^= subkey[i];
  mac.begun = kAesBlockLen;
  mac.finish(key);
  std::memcpy(out_tag, mac.chain, kAesBlockLen);
  wipe(subkey);
}

}  // namespace incore
