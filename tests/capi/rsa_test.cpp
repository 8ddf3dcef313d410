// incore/rsa.h: keys of all sizes, and what it answers to wrong arguments.
#include "incore/rsa.h"

#include <gtest/gtest.h>

#include <cstring>

#include "crypto/rsa/rsa_vectors.h"
#include "support/nist_vectors.h"
#if INCORE_HAVE_GMP
#include "crypto/mont/mont_testing.h"
#endif

namespace incore::test {
namespace {

incore_rsa_number number(const Bytes& bytes) {
  return {bytes.data(), bytes.size()};
}
incore_rsa_parts parts_of(const RsaVectors& v) {
  return {number(v.n),  number(v.e),  number(v.p),    number(v.q),
          number(v.dp), number(v.dq), number(v.q_inv)};
}

class capi_rsa : public testing::Test {
 protected:
  void SetUp() override {
    keys_ = load_rsa_laboratories();
    if (keys_.empty()) GTEST_SKIP() << nist_missing();
    v_ = keys_[0];
    out_ = Bytes(v_.n.size(), 0xA5);
    space_ = Bytes(incore_rsa_private_workspace_len(4096) + 1);
  }
  ~capi_rsa() override { incore_rsa_key_wipe(&key_); }

  incore_status set(const RsaVectors& v) {
    const incore_rsa_parts parts = parts_of(v);
    return incore_rsa_key_set_private(&key_, &parts, space_.data() + 1, space_.size() - 1);
  }
  incore_status sign(const Bytes& in) {
    return incore_rsa_private(&key_, in.data(), in.size(), out_.data(), out_.size());
  }
  incore_status verify(const Bytes& in) {
    return incore_rsa_public(&key_, in.data(), in.size(), out_.data(), out_.size());
  }
  bool out_untouched() const { return out_ == Bytes(out_.size(), 0xA5); }

