// Nothing secret is left behind by arithmetic.
#include <array>
#include <map>

#include "capi/residue_calls.h"
#include "crypto/rsa/rsa_vectors.h"

namespace incore::test {
namespace {

using residue_gf2 = ResidueTest;
using residue_mont = ResidueTest;

TEST_F(residue_gf2, products) {
  const auto prepare = [](Secrets& s) {
    s.fill(m.a, sizeof m.a);
    s.fill(m.b, sizeof m.b);
  };
  for (const size_t words : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 20, 33, 64})
    expect_nothing_left(text("gf2_multiply", words), prepare,
                        [=] { return incore_gf2_multiply(m.a, m.b, words, m.c); });
}

TEST_F(residue_gf2, fields) {
  const std::vector<std::vector<unsigned>> polynomials = {
      {5, 2, 0},    {64, 4, 3, 1, 0}, {113, 9, 0},        {163, 7, 6, 3, 0}, {191, 9, 0},
      {233, 74, 0}, {239, 36, 0},     {283, 12, 7, 5, 0}, {409, 87, 0},      {571, 10, 5, 2, 0}};
  for (const auto& f : polynomials) {
    const unsigned degree = f[0];
    const auto prepare = [&](Secrets& s) {
      ok(incore_gf2_field_set(&m.field, f.data(), f.size()));
      for (uint64_t* const number : {m.a, m.b}) {
        s.fill(number, (degree + 63) / 64 * 8);
        if (degree % 64 != 0) number[degree / 64] &= (uint64_t{1} << degree % 64) - 1;
      }
    };
    expect_nothing_left(text("gf2_field_multiply", degree), prepare,
                        [] { return incore_gf2_field_multiply(&m.field, m.a, m.b, m.c); });
    expect_nothing_left(text("gf2_field_square", degree), prepare,
                        [] { return incore_gf2_field_square(&m.field, m.a, m.c); });
    expect_nothing_left(text("gf2_field_inverse", degree), prepare,
                        [] { return incore_gf2_field_inverse(&m.field, m.a, m.c); });
    expect_nothing_left(text("gf2_montmul", degree), prepare,
                        [] { return incore_gf2_montmul(&m.field, m.a, m.b, m.c); });
    expect_nothing_left(text("gf2_to_mont", degree), prepare,
                        [] { return incore_gf2_to_mont(&m.field, m.a, m.c); });
    expect_nothing_left(text("gf2_from_mont", degree), prepare,
                        [] { return incore_gf2_from_mont(&m.field, m.a, m.c); });
  }
}

TEST_F(residue_mont, numbers) {
  for (const size_t bits : {256, 320, 512, 520, 1024, 1100, 2048, 4096}) {
    const size_t len = bits / 8;
    static uint8_t modulus[512], base[512], exponent[70];
    const auto secrets = [=](Secrets& s) {
      for (uint8_t* const number : {modulus, base}) s.fill(number, len);
      s.fill(exponent, sizeof exponent);
      modulus[0] |= 0x80, modulus[len - 1] |= 1, base[0] &= 0x7F;
    };
    const auto set = [=] {
      return incore_mont_set(&m.mont, modulus, len, m.workspace, sizeof m.workspace);
    };
    const auto prepare = [=](Secrets& s) {
      secrets(s);
      ok(set());
      ok(incore_mont_enter(&m.mont, base, len, m.a));
      base[len - 1] ^= 1;
      ok(incore_mont_enter(&m.mont, base, len, m.b));
    };
    expect_nothing_left(text("mont_set", bits), secrets, set);
    expect_nothing_left(text("mont_enter", bits), prepare,
                        [=] { return incore_mont_enter(&m.mont, base, len, m.c); });
    expect_nothing_left(text("mont_leave", bits), prepare,
                        [=] { return incore_mont_leave(&m.mont, m.a, m.out, len); });
    expect_nothing_left(text("mont_mul", bits), prepare,
                        [] { return incore_mont_mul(&m.mont, m.a, m.b, m.c); });
    for (const size_t exponent_len : {0, 1, 8, 70})
      expect_nothing_left(text("mont_exp", bits, exponent_len), prepare, [=] {
        return incore_mont_exp(&m.mont, base, len, exponent, exponent_len, m.out, len);
      });
  }
}

std::array<const Bytes*, 7> parts_of(const RsaVectors& v) {
  return {&v.n, &v.e, &v.p, &v.q, &v.dp, &v.dq, &v.q_inv};
}

// Pairs of keys all of whose parts have the same lengths: one pair of each length of n.
std::vector<std::array<const RsaVectors*, 2>> alike(const std::vector<RsaVectors>& all) {
  std::map<size_t, std::array<const RsaVectors*, 2>> found;
  const auto have_same_lengths = [](const RsaVectors& a, const RsaVectors& b) {
    const auto of_a = parts_of(a), of_b = parts_of(b);
    return std::equal(of_a.begin(), of_a.end(), of_b.begin(),
                      [](const Bytes* x, const Bytes* y) { return x->size() == y->size(); });
  };
  for (const RsaVectors& a : all)
    for (const RsaVectors& b : all)
      if (&a < &b && have_same_lengths(a, b)) found[a.n.size()] = {&a, &b};
  std::vector<std::array<const RsaVectors*, 2>> pairs;
  for (const auto& pair : found) pairs.push_back(pair.second);
  return pairs;
}

// Puts the parts of a key where those of the key before were.
const incore_rsa_parts* place_parts(const RsaVectors& v) {
  static uint8_t bytes[7][1024];
  static incore_rsa_parts parts;
  incore_rsa_number* const numbers[] = {&parts.n,  &parts.e,  &parts.p,    &parts.q,
                                        &parts.dp, &parts.dq, &parts.q_inv};
  for (size_t i = 0; i < 7; ++i) {
    const Bytes& part = *parts_of(v)[i];
    std::copy(part.begin(), part.end(), bytes[i]);
    *numbers[i] = {bytes[i], part.size()};
  }
  return &parts;
}

TEST_F(residue_mont, rsa) {
  const std::vector<RsaVectors> all = load_rsa_laboratories();
  if (all.empty()) GTEST_SKIP() << "no RSA vectors (package python3-cryptography-vectors)";
  const auto pairs = alike(all);
  EXPECT_GE(pairs.size(), 1u);
  for (const auto& pair : pairs) {
    const size_t len = pair[0]->n.size();
    static const incore_rsa_parts* parts;
    const auto place = [=](Secrets& s) {
      parts = place_parts(*pair[s.which() - 1]);
      s.fill(m.in, len);
      m.in[0] = 0;
    };
    const auto set = [] {
      return incore_rsa_key_set_private(&m.rsa, parts, m.workspace, sizeof m.workspace);
    };
    const auto prepare = [=](Secrets& s) {
      place(s);
      ok(set());
    };
    expect_nothing_left(text("rsa_key_set_private", len), place, set);
    expect_nothing_left(text("rsa_key_set_public", len), place, [] {
      return incore_rsa_key_set_public(&m.rsa, parts->n, parts->e, m.workspace, sizeof m.workspace);
    });
    expect_nothing_left(text("rsa_public", len), prepare,
                        [=] { return incore_rsa_public(&m.rsa, m.in, len, m.out, len); });
    expect_nothing_left(text("rsa_private", len), prepare,
                        [=] { return incore_rsa_private(&m.rsa, m.in, len, m.out, len); });
    incore_rsa_key_wipe(&m.rsa);
    EXPECT_TRUE(is_zero(m.rsa));
    EXPECT_TRUE(is_zero(m.workspace));
  }
}

}  // namespace
}  // namespace incore::test
