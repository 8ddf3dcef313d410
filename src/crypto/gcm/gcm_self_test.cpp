// What a loop of two kernels has to answer before it serves (crypto/self_test.h): the same as its
// kernels one after the other, which have passed tests of their own.
#include <initializer_list>

#include "crypto/gcm/gcm.h"
#include "crypto/self_test.h"

namespace incore {
namespace {

// Around the lengths from which loops take another way, and from there on several batches.
constexpr size_t kLengths[] = {40, 100, 200, 500, 1700};
constexpr size_t kMaxLen = 1704;
constexpr size_t kAadLen = 24;

struct Sealed {
  uint8_t text[kMaxLen], tag[kGcmTagLen];
};

// Of the first |len| bytes; an iv of |iv_len| bytes.
bool same_answers(const GcmKey& key, const GcmKey& reference, const uint8_t* in, size_t iv_len,
                  size_t len) {
  Sealed expected, sealed;
  const GcmMessage m = {in, iv_len, in, kAadLen, in, len, expected.text};
  GcmMessage seal = m, open = m;
  seal.out = open.out = sealed.text;
  open.in = sealed.text;
  gcm_encrypt(reference, m, expected.tag);
  gcm_encrypt(key, seal, sealed.tag);
  return std::memcmp(sealed.text, expected.text, len) == 0 &&
         std::memcmp(sealed.tag, expected.tag, kGcmTagLen) == 0 &&
         gcm_decrypt(key, open, sealed.tag, kGcmTagLen) && std::memcmp(sealed.text, in, len) == 0;
}

}  // namespace

bool gcm_self_test(const GcmLoop& loop) {
  uint8_t in[kMaxLen];
  self_test_fill(in, sizeof in, 1);
  for (const size_t key_len : {16, 32}) {
    GcmKey key, reference;
    gcm_set_key(*loop.aes, *loop.ghash, nullptr, in, key_len, &reference);
    gcm_set_key(*loop.aes, *loop.ghash, &loop, in, key_len, &key);
    for (const size_t len : kLengths)
      if (!same_answers(key, reference, in, kGcmIvLen, len)) return false;
    if (!same_answers(key, reference, in, kGcmIvLen + 1, kMaxLen)) return false;
  }
  return true;
}

}  // namespace incore