  std::vector<RsaVectors> keys_;
  RsaVectors v_;
  Bytes space_, out_;
  incore_rsa_key key_ = {};
};

TEST_F(capi_rsa, signs_and_verifies_with_keys_of_all_lengths) {
  for (const RsaVectors& v : keys_) {
    SCOPED_TRACE(v.name);
    ASSERT_EQ(set(v), INCORE_OK);
    EXPECT_EQ(incore_rsa_modulus_len(&key_), v.n.size());
    out_ = Bytes(v.n.size());
    ASSERT_EQ(sign(v.examples[0].encoded), INCORE_OK);
    EXPECT_EQ(out_, v.examples[0].signature);
    ASSERT_EQ(verify(v.examples[0].signature), INCORE_OK);
    EXPECT_EQ(out_, v.examples[0].encoded);

    ASSERT_EQ(incore_rsa_key_set_public(&key_, number(v.n), number(v.e), space_.data(),
                                        incore_rsa_public_workspace_len(8 * v.n.size())),
              INCORE_OK);
    ASSERT_EQ(incore_rsa_public(&key_, v.examples[1].signature.data(), v.n.size(), out_.data(),
                                out_.size()),
              INCORE_OK);
    EXPECT_EQ(out_, v.examples[1].encoded);
    EXPECT_EQ(sign(v.examples[0].encoded), INCORE_ERROR_STATE);
  }
}

TEST_F(capi_rsa, leading_zeros_are_no_part_of_a_number) {
  for (Bytes RsaVectors::*part : {&RsaVectors::n, &RsaVectors::e, &RsaVectors::p, &RsaVectors::q,
                                  &RsaVectors::dp, &RsaVectors::dq, &RsaVectors::q_inv})
    (v_.*part).insert((v_.*part).begin(), 3, 0);
  ASSERT_EQ(set(v_), INCORE_OK);
  EXPECT_EQ(incore_rsa_modulus_len(&key_), 128u);
  ASSERT_EQ(sign(v_.examples[0].encoded), INCORE_OK);
  EXPECT_EQ(out_, v_.examples[0].signature);
}

TEST_F(capi_rsa, works_in_place) {
  ASSERT_EQ(set(v_), INCORE_OK);
  out_ = v_.examples[0].encoded;
  ASSERT_EQ(sign(out_), INCORE_OK);
  EXPECT_EQ(out_, v_.examples[0].signature);
  ASSERT_EQ(verify(out_), INCORE_OK);
  EXPECT_EQ(out_, v_.examples[0].encoded);
}

// Boneh, DeMillo and Lipton: one result with a fault in one half would give the primes away.
TEST_F(capi_rsa, a_result_with_a_fault_is_not_released) {
  for (Bytes RsaVectors::*part : {&RsaVectors::dp, &RsaVectors::dq, &RsaVectors::q_inv}) {
    RsaVectors wrong = v_;
    (wrong.*part).back() ^= 2;
    ASSERT_EQ(set(wrong), INCORE_OK);
    EXPECT_EQ(sign(v_.examples[0].encoded), INCORE_ERROR_FAULT);
    EXPECT_TRUE(out_untouched());
  }
}

TEST_F(capi_rsa, wrong_keys_have_their_statuses) {
  const auto status_with = [&](Bytes RsaVectors::*part, const Bytes& value) {
    RsaVectors v = v_;
    v.*part = value;
    const incore_status status = set(v);
    EXPECT_EQ(status != INCORE_OK, incore_rsa_modulus_len(&key_) == 0) << "key is touched";
    incore_rsa_key_wipe(&key_);
    return status;
  };
  Bytes even = v_.n;
  even.back() &= 0xFE;
  EXPECT_EQ(status_with(&RsaVectors::n, even), INCORE_ERROR_RANGE);
  Bytes other = v_.n;
  other.back() ^= 2;
  EXPECT_EQ(status_with(&RsaVectors::n, other), INCORE_ERROR_RANGE) << "not p * q";
  other = v_.p;
  other.back() ^= 2;
  EXPECT_EQ(status_with(&RsaVectors::p, other), INCORE_ERROR_RANGE) << "not p * q";
  EXPECT_EQ(status_with(&RsaVectors::n, Bytes(63, 0xFF)), INCORE_ERROR_RANGE);
  EXPECT_EQ(status_with(&RsaVectors::n, Bytes(2049, 0xFF)), INCORE_ERROR_RANGE);
  EXPECT_EQ(status_with(&RsaVectors::n, {}), INCORE_ERROR_RANGE);
  for (const Bytes& e : {Bytes(), Bytes{0}, Bytes{1}, Bytes{2}, Bytes{1, 0, 0}, v_.n})
    EXPECT_EQ(status_with(&RsaVectors::e, e), INCORE_ERROR_RANGE);
  EXPECT_EQ(status_with(&RsaVectors::p, Bytes{3}), INCORE_ERROR_RANGE);
  EXPECT_EQ(status_with(&RsaVectors::q, Bytes(31, 0xFF)), INCORE_ERROR_RANGE);
  EXPECT_EQ(status_with(&RsaVectors::q, Bytes(73, 0xFF)), INCORE_ERROR_RANGE);
  EXPECT_EQ(status_with(&RsaVectors::dp, v_.p), INCORE_ERROR_RANGE);
  EXPECT_EQ(status_with(&RsaVectors::dq, v_.q), INCORE_ERROR_RANGE);
  EXPECT_EQ(status_with(&RsaVectors::q_inv, v_.p), INCORE_ERROR_RANGE);
  EXPECT_EQ(status_with(&RsaVectors::q_inv, Bytes(65, 0xFF)), INCORE_ERROR_RANGE);

  const incore_rsa_parts parts = parts_of(v_);
  const size_t len = incore_rsa_private_workspace_len(1024);
  EXPECT_EQ(incore_rsa_key_set_private(&key_, &parts, space_.data(), len - 1), INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_rsa_key_set_private(&key_, &parts, space_.data(), len), INCORE_OK);
  EXPECT_EQ(incore_rsa_key_set_private(nullptr, &parts, space_.data(), len), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rsa_key_set_private(&key_, nullptr, space_.data(), len), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rsa_key_set_private(&key_, &parts, nullptr, len), INCORE_ERROR_NULL);
  incore_rsa_parts changed = parts;
  changed.dq.bytes = nullptr;
  EXPECT_EQ(incore_rsa_key_set_private(&key_, &changed, space_.data(), len), INCORE_ERROR_NULL);
  changed = parts;
  changed.dq.bytes = space_.data() + 5;
  EXPECT_EQ(incore_rsa_key_set_private(&key_, &changed, space_.data(), len), INCORE_ERROR_OVERLAP);

  const size_t public_len = incore_rsa_public_workspace_len(1024);
  const auto set_public = [&](incore_rsa_number n, incore_rsa_number e, void* space,
                              size_t space_len) {
    return incore_rsa_key_set_public(&key_, n, e, space, space_len);
  };
  EXPECT_EQ(set_public(parts.n, parts.e, space_.data(), public_len - 1), INCORE_ERROR_LENGTH);
  EXPECT_EQ(set_public(parts.n, parts.n, space_.data(), public_len), INCORE_ERROR_RANGE);
  EXPECT_EQ(set_public({nullptr, 1}, parts.e, space_.data(), public_len), INCORE_ERROR_NULL);
  EXPECT_EQ(set_public(parts.n, {nullptr, 1}, space_.data(), public_len), INCORE_ERROR_NULL);
  EXPECT_EQ(set_public(parts.n, parts.e, nullptr, public_len), INCORE_ERROR_NULL);
  EXPECT_EQ(set_public({space_.data(), 128}, parts.e, space_.data(), public_len),
            INCORE_ERROR_OVERLAP);
}

TEST_F(capi_rsa, wrong_arguments_have_their_statuses) {
  const Bytes in = v_.examples[0].encoded;
  EXPECT_EQ(sign(in), INCORE_ERROR_STATE);
  EXPECT_EQ(verify(in), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_rsa_modulus_len(&key_), 0u);
  EXPECT_EQ(incore_rsa_modulus_len(nullptr), 0u);
  ASSERT_EQ(set(v_), INCORE_OK);
  for (auto* operation : {incore_rsa_private, incore_rsa_public}) {
    EXPECT_EQ(operation(nullptr, in.data(), 128, out_.data(), 128), INCORE_ERROR_NULL);
    EXPECT_EQ(operation(&key_, nullptr, 128, out_.data(), 128), INCORE_ERROR_NULL);
    EXPECT_EQ(operation(&key_, in.data(), 128, nullptr, 128), INCORE_ERROR_NULL);
    EXPECT_EQ(operation(&key_, in.data(), 127, out_.data(), 128), INCORE_ERROR_LENGTH);
    EXPECT_EQ(operation(&key_, in.data(), 128, out_.data(), 127), INCORE_ERROR_LENGTH);
    EXPECT_EQ(operation(&key_, v_.n.data(), 128, out_.data(), 128), INCORE_ERROR_RANGE);
    EXPECT_EQ(operation(&key_, space_.data() + 64, 128, out_.data(), 128), INCORE_ERROR_OVERLAP);
    EXPECT_EQ(operation(&key_, in.data(), 128, space_.data() + 64, 128), INCORE_ERROR_OVERLAP);
  }
  EXPECT_TRUE(out_untouched());
}

TEST_F(capi_rsa, wiping_clears_the_workspace) {
  ASSERT_EQ(set(v_), INCORE_OK);
  ASSERT_EQ(sign(v_.examples[0].encoded), INCORE_OK);
  incore_rsa_key_wipe(&key_);
  EXPECT_EQ(space_, Bytes(space_.size()));
  EXPECT_EQ(sign(v_.examples[0].encoded), INCORE_ERROR_STATE);
  incore_rsa_key_wipe(&key_);
  incore_rsa_key_wipe(nullptr);
}

TEST_F(capi_rsa, lengths_of_workspaces) {
  for (auto* len : {incore_rsa_private_workspace_len, incore_rsa_public_workspace_len}) {
    EXPECT_EQ(len(511), 0u);
    EXPECT_EQ(len(16385), 0u);
    EXPECT_GT(len(512), 0u);
    EXPECT_GT(len(16384), len(4096));
  }
  EXPECT_LE(incore_rsa_private_workspace_len(2048), 25u * 1024);
  EXPECT_LE(incore_rsa_public_workspace_len(2048), 14u * 1024);
  EXPECT_LE(incore_rsa_private_workspace_len(4096), 48u * 1024);
  EXPECT_LE(incore_rsa_public_workspace_len(4096), 28u * 1024);
}

#if INCORE_HAVE_GMP
// A key that GMP makes, with primes of the given lengths.
RsaVectors make_key(unsigned p_bits, unsigned q_bits) {
  mpz_class p = (mpz_class(1) << p_bits) - 987654321, q = (mpz_class(3) << (q_bits - 2)) + 12345;
  const mpz_class e = 65537;
  mpz_nextprime(p.get_mpz_t(), p.get_mpz_t());
  mpz_nextprime(q.get_mpz_t(), q.get_mpz_t());
  mpz_class dp, dq, q_inv;
  mpz_invert(dp.get_mpz_t(), e.get_mpz_t(), mpz_class(p - 1).get_mpz_t());
  mpz_invert(dq.get_mpz_t(), e.get_mpz_t(), mpz_class(q - 1).get_mpz_t());
  mpz_invert(q_inv.get_mpz_t(), q.get_mpz_t(), p.get_mpz_t());
  const mpz_class n = p * q;
  const size_t p_len = (p_bits + 7) / 8, q_len = (q_bits + 7) / 8;
  return {"",
          to_bytes(n, (mpz_sizeinbase(n.get_mpz_t(), 2) + 7) / 8),
          Bytes{1, 0, 1},
          {},
          to_bytes(p, p_len),
          to_bytes(q, q_len),
          to_bytes(dp, p_len),
          to_bytes(dq, q_len),
          to_bytes(q_inv, p_len),
          {}};
}

TEST_F(capi_rsa, primes_of_unequal_lengths) {
  const unsigned sizes[][2] = {{256, 256}, {257, 256}, {256, 300}, {320, 256}, {600, 500},
                               {511, 513}, {513, 511}, {576, 512}, {832, 768}, {768, 832}};
  for (const auto& [p_bits, q_bits] : sizes) {
    SCOPED_TRACE(std::to_string(p_bits) + " and " + std::to_string(q_bits));
    const RsaVectors v = make_key(p_bits, q_bits);
    ASSERT_EQ(set(v), INCORE_OK);
    Bytes in = random_bytes(v.n.size(), p_bits);
    in[0] = 0;
    out_ = Bytes(v.n.size());
    ASSERT_EQ(sign(in), INCORE_OK);
    EXPECT_NE(out_, in);
    ASSERT_EQ(verify(Bytes(out_)), INCORE_OK);
    EXPECT_EQ(out_, in);
  }
  const RsaVectors uneven = make_key(700, 324);
  EXPECT_EQ(set(uneven), INCORE_ERROR_RANGE);
}
#endif

}  // namespace
}  // namespace incore::test
