// VSPMULT vd,vj,r: a polynomial of p words over GF(2) times one of a word (VeMICry paper, appendix
// A). Word p of the product goes to CAR.
#include <cstring>

#include "incore/gf2.h"
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

// Two 64-bit numbers, computed with at once.
typedef uint64_t Pair __attribute__((vector_size(16)));
constexpr uint32_t kGroup = 8;  // words

// The products of |in| and |factor|, one beside the other: the sum over the bits of |factor|.
void multiply_group(const uint32_t* in, uint32_t factor, Pair out_products[kGroup / 2]) {
  Pair terms[kGroup / 2], sums[kGroup / 2] = {};
  for (uint32_t i = 0; i < kGroup / 2; ++i) terms[i] = Pair{in[2 * i], in[2 * i + 1]};
  for (; factor != 0; factor &= factor - 1)
    for (uint32_t i = 0; i < kGroup / 2; ++i) sums[i] ^= terms[i] << __builtin_ctz(factor);
  for (uint32_t i = 0; i < kGroup / 2; ++i) out_products[i] = sums[i];
}

#ifdef __x86_64__
// The same by PCLMULQDQ, where the host has it.
[[gnu::target("pclmul")]] void multiply_group_pclmul(const uint32_t* in, uint32_t factor,
                                                     Pair out_products[kGroup / 2]) {
  typedef long long Signed __attribute__((vector_size(16)));  // as the built-in wants it
  for (uint32_t i = 0; i < kGroup / 2; ++i) {
    const Signed words = {in[2 * i], in[2 * i + 1]}, other = {factor, 0};
    const Signed low = __builtin_ia32_pclmulqdq128(words, other, 0x00);
    const Signed high = __builtin_ia32_pclmulqdq128(words, other, 0x01);
    out_products[i] = Pair{static_cast<uint64_t>(low[0]), static_cast<uint64_t>(high[0])};
  }
}
#endif

// As libincore computes over GF(2) in this process, so that INCORE_KERNEL=gf2:portable holds here
// too: its kernels for x86-64 all need PCLMULQDQ.
auto* choose_multiply() {
#ifdef __x86_64__
  const char* const kernel = incore_gf2_kernel();
  if (kernel != nullptr && std::strcmp(kernel, "portable") != 0) return multiply_group_pclmul;
#endif
  return multiply_group;
}

Trap execute(State& state, Memory&, Word word) {
  if (!has_registers(state, word.vd(), word.vj())) return kReserved;
  static const auto multiply = choose_multiply();
  const uint32_t factor = state.gpr[word.r()];
  uint32_t high = 0;  // word of the product before
  for (uint32_t first = 0; first < state.l; first += kGroup) {
    Pair products[kGroup / 2];
    multiply(&state.v[word.vj()][first], factor, products);  // a row has whole groups
    uint32_t out[kGroup], highs[kGroup];
    for (uint32_t i = 0; i < kGroup; ++i) {
      const uint64_t product = products[i / 2][i % 2];
      highs[i] = static_cast<uint32_t>(product >> 32);
      out[i] = static_cast<uint32_t>(product) ^ (i == 0 ? high : highs[i - 1]);
    }
    const uint32_t len = std::min(kGroup, state.l - first);
    std::copy_n(out, len, &state.v[word.vd()][first]);
    high = highs[len - 1];
  }
  if (state.writes_car()) state.car = state.config.car_accumulates ? state.car ^ high : high;
  return {};
}

}  // namespace

const Insn vspmult = {.mnemonic = "vspmult",
                      .word = vector_word(0x11),
                      .operands = "vd,vj,r",
                      .insn_class = Class::pivi,
                      .reads = kVj | kR | kLength,
                      .writes = kVd | kCar,
                      .traits = kProduct,
                      .meaning = "the product as polynomials over GF(2); word p goes to CAR",
                      .execute = execute};

}  // namespace incore::vemicry
