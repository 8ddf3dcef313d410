// The chain of CBC-MAC over bytes that come in any pieces, as CMAC (SP 800-38B) and CCM (SP
// 800-38C) use it. A block that is full waits until more follows, because CMAC treats the last one
// apart.
#pragma once

#include "crypto/aes/aes_kernel.h"

namespace incore {

// chain = E(chain ^ block), for one block after the other.
void cbc_mac_blocks(const AesKey& key, uint8_t* chain, const uint8_t* in, size_t blocks);

struct CbcMac {
  uint8_t chain[kAesBlockLen];  // what has come of the block that is begun is xored into it
  uint32_t begun;               // bytes of that block; 16: it waits

  void start();
  void update(const AesKey& key, const uint8_t* in, size_t len);
  // The same for whole blocks, none of which waits. No block may be begun that is not full.
  void update_blocks(const AesKey& key, const uint8_t* in, size_t blocks) {
    finish(key);
    cbc_mac_blocks(key, chain, in, blocks);
  }
  // Zeros up to the end of the block.
  void pad() {
    if (begun != 0) begun = kAesBlockLen;
  }
  // Encrypts the block that is begun, if any: the chain is the MAC then.
  void finish(const AesKey& key);
};

}  // namespace incore
