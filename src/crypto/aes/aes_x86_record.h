// The record of an x86 kernel of AES: the key schedules and modes over its rounds and registers,
// which are defined before this is included (aes_x86_modes.h).
#pragma once

#include "crypto/aes/aes_x86_keys.h"
#include "crypto/aes/aes_x86_many.h"
#include "crypto/aes/aes_x86_modes.h"

namespace incore {
namespace {

template <const AesKernel& kernel>
void load_key(const AesRoundKeys& round_keys, AesKey* out_key) {
  std::memcpy(out_key->storage, round_keys.bytes, kAesBlockLen * (round_keys.rounds + 1));
  out_key->kernel = &kernel;
  out_key->rounds = round_keys.rounds;
}

// The record of |kernel|.
template <const AesKernel& kernel>
constexpr AesKernel make_kernel(KernelInfo info, size_t stack) {
  return {
      .info = info,
      .expand_key = expand_key,
      .invert_key = invert_key,
      .load_key = load_key<kernel>,
      .ecb_encrypt = ecb<Direction::encrypt>,
      .ecb_decrypt = ecb<Direction::decrypt>,
      .cbc_encrypt = cbc_encrypt<EncryptKeys>,
      .cbc_decrypt = crypt<CbcDecrypt>,
      .cfb_encrypt = cfb_encrypt<EncryptKeys>,
      .cfb_decrypt = crypt<CfbDecrypt>,
      .ofb = ofb<EncryptKeys>,
      .ctr = ctr,
      .xts_encrypt = each_batch<Xts<Direction::encrypt>>,
      .xts_decrypt = each_batch<Xts<Direction::decrypt>>,
      .cbc_encrypt_many = encrypt_many<ChainMode::cbc>,
      .cfb_encrypt_many = encrypt_many<ChainMode::cfb>,
      .stack = stack,
  };
}

}  // namespace
}  // namespace incore
