// incore/rsa.h over src/crypto/rsa: checks arguments, lays keys out in the caller's workspace, and
// turns bytes into words.
#include "incore/rsa.h"

#include <initializer_list>
#include <new>

#include "base/bytes.h"
#include "base/wipe.h"
#include "crypto/clean/clean_call.h"
#include "crypto/mont/mont_words.h"
#include "crypto/rsa/rsa.h"

namespace incore {
namespace {

constexpr size_t kStack = 2176;  // see clean_call.h

constexpr uint64_t kPublicTag = 0x4255502D4153522D;  // tell a key that is set from one that is not
constexpr uint64_t kPrivateTag = 0x5652502D4153522D;
constexpr size_t kAlignment = 64;
static_assert(INCORE_RSA_MIN_BITS == kRsaMinBits && INCORE_RSA_MAX_BITS == kRsaMaxBits);

struct Context {
  uint64_t tag;
  void* workspace;
  size_t workspace_len;
  size_t modulus_len;
  uint64_t* x;  // two numbers of the length of n
  uint64_t* y;
  uint64_t* scratch;
  RsaKey key;

  bool touches(const void* p, size_t len) const {
    return ranges_overlap(p, len, workspace, workspace_len) ||
           ranges_overlap(p, len, this, sizeof *this);
  }
};
static_assert(sizeof(Context) <= sizeof(incore_rsa_key) &&
              alignof(Context) <= alignof(incore_rsa_key));

const Context* context_of(const incore_rsa_key* key) {
  return std::launder(reinterpret_cast<const Context*>(key->opaque));
}
bool is_set(const incore_rsa_key* key) {
  return context_of(key)->tag == kPublicTag || context_of(key)->tag == kPrivateTag;
}

// Leading zeros beyond |min_len| bytes are cut off; of a secret number only those that its length
// gives away anyway.
incore_rsa_number without_zeros(incore_rsa_number number, size_t min_len = 0) {
  while (number.len > min_len && number.bytes[0] == 0) ++number.bytes, --number.len;
  return number;
}

size_t bits_of(incore_rsa_number number) {  // without leading zeros
  if (number.len > kRsaMaxBits) return SIZE_MAX;
  return number.len == 0
             ? 0
             : 8 * number.len - static_cast<size_t>(__builtin_clz(number.bytes[0]) - 24);
}

bool is_odd(incore_rsa_number number) {
  return number.len != 0 && number.bytes[number.len - 1] % 2 != 0;
}

// Hands out the words of a workspace from its first aligned one.
class Space {
 public:
  explicit Space(void* workspace) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(workspace);
    const size_t gap = (kAlignment - address % kAlignment) % kAlignment;
    next_ = reinterpret_cast<uint64_t*>(static_cast<uint8_t*>(workspace) + gap);
  }
  uint64_t* take(size_t words) {
    uint64_t* const taken = next_;
    next_ += mont_aligned_words(words);
    return taken;
  }
  uint64_t* number(size_t words, incore_rsa_number value) {
    uint64_t* const taken = take(words);
    words_from_bytes(taken, words, value.bytes, value.len);
    return taken;
  }
  // |len| bytes with the number at their end.
  const uint8_t* exponent(size_t len, incore_rsa_number value) {
    uint8_t* const taken = reinterpret_cast<uint8_t*>(take((len + 7) / 8));
    std::memset(taken, 0, len);
    std::memcpy(taken + len - value.len, value.bytes, value.len);
    return taken;
  }

 private:
  uint64_t* next_;
};

// Sets |out_modulus| up, with R * R mod m. |scratch| as for mul.
void set_modulus(const MontKernel& kernel, incore_rsa_number value, Space* space, uint64_t* scratch,
                 MontModulus* out_modulus) {
  const size_t bits = bits_of(value), words = mont_words_of_bits(bits);
  const uint64_t* const m = space->number(words, value);
  uint64_t* const rr = space->take(words);
  *out_modulus = {m, rr, mont_m_prime(m[0]), words};
  mont_compute_rr(kernel, *out_modulus, bits, rr, scratch);
}

// |value| < |limit|. Time and addresses depend on the lengths alone.
bool is_below(incore_rsa_number value, incore_rsa_number limit) {
  if (value.len > limit.len) return false;
  unsigned borrow = 0;
  for (size_t i = 1; i <= limit.len; ++i) {
    const unsigned byte = i <= value.len ? value.bytes[value.len - i] : 0;
    borrow = (byte - limit.bytes[limit.len - i] - borrow) >> 8 & 1;
  }
  return borrow != 0;
}

bool is_public_part(incore_rsa_number n, incore_rsa_number e) {
  const size_t bits = bits_of(n);
  return bits >= kRsaMinBits && bits <= kRsaMaxBits && is_odd(n) && is_odd(e) && bits_of(e) >= 2 &&
         is_below(e, n);
}

bool is_prime_part(incore_rsa_number prime, incore_rsa_number n) {
  const size_t bits = bits_of(prime);
  return bits >= kMontMinBits && bits <= bits_of(n) / 2 + kRsaPrimeSlackBits && is_odd(prime);
}

// Public parts, of which all keys have copies, and room for one operation.
size_t public_words(size_t bits) {
  return 5 * mont_aligned_words(mont_words_of_bits(bits));
}

}  // namespace
}  // namespace incore

