// GCM as in SP 800-38D, sections 7.1 and 7.2: GCTR over the text, GHASH over aad, ciphertext and
// both lengths.
#include "crypto/gcm/gcm.h"

#include "base/bytes.h"
#include "base/equal.h"
#include "base/wipe.h"
#include "crypto/self_test.h"

namespace incore {
namespace {

constexpr uint8_t kZeros[kAesBlockLen] = {};

// Where no loop does both at once, a piece of this many blocks stays in the first cache meanwhile.
constexpr size_t kPieceBlocks = 256;

const GcmLoop* find_loop(const AesKernel& aes, const GhashKernel& ghash) {
  static constexpr const GcmLoop* kLoops[] = {
#define X(loop) &gcm_##loop,
#include "crypto/gcm/gcm_loops.def"
#undef X
      nullptr,
  };
  static constinit TestedKernels tested;
  for (unsigned i = 0; kLoops[i] != nullptr; ++i) {
    const GcmLoop* const loop = kLoops[i];
    if (loop->aes == &aes && loop->ghash == &ghash)
      return tested_once(tested, i, [loop] { return gcm_self_test(*loop); }) ? loop : nullptr;
  }
  return nullptr;
}

// GHASH of the last block: two lengths, given in bytes.
void hash_lengths(const GcmKey& key, uint8_t* state, uint64_t aad_len, uint64_t text_len) {
  uint8_t lengths[kGhashBlockLen];
  store_be64(lengths, 8 * aad_len);
  store_be64(lengths + 8, 8 * text_len);
  key.hash.kernel->update(key.hash, state, lengths, 1);
}

// The pre-counter block J0 (section 7.1, step 2).
void make_first_counter(const GcmKey& key, const uint8_t* iv, size_t iv_len, uint8_t* out_j0) {
  std::memset(out_j0, 0, kAesBlockLen);
  if (iv_len == kGcmIvLen) {
    std::memcpy(out_j0, iv, kGcmIvLen);
    out_j0[15] = 1;
    return;
  }
  const size_t whole = iv_len / kGhashBlockLen;
  key.hash.kernel->update(key.hash, out_j0, iv, whole);
  const size_t rest = iv_len % kGhashBlockLen;
  if (rest != 0) {
    for (size_t i = 0; i < rest; ++i) out_j0[i] ^= iv[kGhashBlockLen * whole + i];
    key.hash.kernel->update(key.hash, out_j0, kZeros, 1);
  }
  hash_lengths(key, out_j0, 0, iv_len);
}

// In constant time. A whole tag is worth a way of its own: it is most of what opening a short
// message takes beyond decryption.
bool same_tag(const uint8_t* computed, const uint8_t* tag, size_t tag_len) {
  if (tag_len != kGcmTagLen) return equal_in_constant_time(computed, tag, tag_len);
  return ((load_le64(computed) ^ load_le64(tag)) |
          (load_le64(computed + 8) ^ load_le64(tag + 8))) == 0;
}

}  // namespace

void gcm_set_key(const AesKernel& aes, const GhashKernel& ghash, const GcmLoop* loop,
                 const uint8_t* key, size_t key_len, GcmKey* out_key) {
  AesRoundKeys forward;
  aes.expand_key(key, key_len, static_cast<unsigned>(key_len / 4 + 6), &forward);
  aes.load_key(forward, &out_key->aes);
  uint8_t h[kGhashBlockLen];
  aes.ecb_encrypt(out_key->aes, kZeros, h, 1);
  ghash.set_key(h, &out_key->hash);
  out_key->loop = loop;
  wipe(forward);
  wipe(h);
}

void gcm_set_key(const AesKernel& aes, const GhashKernel& ghash, const uint8_t* key, size_t key_len,
                 GcmKey* out_key) {
  gcm_set_key(aes, ghash, find_loop(aes, ghash), key, key_len, out_key);
}

GcmStream::GcmStream(const GcmKey& key, const uint8_t* iv, size_t iv_len)
    : public_counter_(iv_len == kGcmIvLen) {
  make_first_counter(key, iv, iv_len, first_counter_);
  std::memcpy(counter_, first_counter_, sizeof counter_);
  store_be32(counter_ + 12, load_be32(counter_ + 12) + 1);
}

// Ends a block that is begun, after |len| bytes of aad or text, with zeros.
void GcmStream::pad_hash(const GcmKey& key, uint64_t len) {
  if (len % kGhashBlockLen != 0) key.hash.kernel->update(key.hash, state_, kZeros, 1);
}

void GcmStream::add_aad(const GcmKey& key, const uint8_t* aad, size_t len) {
  const auto add_bytes = [&](size_t n) {
    for (size_t i = 0; i < n; ++i) state_[(aad_len_ + i) % kGhashBlockLen] ^= aad[i];
    aad_len_ += n, aad += n, len -= n;
  };
  const size_t begun = aad_len_ % kGhashBlockLen;
  if (begun != 0) {
    const size_t room = kGhashBlockLen - begun;
    add_bytes(len < room ? len : room);
    if (aad_len_ % kGhashBlockLen != 0) return;
    key.hash.kernel->update(key.hash, state_, kZeros, 1);
  }
  const size_t whole = len / kGhashBlockLen * kGhashBlockLen;
  key.hash.kernel->update(key.hash, state_, aad, whole / kGhashBlockLen);
  aad_len_ += whole, aad += whole, len -= whole;
  add_bytes(len);
}

template <bool decrypting>
void GcmStream::crypt_in_block(const uint8_t* in, size_t len, uint8_t* out) {
  for (size_t i = 0; i < len; ++i) {
    const size_t at = text_len_++ % kAesBlockLen;
    const uint8_t before = in[i];
    const uint8_t after = before ^ keystream_[at];
    state_[at] ^= decrypting ? before : after;
    out[i] = after;
  }
}

template <bool decrypting>
void GcmStream::crypt_blocks(const GcmKey& key, const uint8_t* in, uint8_t* out, size_t blocks) {
  text_len_ += kAesBlockLen * blocks;
  if (key.loop != nullptr) {
    const auto loop = decrypting ? key.loop->decrypt : key.loop->encrypt;
    return loop(key, counter_, public_counter_, state_, in, out, blocks);
  }
  while (blocks != 0) {
    const size_t n = blocks < kPieceBlocks ? blocks : kPieceBlocks;
    if (decrypting) key.hash.kernel->update(key.hash, state_, in, n);
    key.aes.kernel->ctr(key.aes, counter_, in, out, n, 32);
    if (!decrypting) key.hash.kernel->update(key.hash, state_, out, n);
    in += kAesBlockLen * n, out += kAesBlockLen * n, blocks -= n;
  }
}

template <bool decrypting>
void GcmStream::crypt(const GcmKey& key, const uint8_t* in, size_t len, uint8_t* out) {
  if (len == 0) return;
  if (text_len_ == 0) pad_hash(key, aad_len_);
  const size_t begun = text_len_ % kAesBlockLen;
  if (begun != 0) {
    const size_t room = kAesBlockLen - begun;
    const size_t n = len < room ? len : room;
    crypt_in_block<decrypting>(in, n, out);
    in += n, out += n, len -= n;
    if (text_len_ % kAesBlockLen != 0) return;
    key.hash.kernel->update(key.hash, state_, kZeros, 1);
  }
  const size_t whole = len / kAesBlockLen * kAesBlockLen;
  if (whole != 0) {
    crypt_blocks<decrypting>(key, in, out, whole / kAesBlockLen);
    in += whole, out += whole, len -= whole;
  }
  if (len != 0) {
    key.aes.kernel->ctr(key.aes, counter_, kZeros, keystream_, 1, 32);
    crypt_in_block<decrypting>(in, len, out);
  }
}

void GcmStream::encrypt(const GcmKey& key, const uint8_t* in, size_t len, uint8_t* out) {
  crypt<false>(key, in, len, out);
}

void GcmStream::decrypt(const GcmKey& key, const uint8_t* in, size_t len, uint8_t* out) {
  crypt<true>(key, in, len, out);
}

void GcmStream::tag(const GcmKey& key, uint8_t* out_tag) {
  pad_hash(key, text_len_ == 0 ? aad_len_ : text_len_);
  hash_lengths(key, state_, aad_len_, text_len_);
  key.aes.kernel->ctr(key.aes, first_counter_, state_, out_tag, 1, 32);
}

void gcm_encrypt(const GcmKey& key, const GcmMessage& m, uint8_t* out_tag) {
  if (m.iv_len == kGcmIvLen && key.loop != nullptr && key.loop->encrypt_message != nullptr)
    return key.loop->encrypt_message(key, m, out_tag);
  GcmStream stream(key, m.iv, m.iv_len);
  stream.add_aad(key, m.aad, m.aad_len);
  stream.encrypt(key, m.in, m.len, m.out);
  stream.tag(key, out_tag);
  wipe(stream);
}

bool gcm_decrypt(const GcmKey& key, const GcmMessage& m, const uint8_t* tag, size_t tag_len) {
  uint8_t computed[kGcmTagLen];
  if (m.iv_len == kGcmIvLen && key.loop != nullptr && key.loop->decrypt_message != nullptr) {
    key.loop->decrypt_message(key, m, computed);
  } else {
    GcmStream stream(key, m.iv, m.iv_len);
    stream.add_aad(key, m.aad, m.aad_len);
    stream.decrypt(key, m.in, m.len, m.out);
    stream.tag(key, computed);
    wipe(stream);
  }
  const bool right = same_tag(computed, tag, tag_len);
  wipe(computed);
  if (right) return true;
  if (m.in == m.out) {
    GcmStream stream(key, m.iv, m.iv_len);
    stream.encrypt(key, m.out, m.len, m.out);
    wipe(stream);
  } else if (m.len != 0) {
    wipe(m.out, m.len);
  }
  return false;
}

}  // namespace incore
