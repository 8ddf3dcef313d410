// RSA with the Chinese remainder theorem: two powers modulo the primes, which kernels compute side
// by side, joined as Garner does (RFC 8017, section 5.1.2, step 2b). No blinding: time and
// addresses do not depend on the input or on the secret parts of the key, only on their lengths.
#include "crypto/rsa/rsa.h"

#include "base/wipe.h"
#include "crypto/mont/mont_words.h"

namespace incore {
namespace {

// out = a mod m for a number |a| of any length. |t| has one number; |scratch| as for mul.
void reduce(const MontKernel& kernel, const MontModulus& m, uint64_t* out, const uint64_t* a,
            size_t a_words, uint64_t* t, uint64_t* scratch) {
  const size_t words = m.words;
  words_set(out, 0, words);
  // By pieces that are below R, from the top: out = out * R + piece.
  for (size_t begin = (a_words - 1) / words * words;; begin -= words) {
    kernel.mul(out, out, m.rr, m, scratch);
    const size_t piece_words = a_words - begin < words ? a_words - begin : words;
    words_set(t, 0, words);
    words_copy(t, a + begin, piece_words);
    kernel.mul(t, t, m.rr, m, scratch);  // piece * R
    uint64_t* const one = scratch + mont_mul_scratch_words(words);
    words_set(one, 1, words);
    kernel.mul(t, t, one, m, scratch);
    const uint64_t carry = words_add(out, out, t, words);
    words_reduce_once(out, out, carry, m.m, words);
    if (begin == 0) return;
  }
}

}  // namespace

void rsa_public(const RsaKey& key, uint64_t* out, const uint64_t* in, uint64_t* scratch) {
  const MontPower power = {&key.n, in, key.e, key.e_len, out, true};
  mont_power(*key.kernel, &power, 1, scratch);
}

uint64_t rsa_private(const RsaKey& key, uint64_t* out, const uint64_t* in, uint64_t* scratch) {
  const MontKernel& kernel = *key.kernel;
  const MontModulus &p = key.p, &q = key.q;
  const size_t stride = mont_aligned_words(p.words > q.words ? p.words : q.words);
  uint64_t* const m_1 = scratch;
  uint64_t* const m_2 = m_1 + stride;
  uint64_t* const h = m_2 + stride;
  uint64_t* const t = h + stride;
  uint64_t* const product = t + stride;  // of p.words + q.words
  uint64_t* const space = product + 4 * stride;

  reduce(kernel, p, m_1, in, key.n.words, t, space);
  reduce(kernel, q, m_2, in, key.n.words, t, space);
  const MontPower powers[2] = {{&p, m_1, key.d_p, key.d_p_len, m_1, false},
                               {&q, m_2, key.d_q, key.d_q_len, m_2, false}};
  if (p.words == q.words) {
    mont_power(kernel, powers, 2, space);
  } else {
    mont_power(kernel, &powers[0], 1, space);
    mont_power(kernel, &powers[1], 1, space);
  }

  // h = (m_1 - m_2) * q_inv mod p; the result is m_2 + q * h, below n.
  reduce(kernel, p, h, m_2, q.words, t, space);
  const uint64_t borrow = words_subtract(h, m_1, h, p.words);
  words_copy(t, p.m, p.words);
  for (size_t i = 0; i < p.words; ++i) t[i] &= 0 - borrow;
  words_add(h, h, t, p.words);
  kernel.mul(h, h, p.rr, p, space);
  kernel.mul(h, h, key.q_inv, p, space);
  words_multiply(product, q.m, q.words, h, p.words);
  for (size_t i = q.words; i < p.words + q.words; ++i) space[i] = 0;
  words_copy(space, m_2, q.words);
  words_add(product, product, space, p.words + q.words);
  words_copy(out, product, key.n.words);

  // The check may overwrite what is no longer needed.
  uint64_t* const check = product;
  rsa_public(key, check, out, space);
  const uint64_t wrong = words_differ(check, in, key.n.words);
  wipe(scratch, 8 * stride * sizeof *scratch);
  return wrong;
}

}  // namespace incore