using namespace incore;

size_t incore_rsa_public_workspace_len(size_t modulus_bits) {
  if (modulus_bits < kRsaMinBits || modulus_bits > kRsaMaxBits) return 0;
  return (public_words(modulus_bits) + rsa_public_scratch_words(modulus_bits)) * sizeof(uint64_t) +
         kAlignment;
}

size_t incore_rsa_private_workspace_len(size_t modulus_bits) {
  if (modulus_bits < kRsaMinBits || modulus_bits > kRsaMaxBits) return 0;
  return (public_words(modulus_bits) + 7 * mont_aligned_words(rsa_max_prime_words(modulus_bits)) +
          rsa_private_scratch_words(modulus_bits)) *
             sizeof(uint64_t) +
         kAlignment;
}

namespace {

// The key with its public parts; the space goes on behind them.
Context public_context(uint64_t tag, const MontKernel& kernel, incore_rsa_number n,
                       incore_rsa_number e, void* workspace, size_t workspace_len, Space* space,
                       size_t secret_words) {
  Context c = {};
  c.tag = tag;
  c.workspace = workspace;
  c.workspace_len = workspace_len;
  c.modulus_len = n.len;
  c.key.kernel = &kernel;
  const size_t words = mont_words_of_bits(bits_of(n));
  c.x = space->take(words);
  c.y = space->take(words);
  c.scratch = c.x + public_words(bits_of(n)) + secret_words;
  set_modulus(kernel, n, space, c.scratch, &c.key.n);
  c.key.e = space->exponent(e.len, e);
  c.key.e_len = e.len;
  return c;
}

// The operations: RSA on |in|, with a check of all arguments.
incore_status operate(incore_rsa_key* key, const uint8_t* in, size_t in_len, uint8_t* out,
                      size_t out_len, bool is_private) {
  return clean_call(kStack, [=] {
    if (key == nullptr || in == nullptr || out == nullptr) return INCORE_ERROR_NULL;
    if (!is_set(key) || (is_private && context_of(key)->tag != kPrivateTag))
      return INCORE_ERROR_STATE;
    const Context& c = *context_of(key);
    if (in_len != c.modulus_len || out_len != c.modulus_len) return INCORE_ERROR_LENGTH;
    if (c.touches(in, in_len) || c.touches(out, out_len)) return INCORE_ERROR_OVERLAP;
    const size_t words = c.key.n.words;
    words_from_bytes(c.x, words, in, in_len);
    incore_status status = INCORE_OK;
    if (words_less(c.x, c.key.n.m, words) == 0) {
      status = INCORE_ERROR_RANGE;
    } else if (!is_private) {
      rsa_public(c.key, c.y, c.x, c.scratch);
    } else if (rsa_private(c.key, c.y, c.x, c.scratch) != 0) {
      status = INCORE_ERROR_FAULT;
    }
    if (status == INCORE_OK) words_to_bytes(out, out_len, c.y);
    wipe(c.x, words * sizeof *c.x);
    wipe(c.y, words * sizeof *c.y);
    return status;
  });
}

}  // namespace

incore_status incore_rsa_key_set_public(incore_rsa_key* out_key, incore_rsa_number n,
                                        incore_rsa_number e, void* workspace,
                                        size_t workspace_len) {
  return clean_call(kStack, [&] {
    if (out_key == nullptr || workspace == nullptr || (n.bytes == nullptr && n.len != 0) ||
        (e.bytes == nullptr && e.len != 0))
      return INCORE_ERROR_NULL;
    if (ranges_overlap(out_key, sizeof *out_key, workspace, workspace_len) ||
        ranges_overlap(n.bytes, n.len, workspace, workspace_len) ||
        ranges_overlap(e.bytes, e.len, workspace, workspace_len))
      return INCORE_ERROR_OVERLAP;
    n = without_zeros(n);
    e = without_zeros(e);
    if (!is_public_part(n, e)) return INCORE_ERROR_RANGE;
    if (workspace_len < incore_rsa_public_workspace_len(bits_of(n))) return INCORE_ERROR_LENGTH;
    const MontKernel* kernel = mont_kernel();
    if (kernel == nullptr) return INCORE_ERROR_KERNEL;
    wipe(workspace, workspace_len);  // an earlier key may have been longer
    Space space(workspace);
    new (out_key)
        Context(public_context(kPublicTag, *kernel, n, e, workspace, workspace_len, &space, 0));
    return INCORE_OK;
  });
}

