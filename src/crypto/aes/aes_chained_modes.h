// The modes in which a block waits for the one before: CBC and CFB128 encryption and OFB (SP
// 800-38A, sections 6.2 to 6.4), one text for kernels whose rounds work on registers. |Keys|, made
// of an AesKey, says how:
//
//   State                   a register of one block
//   load(p), store(x, p)    between memory and registers
//   first, last             the first and the last round key
//   inner_rounds(x)         all other rounds, on an array of one block
//   last_round(x, k)        k is added last
//
// The chain is kept with the first round key added. The last round adds that, and what else the
// next block begins with, together with its own key: so a block waits for the one before no longer
// than its rounds take.
#pragma once

#include "crypto/aes/aes_kernel.h"

namespace incore {
namespace {

template <class Keys>
INCORE_AES_TARGET void cbc_encrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                                   size_t blocks) {
  using State = typename Keys::State;
  if (blocks == 0) return;
  const Keys keys(key);
  State x[1] = {Keys::load(iv) ^ Keys::load(in) ^ keys.first};
  for (; --blocks != 0; out += kAesBlockLen) {
    keys.inner_rounds(x);
    in += kAesBlockLen;
    const State next = Keys::load(in) ^ keys.first;
    x[0] = Keys::last_round(x[0], keys.last ^ next);
    Keys::store(x[0] ^ next, out);
  }
  keys.inner_rounds(x);
  x[0] = Keys::last_round(x[0], keys.last);
  Keys::store(x[0], out);
  Keys::store(x[0], iv);
}

template <class Keys>
INCORE_AES_TARGET void cfb_encrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                                   size_t blocks) {
  using State = typename Keys::State;
  const Keys keys(key);
  const State both = keys.first ^ keys.last;
  State x[1] = {Keys::load(iv) ^ keys.first};
  for (; blocks != 0; --blocks, in += kAesBlockLen, out += kAesBlockLen) {
    keys.inner_rounds(x);
    x[0] = Keys::last_round(x[0], both ^ Keys::load(in));
    Keys::store(x[0] ^ keys.first, out);
  }
  Keys::store(x[0] ^ keys.first, iv);
}

template <class Keys>
INCORE_AES_TARGET void ofb(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                           size_t blocks) {
  using State = typename Keys::State;
  const Keys keys(key);
  const State both = keys.first ^ keys.last;
  State x[1] = {Keys::load(iv) ^ keys.first};
  for (; blocks != 0; --blocks, in += kAesBlockLen, out += kAesBlockLen) {
    keys.inner_rounds(x);
    x[0] = Keys::last_round(x[0], both);
    Keys::store(x[0] ^ keys.first ^ Keys::load(in), out);
  }
  Keys::store(x[0] ^ keys.first, iv);
}

}  // namespace
}  // namespace incore
