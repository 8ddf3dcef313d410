#include "crypto/cmac/cbc_mac.h"

#include <cstring>

#include "base/wipe.h"

namespace incore {

void cbc_mac_blocks(const AesKey& key, uint8_t* chain, const uint8_t* in, size_t blocks) {
  if (blocks == 0) return;
  constexpr size_t kBatch = 32;
  alignas(16) uint8_t unused[kBatch * kAesBlockLen];  // the ciphertext, of which the last block is
                                                      // the chain
  const size_t largest = blocks < kBatch ? blocks : kBatch;
  while (blocks != 0) {
    const size_t n = blocks < kBatch ? blocks : kBatch;
    key.kernel->cbc_encrypt(key, chain, in, unused, n);
    in += n * kAesBlockLen, blocks -= n;
  }
  wipe(unused, largest * kAesBlockLen);
}

void CbcMac::start() {
  std::memset(chain, 0, sizeof chain);
  begun = 0;
}

void CbcMac::update(const AesKey& key, const uint8_t* in, size_t len) {
  const auto begin = [&](size_t n) {
    for (size_t i = 0; i < n; ++i) chain[begun + i] ^= in[i];
    begun += static_cast<uint32_t>(n);
    in += n, len -= n;
  };
  if (len == 0) return;
  if (begun != 0) {
    const size_t room = kAesBlockLen - begun;
    begin(len < room ? len : room);
    if (len == 0) return;
    finish(key);
  }
  const size_t blocks = (len - 1) / kAesBlockLen;
  cbc_mac_blocks(key, chain, in, blocks);
  in += blocks * kAesBlockLen, len -= blocks * kAesBlockLen;
  begin(len);
}

void CbcMac::finish(const AesKey& key) {
  if (begun == 0) return;
  begun = 0;
  key.kernel->ecb_encrypt(key, chain, chain, 1);
}

}  // namespace incore
