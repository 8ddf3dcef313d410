#include "tools/numbers/modulus.h"

#include <fmt/format.h>

#include <stdexcept>

namespace incore::tools {
namespace {

void require_ok(incore_status status) {
  if (status != INCORE_OK) throw std::invalid_argument(incore_status_message(status));
}

}  // namespace

Modulus::Modulus(const Bytes& modulus) : len_(trimmed(modulus).size()) {
  const size_t bits = bit_length(modulus);
  if (!is_odd(modulus) || bits < INCORE_MONT_MIN_BITS || bits > INCORE_MONT_MAX_BITS)
    throw std::invalid_argument(fmt::format(
        "the modulus has {} bits{}; accepted are odd numbers of {} to {} bits", bits,
        is_odd(modulus) ? "" : " and is even", INCORE_MONT_MIN_BITS, INCORE_MONT_MAX_BITS));
  workspace_.resize(incore_mont_workspace_len(bits));
  require_ok(incore_mont_set(&context_, trimmed(modulus).data(), len_, workspace_.data(),
                             workspace_.size()));
}

Modulus::~Modulus() {
  incore_mont_wipe(&context_);
}

Bytes Modulus::multiply(const Bytes& a, const Bytes& b) {
  const size_t words = incore_mont_num_words(&context_);
  std::vector<uint64_t> x(words), y(words);
  require_ok(incore_mont_enter(&context_, padded(a, len_).data(), len_, x.data()));
  require_ok(incore_mont_enter(&context_, padded(b, len_).data(), len_, y.data()));
  require_ok(incore_mont_mul(&context_, x.data(), y.data(), x.data()));
  Bytes product(len_);
  require_ok(incore_mont_leave(&context_, x.data(), product.data(), len_));
  return product;
}

Bytes Modulus::power(const Bytes& base, const Bytes& exponent) {
  Bytes result(len_);
  const Bytes b = padded(base, len_);
  require_ok(incore_mont_exp(&context_, b.data(), len_, exponent.data(), exponent.size(),
                             result.data(), len_));
  return result;
}

}  // namespace incore::tools
