// Montgomery multiplication, powers and RSA: whatever the bytes say, all kernels agree, a result is
// below the modulus, and the functions of incore/mont.h and rsa.h answer with a status.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"
#include "crypto/mont/mont_kernel.h"
#include "crypto/mont/mont_words.h"
#include "incore/mont.h"
#include "incore/rsa.h"

namespace {

using namespace incore;
using Words = std::vector<uint64_t>;

// Takes bytes from the front; zeros when there are no more.
struct Input {
  const uint8_t* data;
  size_t len;

  uint8_t byte() { return len == 0 ? uint8_t{0} : (--len, *data++); }
  std::vector<uint8_t> bytes(size_t count) {
    std::vector<uint8_t> result(count);
    for (uint8_t& b : result) b = byte();
    return result;
  }
  // Half of the words are extreme.
  Words words(size_t count) {
    Words result(count);
    for (uint64_t& word : result) {
      const uint8_t kind = byte();
      if (kind % 4 < 2)
        word = 0 - uint64_t{kind % 4u};
      else
        for (int i = 0; i < 8; ++i) word = word << 8 | byte();
    }
    return result;
  }
};

Words reduced(Words a, const Words& m) {
  while (words_less(a.data(), m.data(), m.size()) == 0) a.back() >>= 1;
  return a;
}

struct Results {
  Words rr, product, power, other;
  bool operator==(const Results&) const = default;
};

Results compute(const MontKernel& kernel, const Words& m, const Words& a, const Words& b,
                const std::vector<uint8_t>& exponent, const std::vector<uint8_t>& other) {
  const size_t words = m.size();
  Results r = {Words(words), Words(words), Words(words), Words(words)};
  Words space(2 * mont_power_scratch_words(words) + 8);
  uint64_t* const scratch =
      space.data() + (64 - reinterpret_cast<uintptr_t>(space.data()) % 64) % 64 / 8;
  const MontModulus modulus = {m.data(), r.rr.data(), mont_m_prime(m[0]), words};
  size_t bits = 64 * words;
  while ((m.back() >> (bits - 1) % 64 & 1) == 0) --bits;
  mont_compute_rr(kernel, modulus, bits, r.rr.data(), scratch);
  kernel.mul(r.product.data(), a.data(), b.data(), modulus, scratch);
  const MontPower powers[2] = {
      {&modulus, b.data(), exponent.data(), exponent.size(), r.power.data(), false},
      {&modulus, b.data(), other.data(), other.size(), r.other.data(), false}};
  mont_power(kernel, powers, 2, scratch);
  for (const Words* result : {&r.rr, &r.product, &r.power, &r.other})
    FUZZ_CHECK(words_less(result->data(), m.data(), words) == 1);
  return r;
}

void compare_kernels(Input input) {
  const size_t words = 4 + input.byte() % 30;
  Words m = input.words(words);
  m[0] |= 1;
  if (m.back() == 0) m.back() = 1;
  const Words a = input.words(words), b = reduced(input.words(words), m);
  const std::vector<uint8_t> exponent = input.bytes(input.byte() % 40);
  const std::vector<uint8_t> other = input.bytes(input.byte() % 40);
  const Results expected = compute(mont_portable, m, a, b, exponent, other);
  for (size_t i = 0; i < mont_kernel_list.num_kernels; ++i)
    if (detect_features().has_all(mont_kernel_list.kernels[i]->needs))
      FUZZ_CHECK(compute(*reinterpret_cast<const MontKernel*>(mont_kernel_list.kernels[i]), m, a, b,
                         exponent, other) == expected);
}

void call_interface(Input input) {
  const std::vector<uint8_t> m = input.bytes(input.byte()), base = input.bytes(input.byte() % 80),
                             e = input.bytes(input.byte() % 20);
  std::vector<uint8_t> space(incore_rsa_private_workspace_len(2048)), out(input.byte(), 0xA5);
  const std::vector<uint8_t> before(out);
  const size_t space_len = input.byte() % 2 == 0 ? space.size() : input.byte() * size_t{128};
  incore_mont mont = {};
  if (incore_mont_set(&mont, m.data(), m.size(), space.data(), std::min(space_len, space.size())) ==
      INCORE_OK) {
    FUZZ_CHECK(m.back() % 2 == 1 && m.size() >= 32);
    const incore_status status = incore_mont_exp(&mont, base.data(), base.size(), e.data(),
                                                 e.size(), out.data(), out.size());
    FUZZ_CHECK(status == INCORE_OK || out == before);
    FUZZ_CHECK(status != INCORE_OK || (out.size() == m.size() && out < m));
    incore_mont_wipe(&mont);
  }

  incore_rsa_key key = {};
  const std::vector<uint8_t> p = input.bytes(32 + input.byte() % 4);
  const std::vector<uint8_t> q = input.bytes(32 + input.byte() % 4);
  std::vector<uint8_t> n(p.size() + q.size());
  {
    Words p_words(5), q_words(5), product(10);
    words_from_bytes(p_words.data(), 5, p.data(), p.size());
    words_from_bytes(q_words.data(), 5, q.data(), q.size());
    words_multiply(product.data(), p_words.data(), 5, q_words.data(), 5);
    words_to_bytes(n.data(), n.size(), product.data());
  }
  const std::vector<uint8_t> d = input.bytes(32), q_inv = input.bytes(input.byte() % 34);
  const incore_rsa_parts parts = {
      {n.data(), n.size()}, {e.data(), e.size()}, {p.data(), p.size()},        {q.data(), q.size()},
      {d.data(), d.size()}, {d.data(), d.size()}, {q_inv.data(), q_inv.size()}};
  if (incore_rsa_key_set_private(&key, &parts, space.data(), space.size()) != INCORE_OK) return;
  std::vector<uint8_t> in(incore_rsa_modulus_len(&key)), result(in.size(), 0xA5);
  std::copy_n(base.begin(), std::min(base.size(), in.size() - 1), in.begin() + 1);
  const std::vector<uint8_t> untouched(result);
  const incore_status status =
      incore_rsa_private(&key, in.data(), in.size(), result.data(), result.size());
  if (status == INCORE_OK) {
    FUZZ_CHECK(incore_rsa_public(&key, result.data(), result.size(), result.data(),
                                 result.size()) == INCORE_OK);
    FUZZ_CHECK(result == in);
  } else {
    FUZZ_CHECK(result == untouched);
  }
  incore_rsa_key_wipe(&key);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  compare_kernels({data, len});
  call_interface({data, len});
  return 0;
}
