// RSA's operations on every kernel of Montgomery multiplication: signatures of third parties, and
// faults that must not get out.
#include "crypto/rsa/rsa.h"

#include <gtest/gtest.h>

#include "crypto/mont/mont_testing.h"
#include "crypto/mont/mont_words.h"
#include "crypto/rsa/rsa_vectors.h"
#include "support/known_answers.h"
#include "support/nist_vectors.h"

namespace incore::test {
namespace {

Bytes stripped(const Bytes& number) {
  size_t zeros = 0;
  while (zeros + 1 < number.size() && number[zeros] == 0) ++zeros;
  return Bytes(number.begin() + static_cast<std::ptrdiff_t>(zeros), number.end());
}

Words64 words_of(const Bytes& bytes, size_t words = 0) {
  const Bytes number = stripped(bytes);
  Words64 result(words == 0 ? (number.size() + 7) / 8 : words);
  words_from_bytes(result.data(), result.size(), number.data(), number.size());
  return result;
}

// A key with its arrays, for one kernel.
class Key {
 public:
  Key(const MontKernel& kernel, const RsaVectors& v)
      : n_(kernel, words_of(v.n)),
        p_(kernel, words_of(v.p)),
        q_(kernel, words_of(v.q)),
        q_inv_(words_of(v.q_inv, p_.m().size())),
        e_(stripped(v.e)),
        dp_(v.dp),
        dq_(v.dq),
        scratch_(rsa_private_scratch_words(64 * n_.m().size()) + 8) {
    key_ = {&kernel,    n_.view(),  p_.view(), q_.view(),  q_inv_.data(), e_.data(),
            dp_.data(), dq_.data(), e_.size(), dp_.size(), dq_.size()};
  }
  Key(const Key&) = delete;

  Bytes sign(const Bytes& in, uint64_t* out_wrong) {
    const Words64 number = words_of(in, n_.m().size());
    Words64 out(n_.m().size());
    *out_wrong = rsa_private(key_, out.data(), number.data(), scratch());
    return bytes_of(out, in.size());
  }
  Bytes verify(const Bytes& in) {
    Words64 number = words_of(in, n_.m().size());
    rsa_public(key_, number.data(), number.data(), scratch());
    return bytes_of(number, in.size());
  }
  void spoil_q_inv() { q_inv_[0] ^= 1; }
  void spoil_d_p() { dp_.back() ^= 2; }
  void spoil_d_q() { dq_.back() ^= 2; }

 private:
  uint64_t* scratch() {
    const uintptr_t address = reinterpret_cast<uintptr_t>(scratch_.data());
    return scratch_.data() + (64 - address % 64) % 64 / 8;
  }
  static Bytes bytes_of(const Words64& words, size_t len) {
    Bytes bytes(len);
    words_to_bytes(bytes.data(), len, words.data());
    return bytes;
  }

  Modulus n_, p_, q_;
  Words64 q_inv_;
  Bytes e_, dp_, dq_;
  Words64 scratch_;
  RsaKey key_;
};

// Verifies all signatures, and makes the first |max_examples| of each key.
void expect_signatures(const char* vectors, const std::vector<RsaVectors>& keys,
                       size_t max_examples) {
  for (const MontKernel* kernel : runnable_mont_kernels()) {
    size_t num = 0;
    for (const RsaVectors& v : keys) {
      SCOPED_TRACE(v.name + ", kernel " + kernel->info.name);
      Key key(*kernel, v);
      size_t left = max_examples;
      for (const RsaExample& example : v.examples) {
        EXPECT_EQ(to_hex(key.verify(example.signature)), to_hex(example.encoded));
        ++num;
        if (left-- == 0) break;
        uint64_t wrong = 1;
        EXPECT_EQ(to_hex(key.sign(example.encoded, &wrong)), to_hex(example.signature));
        EXPECT_EQ(wrong, 0u);
      }
    }
    gave_answers("mont", kernel->info.name, vectors, num);
  }
}

TEST(rsa, signatures_of_rsa_laboratories) {
  const std::vector<RsaVectors> keys = load_rsa_laboratories();
  if (keys.empty()) GTEST_SKIP() << nist_missing();
  ASSERT_EQ(keys.size(), 15u);
  for (const RsaVectors& v : keys) ASSERT_EQ(v.examples.size(), 20u);
  expect_signatures("RSA Laboratories, PKCS #1 v1.5", keys, 5);
}

TEST(rsa, signatures_of_cavp) {
  const std::vector<RsaVectors> keys = load_cavp_rsa();
  if (keys.empty()) GTEST_SKIP() << nist_missing() << ", or GMP is not";
  ASSERT_EQ(keys.size(), 5u);
  for (const RsaVectors& v : keys) ASSERT_EQ(v.examples.size(), 50u);
  expect_signatures("NIST CAVP RSA", keys, 3);
}

TEST(rsa, a_wrong_power_or_coefficient_does_not_pass_the_check) {
  const std::vector<RsaVectors> keys = load_rsa_laboratories();
  if (keys.empty()) GTEST_SKIP() << nist_missing();
  for (const MontKernel* kernel : runnable_mont_kernels())
    for (void (Key::*spoil)() : {&Key::spoil_q_inv, &Key::spoil_d_p, &Key::spoil_d_q}) {
      Key key(*kernel, keys[0]);
      uint64_t wrong = 1;
      const Bytes& message = keys[0].examples[0].encoded;
      const Bytes right = key.sign(message, &wrong);
      EXPECT_EQ(wrong, 0u);
      (key.*spoil)();
      EXPECT_NE(key.sign(message, &wrong), right);
      EXPECT_EQ(wrong, ~uint64_t{0});
    }
}

#if INCORE_HAVE_GMP
// 0, 1, n - 1, a multiple of a prime, and numbers around the primes.
TEST(rsa, extreme_inputs_equal_gmp) {
  const std::vector<RsaVectors> keys = load_rsa_laboratories();
  if (keys.empty()) GTEST_SKIP() << nist_missing();
  for (const MontKernel* kernel : runnable_mont_kernels())
    for (size_t i : {0u, 1u, 7u, 8u, 14u}) {
      Key key(*kernel, keys[i]);
      const mpz_class n = to_mpz(keys[i].n), p = to_mpz(keys[i].p), q = to_mpz(keys[i].q);
      for (const mpz_class& in :
           {mpz_class(0), mpz_class(1), mpz_class(2), mpz_class(n - 1), p, q, mpz_class(p - 1),
            mpz_class(q + 1), mpz_class(n - p), mpz_class((q - 1) * p)}) {
        uint64_t wrong = 1;
        EXPECT_EQ(to_mpz(key.sign(to_bytes(in, keys[i].n.size()), &wrong)),
                  power_by_gmp(in, to_mpz(keys[i].d), n));
        EXPECT_EQ(wrong, 0u);
      }
    }
}
#endif

}  // namespace
}  // namespace incore::test
