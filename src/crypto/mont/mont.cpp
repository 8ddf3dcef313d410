// Which kernel of Montgomery multiplication serves, and what is built from its products: R * R mod
// m, and powers for kernels that have no way of their own.
#include "base/wipe.h"
#include "crypto/mont/mont_kernel.h"
#include "crypto/mont/mont_power.h"
#include "crypto/mont/mont_words.h"

namespace incore {
namespace {

constexpr const KernelInfo* kKernels[] = {
#define X(kernel) &mont_##kernel.info,
#include "crypto/mont/mont_kernels.def"
#undef X
};

constinit TestedKernels tested;

}  // namespace

constinit const KernelList mont_kernel_list =
    kernel_list_of("mont", kKernels, mont_self_test, &tested);

namespace {

constinit ChosenKernel<MontKernel> chosen(mont_kernel_list);

// Montgomery's form with words of 64 bits, by a kernel's products.
struct WordForm {
  const MontKernel& kernel;
  const MontModulus& modulus;
  uint64_t* scratch;
  size_t stride;

  void mul(uint64_t* out, const uint64_t* a, const uint64_t* b) const {
    kernel.mul(out, a, b, modulus, scratch);
  }
  void select(uint64_t* out, const uint64_t* table, size_t num_entries,
              const uint64_t* index) const {
    for (size_t i = 0; i < stride; ++i) out[i] = 0;
    for (size_t entry = 0; entry < num_entries; ++entry, table += stride) {
      const uint64_t difference = entry ^ index[0];
      const uint64_t equal = (difference - 1) >> 63;  // both are small
      const uint64_t mask = words_opaque(0 - equal);
      for (size_t i = 0; i < stride; ++i) out[i] |= table[i] & mask;
    }
  }
};

void power_by_mul(const MontKernel& kernel, const MontPower& power, uint64_t* scratch) {
  const MontModulus& modulus = *power.modulus;
  const size_t words = modulus.words;
  uint64_t* const table = scratch;
  uint64_t* const selected = table + kMontTableEntries * words;
  uint64_t* const result = selected + words;
  const WordForm form = {kernel, modulus, result + words, words};

  words_set(selected, 1, words);
  form.mul(table, selected, modulus.rr);
  form.mul(table + words, power.base, modulus.rr);
  mont_powers_in_form(form, &power, 1, table, selected, result);
  words_set(selected, 1, words);
  form.mul(power.out, result, selected);
}
static_assert((kMontTableEntries + 2) * 4 + mont_mul_scratch_words(4) <=
              mont_power_scratch_words(4));

}  // namespace

const MontKernel* mont_kernel() {
  return chosen.kernel();
}

void mont_compute_rr(const MontKernel& kernel, const MontModulus& modulus, size_t bits,
                     uint64_t* out_rr, uint64_t* scratch) {
  const size_t words = modulus.words;
  // 2^(bits - 1) is below m; doubled modulo m until it is R * 2^words.
  words_set(out_rr, 0, words);
  out_rr[(bits - 1) / 64] = uint64_t{1} << (bits - 1) % 64;
  for (size_t exponent = bits - 1; exponent < 64 * words + words; ++exponent) {
    const uint64_t carry = words_add(out_rr, out_rr, out_rr, words);
    words_reduce_once(out_rr, out_rr, carry, modulus.m, words);
  }
  // A Montgomery square of R * 2^x is R * 2^(2x); 2^6 * words is the length of R.
  for (int i = 0; i < 6; ++i) kernel.mul(out_rr, out_rr, out_rr, modulus, scratch);
}

void mont_power(const MontKernel& kernel, const MontPower* powers, size_t num_powers,
                uint64_t* scratch) {
  if (kernel.power != nullptr) {
    kernel.power(powers, num_powers, scratch);
  } else {
    for (size_t i = 0; i < num_powers; ++i) power_by_mul(kernel, powers[i], scratch);
  }
  wipe(scratch, num_powers * mont_power_scratch_words(powers[0].modulus->words) * sizeof *scratch);
}

}  // namespace incore
