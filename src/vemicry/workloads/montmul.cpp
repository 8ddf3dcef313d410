// Montgomery products and powers of integers of 1024 and 2048 bits: montmul.s, which has a form
// for registers longer than a number, one for registers as long and one for shorter ones; and what
// C makes of it, scalar_c_montmul.c.
#include "vemicry/workload.h"
#include "vemicry/workloads/input.h"
#include "vemicry/workloads/numbers.h"

namespace incore::vemicry {
namespace {

constexpr uint32_t kMaxPlace = kMaxWords;

std::string refusal(const Config& config) {
  if (config.p < 5) return "it needs registers of 5 words";
  if (config.q < 7) return "it needs 7 vector registers";
  if (config.length() != config.p) return "it needs the whole vector length";
  if (config.car_accumulates) return "it needs a CAR that products overwrite";
  return "";
}
template <uint32_t kWords>
std::string rolled_refusal(const Config& config) {
  if (config.p < kWords + 2)
    return "it needs registers of " + std::to_string(kWords + 2) + " words";
  return refusal(config);
}
uint64_t no_bytes(const Config&) {
  return 0;
}

// Each place is long enough for every machine. Results and the modulus take two.
constexpr uint32_t kPlaceLen = 4 * kMaxPlace;
constexpr uint32_t kA = kDataAddress, kB = kA + kPlaceLen, kN = kB + kPlaceLen,
                   kResult = kN + 2 * kPlaceLen, kSquare = kResult + 2 * kPlaceLen,
                   kRoom = kSquare + kPlaceLen, kRoomLen = 64 + 37 * kPlaceLen;

// a, b and n at random, n with the top bit set and a, b below it.
template <uint32_t kWords>
void prepare_numbers(Run& run) {
  run.machine.memory().map(kDataAddress, kRoom + kRoomLen - kDataAddress);
  uint64_t seed = run.seed;
  Number n = random_number(kWords, 32 * kWords, &seed);
  n.front() |= 1;
  n.back() |= 1u << 31;
  run.write_words(kN, n);
  run.write_words(kA, random_number(kWords, 32 * kWords - 1, &seed));
  run.write_words(kB, random_number(kWords, 32 * kWords - 1, &seed));
  const MontmulForm form = montmul_form(kWords, run.p());
  run.write_words(kN + 4 * form.place, complement(n, form.place));
  run.arguments = {kA, kB, kN, kResult, minus_inverse(n)};
}

// The rolled form loads whole registers, with zeros behind n.
template <uint32_t kWords>
void prepare_rolled(Run& run) {
  prepare_numbers<kWords>(run);
  run.write_words(kN + 4 * kWords, Number(kMaxPlace));
}

// R is 2^r_bits, and the result must be below |bound| times n.
template <uint32_t kWords>
std::string check_product(const Run& run, uint32_t address, uint32_t r_bits, uint32_t bound) {
  const Number n = run.read_words(kN, kWords), a = run.read_words(kA, kWords),
               b = run.read_words(kB, kWords), result = run.read_words(address, kWords + 1);
  Number one(kWords + 1), limit(kWords + 1);
  uint64_t carry = 0;
  for (uint32_t i = 0; i <= kWords; ++i) {
    carry += i < kWords ? uint64_t{n[i]} * bound : 0;
    limit[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  if (!is_below(result, limit)) return "it is not below " + std::to_string(bound) + " n";
  // Both sides times R^-1, so that a result above n may be compared.
  one[0] = 1;
  const Number expected = montgomery_product(a, b, n, r_bits / 32);
  return montgomery_product(result, one, n, kWords + 1) ==
                 montgomery_product(expected, one, n, kWords + 1)
             ? ""
             : "it is not a * b / R mod n";
}

template <uint32_t kWords>
std::string check_montmul(const Run& run) {
  const MontmulForm form = montmul_form(kWords, run.p());
  return check_product<kWords>(run, run.machine.state().gpr[2], form.r_bits, form.bound);
}
template <uint32_t kWords>
std::string check_rolled(const Run& run) {
  return check_product<kWords>(run, kResult, 32 * kWords, 2);
}

// kA is the base, kB the exponent.
template <uint32_t kWords>
void prepare_modexp(Run& run) {
  prepare_numbers<kWords>(run);
  const MontmulForm form = montmul_form(kWords, run.p());
  const Number n = run.read_words(kN, kWords);
  run.write_words(kSquare, power_of_2(2 * form.r_bits, n));
  run.arguments.push_back(kSquare);
  run.arguments.push_back(kRoom);
}
template <uint32_t kWords>
std::string check_modexp(const Run& run) {
  const Number n = run.read_words(kN, kWords), base = run.read_words(kA, kWords),
               exponent = run.read_words(kB, kWords),
               result = run.read_words(run.machine.state().gpr[2], kWords);
  return result == power(base, exponent, n) ? "" : "it is not base^exponent mod n";
}

template <uint32_t kWords>
constexpr Workload product(const char* name, const char* summary, const char* function) {
  return {name,
          summary,
          "montmul.s",
          function,
          refusal,
          no_bytes,
          prepare_numbers<kWords>,
          check_montmul<kWords>};
}
template <uint32_t kWords>
constexpr Workload rolled(const char* name, const char* function) {
  return {name,
          "the same in a tight loop, for registers that hold a number",
          "montmul.s",
          function,
          rolled_refusal<kWords>,
          no_bytes,
          prepare_rolled<kWords>,
          check_rolled<kWords>};
}
template <uint32_t kWords>
constexpr Workload modexp(const char* name, const char* summary, const char* function) {
  return {name,
          summary,
          "montmul.s",
          function,
          refusal,
          no_bytes,
          prepare_modexp<kWords>,
          check_modexp<kWords>};
}

}  // namespace

const Workload montmul_1024_workload =
    product<32>("montmul-1024", "Montgomery product of integers of 1024 bits", "montmul_1024");
const Workload montmul_2048_workload =
    product<64>("montmul-2048", "Montgomery product of integers of 2048 bits", "montmul_2048");
const Workload montmul_1024_rolled_workload =
    rolled<32>("montmul-1024-rolled", "montmul_1024_rolled");
const Workload montmul_2048_rolled_workload =
    rolled<64>("montmul-2048-rolled", "montmul_2048_rolled");
const Workload modexp_1024_workload =
    modexp<32>("modexp-1024", "power with numbers of 1024 bits, exponent included", "modexp_1024");
const Workload modexp_2048_workload =
    modexp<64>("modexp-2048", "power with numbers of 2048 bits, exponent included", "modexp_2048");
const Workload scalar_c_montmul_1024_workload = {
    "scalar-c-montmul-1024", "Montgomery product of integers of 1024 bits, C for MIPS-I",
    "scalar_c_montmul.elf",  "montmul_1024",
    big_endian_refusal,      no_bytes,
    prepare_numbers<32>,     check_rolled<32>};

}  // namespace incore::vemicry
