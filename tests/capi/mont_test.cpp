// incore/mont.h: known powers, and what it answers to wrong arguments.
#include "incore/mont.h"

#include <gtest/gtest.h>

#include <cstring>

#include "crypto/mont/mont_testing.h"

namespace incore::test {
namespace {

// A context with a workspace that is filled beforehand and begins at an odd address.
class Mont {
 public:
  explicit Mont(const Bytes& modulus) : len_(incore_mont_workspace_len(8 * modulus.size())) {
    space_ = random_bytes(len_ + 1, 77);
    EXPECT_EQ(incore_mont_set(&mont_, modulus.data(), modulus.size(), space_.data() + 1, len_),
              INCORE_OK);
  }
  ~Mont() { incore_mont_wipe(&mont_); }
  Mont(const Mont&) = delete;
  incore_mont* get() { return &mont_; }
  uint8_t* workspace() { return space_.data() + 1; }
  size_t workspace_len() const { return len_; }

 private:
  size_t len_;
  Bytes space_;
  incore_mont mont_;
};

Bytes odd_bytes(size_t bits, uint64_t seed) {
  Bytes bytes = random_bytes((bits + 7) / 8, seed);
  bytes[0] = static_cast<uint8_t>((bytes[0] | 0x80) >> (8 * bytes.size() - bits));
  bytes.back() |= 1;
  return bytes;
}

Bytes power(Mont& mont, const Bytes& base, const Bytes& exponent, size_t len) {
  Bytes out(len, 0xA5);
  EXPECT_EQ(incore_mont_exp(mont.get(), base.data(), base.size(), exponent.data(), exponent.size(),
                            out.data(), out.size()),
            INCORE_OK);
  return out;
}

// Fermat: a^(p - 1) = 1 for the prime 2^521 - 1, which begins within a word.
TEST(capi_mont, fermats_little_theorem) {
  Bytes p(66, 0xFF);
  p[0] = 1;
  Mont mont(p);
  Bytes one(66);
  one.back() = 1;
  Bytes p_minus_1(p);
  p_minus_1.back() -= 1;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Bytes a = random_bytes(65, seed);
    EXPECT_EQ(to_hex(power(mont, a, p_minus_1, 66)), to_hex(one));
    a.insert(a.begin(), 0);
    EXPECT_EQ(to_hex(power(mont, a, p, 66)), to_hex(a));
  }
}

#if INCORE_HAVE_GMP
TEST(capi_mont, powers_equal_gmp) {
  for (size_t bits : {256, 257, 320, 511, 512, 1001, 1024, 2048, 4096}) {
    const Bytes m = odd_bytes(bits, bits);
    Mont mont(m);
    Bytes base = odd_bytes(bits - 1, bits + 1);
    const Bytes exponent = random_bytes(40, bits);
    EXPECT_EQ(to_mpz(power(mont, base, exponent, m.size())),
              power_by_gmp(to_mpz(base), to_mpz(exponent), to_mpz(m)))
        << bits;
  }
}

TEST(capi_mont, products_and_forms_equal_gmp) {
  for (size_t bits : {256, 257, 320, 1001, 1024, 2048}) {
    const Bytes m = odd_bytes(bits, bits), a = odd_bytes(bits - 1, 1), b = odd_bytes(bits - 1, 2);
    Mont mont(m);
    const size_t words = incore_mont_num_words(mont.get());
    ASSERT_EQ(words, (bits + 63) / 64);
    Words64 a_form(words), b_form(words);
    Bytes product(m.size());
    ASSERT_EQ(incore_mont_enter(mont.get(), a.data(), a.size(), a_form.data()), INCORE_OK);
    ASSERT_EQ(incore_mont_enter(mont.get(), b.data(), b.size(), b_form.data()), INCORE_OK);
    EXPECT_EQ(to_mpz(a_form), (to_mpz(a) << (64 * words)) % to_mpz(m));
    ASSERT_EQ(incore_mont_mul(mont.get(), a_form.data(), b_form.data(), b_form.data()), INCORE_OK);
    ASSERT_EQ(incore_mont_leave(mont.get(), b_form.data(), product.data(), product.size()),
              INCORE_OK);
    EXPECT_EQ(to_mpz(product), to_mpz(a) * to_mpz(b) % to_mpz(m));
  }
}
#endif

TEST(capi_mont, the_result_may_overlap_base_and_exponent) {
  const Bytes m = odd_bytes(512, 1), base = odd_bytes(511, 2);
  Mont mont(m);
  Bytes exponent = random_bytes(64, 3);
  const Bytes expected = power(mont, base, exponent, 64);
  Bytes in_place(base);
  ASSERT_EQ(
      incore_mont_exp(mont.get(), in_place.data(), 64, exponent.data(), 64, in_place.data(), 64),
      INCORE_OK);
  EXPECT_EQ(in_place, expected);
  ASSERT_EQ(incore_mont_exp(mont.get(), base.data(), 64, exponent.data(), 64, exponent.data(), 64),
            INCORE_OK);
  EXPECT_EQ(exponent, expected);
}

TEST(capi_mont, lengths_of_workspaces) {
  EXPECT_EQ(incore_mont_workspace_len(255), 0u);
  EXPECT_EQ(incore_mont_workspace_len(32769), 0u);
  EXPECT_EQ(incore_mont_workspace_len(0), 0u);
  EXPECT_LE(incore_mont_workspace_len(2048), 14u * 1024);
  EXPECT_LE(incore_mont_workspace_len(4096), 28u * 1024);
  EXPECT_LE(incore_mont_workspace_len(32768), 220u * 1024);
  EXPECT_LE(incore_mont_workspace_len(256), incore_mont_workspace_len(257));
}

TEST(capi_mont, wiping_clears_the_workspace) {
  const Bytes m = odd_bytes(256, 1);
  Mont mont(m);
  power(mont, Bytes{3}, Bytes{7}, 32);
  incore_mont_wipe(mont.get());
  EXPECT_EQ(Bytes(mont.workspace(), mont.workspace() + mont.workspace_len()),
            Bytes(mont.workspace_len()));
  EXPECT_EQ(incore_mont_num_words(mont.get()), 0u);
  incore_mont_wipe(mont.get());
  incore_mont_wipe(nullptr);
}

TEST(capi_mont, wrong_moduli_have_their_statuses) {
  Bytes space(incore_mont_workspace_len(32768) + 1000);
  const auto set = [&](const Bytes& m, size_t workspace_len) {
    const incore_mont before = {{1, 2, 3, 4}};
    incore_mont mont = before;
    const incore_status status =
        incore_mont_set(&mont, m.data(), m.size(), space.data(), workspace_len);
    if (status != INCORE_OK) {
      EXPECT_EQ(memcmp(&mont, &before, sizeof mont), 0);
      EXPECT_EQ(space, Bytes(space.size()));
    }
    incore_mont_wipe(&mont);
    return status;
  };
  EXPECT_EQ(set(odd_bytes(256, 1), space.size()), INCORE_OK);
  EXPECT_EQ(set(odd_bytes(32768, 1), space.size()), INCORE_OK);
  EXPECT_EQ(set(odd_bytes(256, 1), incore_mont_workspace_len(256)), INCORE_OK);
  EXPECT_EQ(set(odd_bytes(256, 1), incore_mont_workspace_len(256) - 1), INCORE_ERROR_LENGTH);
  EXPECT_EQ(set(odd_bytes(255, 1), space.size()), INCORE_ERROR_RANGE);
  EXPECT_EQ(set(odd_bytes(32769, 1), space.size()), INCORE_ERROR_RANGE);
  EXPECT_EQ(set(Bytes{1}, space.size()), INCORE_ERROR_RANGE);
  EXPECT_EQ(set(Bytes{0}, space.size()), INCORE_ERROR_RANGE);
  EXPECT_EQ(set(Bytes(32), space.size()), INCORE_ERROR_RANGE);
  EXPECT_EQ(set({}, space.size()), INCORE_ERROR_NULL);
  Bytes m = odd_bytes(256, 1);
  m.back() &= 0xFE;
  EXPECT_EQ(set(m, space.size()), INCORE_ERROR_RANGE);
  m = odd_bytes(512, 1);
  m.insert(m.begin(), 0);
  EXPECT_EQ(set(m, space.size()), INCORE_ERROR_RANGE);

  incore_mont mont;
  m = odd_bytes(256, 1);
  EXPECT_EQ(incore_mont_set(nullptr, m.data(), 32, space.data(), space.size()), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_set(&mont, nullptr, 32, space.data(), space.size()), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_set(&mont, m.data(), 32, nullptr, space.size()), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_set(&mont, m.data(), 0, space.data(), space.size()), INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_mont_set(&mont, space.data() + 8, 32, space.data(), space.size()),
            INCORE_ERROR_OVERLAP);
}

class capi_mont_arguments : public testing::Test {
 protected:
  capi_mont_arguments() : m_(odd_bytes(1000, 1)), mont_(m_), out_(125, 0xA5), form_(16, 0xA5) {}
  ~capi_mont_arguments() override {
    EXPECT_EQ(out_, Bytes(125, 0xA5)) << "written on failure";
    EXPECT_EQ(form_, Words64(16, 0xA5)) << "written on failure";
  }
  incore_status exp(const uint8_t* base, size_t base_len, const uint8_t* exponent,
                    size_t exponent_len, uint8_t* out, size_t out_len) {
    return incore_mont_exp(mont_.get(), base, base_len, exponent, exponent_len, out, out_len);
  }
  // A number below the modulus, and one that equals it, in words.
  Words64 small() const { return Words64(16, 3); }
  Words64 modulus_words() const {
    Words64 words(16);
    for (size_t i = 0; i < m_.size(); ++i)
      words[i / 8] |= uint64_t{m_[m_.size() - 1 - i]} << (i % 8 * 8);
    return words;
  }