incore_status incore_rsa_key_set_private(incore_rsa_key* out_key, const incore_rsa_parts* parts,
                                         void* workspace, size_t workspace_len) {
  return clean_call(kStack, [=] {
    if (out_key == nullptr || parts == nullptr || workspace == nullptr) return INCORE_ERROR_NULL;
    incore_rsa_parts k = *parts;
    for (incore_rsa_number* number : {&k.n, &k.e, &k.p, &k.q, &k.dp, &k.dq, &k.q_inv}) {
      if (number->bytes == nullptr && number->len != 0) return INCORE_ERROR_NULL;
      if (ranges_overlap(number->bytes, number->len, workspace, workspace_len))
        return INCORE_ERROR_OVERLAP;
    }
    k.n = without_zeros(k.n);
    k.e = without_zeros(k.e);
    k.p = without_zeros(k.p);
    k.q = without_zeros(k.q);
    k.dp = without_zeros(k.dp, k.p.len);
    k.dq = without_zeros(k.dq, k.q.len);
    k.q_inv = without_zeros(k.q_inv, k.p.len);
    if (ranges_overlap(out_key, sizeof *out_key, workspace, workspace_len))
      return INCORE_ERROR_OVERLAP;
    if (!is_public_part(k.n, k.e) || !is_prime_part(k.p, k.n) || !is_prime_part(k.q, k.n) ||
        !is_below(k.dp, k.p) || !is_below(k.dq, k.q) || !is_below(k.q_inv, k.p))
      return INCORE_ERROR_RANGE;
    const size_t bits = bits_of(k.n);
    if (workspace_len < incore_rsa_private_workspace_len(bits)) return INCORE_ERROR_LENGTH;
    const MontKernel* kernel = mont_kernel();
    if (kernel == nullptr) return INCORE_ERROR_KERNEL;

    wipe(workspace, workspace_len);  // an earlier key may have been longer
    Space space(workspace);
    Context c = public_context(kPrivateTag, *kernel, k.n, k.e, workspace, workspace_len, &space,
                               7 * mont_aligned_words(rsa_max_prime_words(bits)));
    set_modulus(*kernel, k.p, &space, c.scratch, &c.key.p);
    set_modulus(*kernel, k.q, &space, c.scratch, &c.key.q);
    c.key.q_inv = space.number(c.key.p.words, k.q_inv);
    c.key.d_p = space.exponent(k.p.len, k.dp);
    c.key.d_q = space.exponent(k.q.len, k.dq);
    c.key.d_p_len = k.p.len;
    c.key.d_q_len = k.q.len;

    // n = p * q; the product may have a word more than n, which is then 0.
    const size_t product_words = c.key.p.words + c.key.q.words;
    words_multiply(c.scratch, c.key.p.m, c.key.p.words, c.key.q.m, c.key.q.words);
    bool right = product_words >= c.key.n.words;
    for (size_t i = 0; i < product_words; ++i)
      right &= c.scratch[i] == (i < c.key.n.words ? c.key.n.m[i] : 0);
    if (!right) {
      wipe(workspace, workspace_len);
    } else {
      wipe(c.scratch, product_words * sizeof *c.scratch);
      new (out_key) Context(c);
    }
    wipe(c);
    return right ? INCORE_OK : INCORE_ERROR_RANGE;
  });
}

void incore_rsa_key_wipe(incore_rsa_key* key) {
  if (key == nullptr) return;
  if (is_set(key)) wipe(context_of(key)->workspace, context_of(key)->workspace_len);
  wipe(*key);
}

size_t incore_rsa_modulus_len(const incore_rsa_key* key) {
  return key != nullptr && is_set(key) ? context_of(key)->modulus_len : 0;
}

incore_status incore_rsa_public(incore_rsa_key* key, const uint8_t* in, size_t in_len, uint8_t* out,
                                size_t out_len) {
  return operate(key, in, in_len, out, out_len, false);
}

incore_status incore_rsa_private(incore_rsa_key* key, const uint8_t* in, size_t in_len,
                                 uint8_t* out, size_t out_len) {
  return operate(key, in, in_len, out, out_len, true);
}
