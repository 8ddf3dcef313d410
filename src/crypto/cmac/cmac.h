// CMAC (SP 800-38B) with AES: CBC-MAC whose last block meets a subkey.
#pragma once

#include "crypto/cmac/cbc_mac.h"

namespace incore {

// Ends the message in |mac|, whose start() and update() have seen all of it, and writes its 16
// bytes of tag. |mac| is used up.
void cmac_finish(CbcMac& mac, const AesKey& key, uint8_t* out_tag);

}  // namespace incore