  Bytes m_;
  Mont mont_;
  Bytes out_;
  Words64 form_;
};

TEST_F(capi_mont_arguments, exp) {
  const Bytes base = odd_bytes(999, 2), e = {1, 0, 1};
  EXPECT_EQ(exp(nullptr, 1, e.data(), 3, out_.data(), 125), INCORE_ERROR_NULL);
  EXPECT_EQ(exp(base.data(), 125, nullptr, 1, out_.data(), 125), INCORE_ERROR_NULL);
  EXPECT_EQ(exp(base.data(), 125, e.data(), 3, nullptr, 125), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_exp(nullptr, base.data(), 125, e.data(), 3, out_.data(), 125),
            INCORE_ERROR_NULL);
  EXPECT_EQ(exp(base.data(), 125, e.data(), 3, out_.data(), 124), INCORE_ERROR_LENGTH);
  EXPECT_EQ(exp(base.data(), 125, e.data(), 3, out_.data(), 126), INCORE_ERROR_LENGTH);
  EXPECT_EQ(exp(Bytes(126).data(), 126, e.data(), 3, out_.data(), 125), INCORE_ERROR_LENGTH);
  EXPECT_EQ(exp(base.data(), 125, e.data(), SIZE_MAX, out_.data(), 125), INCORE_ERROR_LENGTH);
  EXPECT_EQ(exp(m_.data(), 125, e.data(), 3, out_.data(), 125), INCORE_ERROR_RANGE);
  EXPECT_EQ(exp(Bytes(125, 0xFF).data(), 125, e.data(), 3, out_.data(), 125), INCORE_ERROR_RANGE);
  for (uint8_t* inside : {mont_.workspace(), mont_.workspace() + mont_.workspace_len() - 1,
                          reinterpret_cast<uint8_t*>(mont_.get())}) {
    EXPECT_EQ(exp(inside, 1, e.data(), 3, out_.data(), 125), INCORE_ERROR_OVERLAP);
    EXPECT_EQ(exp(base.data(), 125, inside, 1, out_.data(), 125), INCORE_ERROR_OVERLAP);
    EXPECT_EQ(exp(base.data(), 125, e.data(), 3, inside, 125), INCORE_ERROR_OVERLAP);
  }
}

TEST_F(capi_mont_arguments, mul) {
  const Words64 a = small(), m = modulus_words();
  incore_mont* const mont = mont_.get();
  EXPECT_EQ(incore_mont_mul(nullptr, a.data(), a.data(), form_.data()), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_mul(mont, nullptr, a.data(), form_.data()), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_mul(mont, a.data(), nullptr, form_.data()), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_mul(mont, a.data(), a.data(), nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_mul(mont, m.data(), a.data(), form_.data()), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_mont_mul(mont, a.data(), m.data(), form_.data()), INCORE_ERROR_RANGE);
  Words64 two(17, 3);
  EXPECT_EQ(incore_mont_mul(mont, two.data(), a.data(), two.data() + 1), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_mont_mul(mont, a.data(), two.data() + 1, two.data()), INCORE_ERROR_OVERLAP);
  auto* const inside = reinterpret_cast<uint64_t*>(mont_.workspace() + 7);
  EXPECT_EQ(incore_mont_mul(mont, a.data(), a.data(), inside), INCORE_ERROR_OVERLAP);
}

TEST_F(capi_mont_arguments, enter_and_leave) {
  const Words64 a = small(), m = modulus_words();
  incore_mont* const mont = mont_.get();
  EXPECT_EQ(incore_mont_enter(nullptr, m_.data(), 1, form_.data()), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_enter(mont, nullptr, 1, form_.data()), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_enter(mont, m_.data(), 1, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_enter(mont, Bytes(126).data(), 126, form_.data()), INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_mont_enter(mont, m_.data(), 125, form_.data()), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_mont_enter(mont, reinterpret_cast<uint8_t*>(form_.data()) + 9, 1, form_.data()),
            INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_mont_leave(nullptr, a.data(), out_.data(), 125), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_leave(mont, nullptr, out_.data(), 125), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_leave(mont, a.data(), nullptr, 125), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_mont_leave(mont, a.data(), out_.data(), 124), INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_mont_leave(mont, m.data(), out_.data(), 125), INCORE_ERROR_RANGE);
}

TEST_F(capi_mont_arguments, a_context_that_is_not_set) {
  incore_mont mont = {};
  const Words64 a = small();
  EXPECT_EQ(incore_mont_exp(&mont, m_.data(), 1, m_.data(), 1, out_.data(), 125),
            INCORE_ERROR_STATE);
  EXPECT_EQ(incore_mont_mul(&mont, a.data(), a.data(), form_.data()), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_mont_enter(&mont, m_.data(), 1, form_.data()), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_mont_leave(&mont, a.data(), out_.data(), 125), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_mont_num_words(&mont), 0u);
  EXPECT_EQ(incore_mont_num_words(nullptr), 0u);
}

}  // namespace
}  // namespace incore::test
