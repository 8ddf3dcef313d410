#include "crypto/ccm/ccm.h"

#include <cstring>

#include "base/bytes.h"
#include "base/equal.h"
#include "base/wipe.h"
#include "crypto/cmac/cbc_mac.h"

namespace incore {
namespace {

// Text that both passes over it find in the first-level cache.
constexpr size_t kPieceLen = 2048;

// The blocks A_0, A_1, ... of SP 800-38C section A.3 and their keystream.
class Counter {
 public:
  explicit Counter(const CcmHead& head) {
    block_[0] = static_cast<uint8_t>(14 - head.nonce_len);  // q - 1
    std::memcpy(block_ + 1, head.nonce, head.nonce_len);
  }
  void skip_block() { store_be64(block_ + 8, load_be64(block_ + 8) + 1); }
  // Only the last piece of a message may end within a block.
  void crypt(const AesKey& key, const uint8_t* in, size_t len, uint8_t* out) {
    const size_t whole = len / kAesBlockLen * kAesBlockLen;
    // The counter proper has 2 to 8 bytes; none of its lengths lets it overflow.
    if (whole != 0) key.kernel->ctr(key, block_, in, out, whole / kAesBlockLen, 64);
    if (whole == len) return;
    uint8_t last[kAesBlockLen] = {};
    std::memcpy(last, in + whole, len - whole);
    key.kernel->ctr(key, block_, last, last, 1, 64);
    std::memcpy(out + whole, last, len - whole);
    wipe(last);
  }

 private:
  uint8_t block_[kAesBlockLen] = {};
};

// B_0 and the associated data with its length: section A.2.
void start_mac(CbcMac& mac, const AesKey& key, const CcmHead& head, uint64_t len) {
  uint8_t b0[kAesBlockLen];
  const size_t q = 15 - head.nonce_len;
  b0[0] =
      static_cast<uint8_t>((head.aad_len != 0 ? 0x40 : 0) | (head.tag_len - 2) / 2 << 3 | (q - 1));
  store_be64(b0 + 8, len);  // its zeros give way to the nonce
  std::memcpy(b0 + 1, head.nonce, head.nonce_len);
  mac.start();
  mac.update(key, b0, sizeof b0);
  if (head.aad_len == 0) return;

  uint8_t encoded_len[10];
  size_t n = 2;
  if (head.aad_len < 0xFF00) {
    store_be16(encoded_len, static_cast<uint16_t>(head.aad_len));
  } else if (const uint64_t wide_len = head.aad_len; wide_len <= 0xFFFFFFFF) {
    store_be16(encoded_len, 0xFFFE);
    store_be32(encoded_len + 2, static_cast<uint32_t>(head.aad_len));
    n = 6;
  } else {
    store_be16(encoded_len, 0xFFFF);
    store_be64(encoded_len + 2, head.aad_len);
    n = 10;
  }
  mac.update(key, encoded_len, n);
  mac.update(key, head.aad, head.aad_len);
  mac.pad();
}

// The tag for a message that |mac| has seen: T ^ S_0, all 16 bytes of it.
void finish_mac(CbcMac& mac, const AesKey& key, const uint8_t* s0, uint8_t* out_tag) {
  mac.finish(key);
  for (size_t i = 0; i < kAesBlockLen; ++i) out_tag[i] = mac.chain[i] ^ s0[i];
}

}  // namespace

bool ccm_length_fits(size_t nonce_len, uint64_t len) {
  const size_t q = 15 - nonce_len;
  return q == 8 || len >> 8 * q == 0;
}

void ccm_encrypt(const AesKey& key, const CcmHead& head, const uint8_t* in, size_t len,
                 uint8_t* out, uint8_t* out_tag) {
  CbcMac mac;
  start_mac(mac, key, head, len);
  Counter counter(head);
  uint8_t s0[kAesBlockLen] = {}, tag[kAesBlockLen];
  counter.crypt(key, s0, sizeof s0, s0);
  while (len != 0) {
    const size_t n = len < kPieceLen ? len : kPieceLen;
    mac.update(key, in, n);
    counter.crypt(key, in, n, out);
    in += n, out += n, len -= n;
  }
  finish_mac(mac, key, s0, tag);
  std::memcpy(out_tag, tag, head.tag_len);
  wipe(mac);
  wipe(s0);
  wipe(tag);
}

// The MAC is on the plaintext, so a text is decrypted twice: to look at it, and to release it.
// CBC-MAC is many times slower than CTR; this costs little.
bool ccm_verify(const AesKey& key, const CcmHead& head, const uint8_t* in, size_t len,
                const uint8_t* tag) {
  CbcMac mac;
  start_mac(mac, key, head, len);
  Counter counter(head);
  uint8_t s0[kAesBlockLen] = {}, expected[kAesBlockLen];
  counter.crypt(key, s0, sizeof s0, s0);
  alignas(64) uint8_t piece[kPieceLen];
  const size_t used = len < kPieceLen ? len : kPieceLen;
  while (len != 0) {
    const size_t n = len < kPieceLen ? len : kPieceLen;
    counter.crypt(key, in, n, piece);
    mac.update(key, piece, n);
    in += n, len -= n;
  }
  finish_mac(mac, key, s0, expected);
  const bool matches = equal_in_constant_time(expected, tag, head.tag_len);
  wipe(piece, used);
  wipe(mac);
  wipe(s0);
  wipe(expected);
  return matches;
}

void ccm_decrypt(const AesKey& key, const CcmHead& head, const uint8_t* in, size_t len,
                 uint8_t* out) {
  Counter counter(head);
  counter.skip_block();  // A_0 is the tag's
  counter.crypt(key, in, len, out);
}

}  // namespace incore
