// Workloads: X25519 and the product in its field: curve25519.s, and in C scalar_c_field_25519.c.
#include <utility>

#include "vemicry/workloads/input.h"
#include "vemicry/workloads/numbers.h"

namespace incore::vemicry {
namespace {

constexpr size_t kWords = 8;
constexpr uint32_t kA = kInputAddress, kB = kA + 0x400, kResult = kA + 0x800;

std::string refusal(const Config& config) {
  if (config.p != kWords || config.length() != kWords)
    return "it is written for registers of 8 words";
  if (config.q < 8) return "it needs 8 vector registers";
  if (config.car_accumulates) return "it needs a CAR that products overwrite";
  return "";
}

uint64_t no_bytes(const Config&) {
  return 0;
}

// 2^255 - 19.
const Number& prime() {
  static const Number p = [] {
    Number words(kWords, 0xFFFFFFFF);
    words.front() -= 18;
    words.back() >>= 1;
    return words;
  }();
  return p;
}

Number product(const Number& a, const Number& b) {
  return montgomery_product(a, b, prime(), kWords);
}

// ---- Below p ----

Number difference(const Number& a, const Number& b) {
  Number result(kWords);
  uint64_t borrow = 0;
  for (size_t i = 0; i < kWords; ++i) {
    const uint64_t word = uint64_t{a[i]} - b[i] - borrow;
    result[i] = static_cast<uint32_t>(word);
    borrow = word >> 63;
  }
  return borrow == 0 ? result : difference(result, complement(prime(), kWords));
}

Number sum(const Number& a, const Number& b) {
  return difference(a, difference(Number(kWords), b));
}

// RFC 7748, section 5, in its words, on numbers in Montgomery's form.
Number x25519(const Number& k, Number u) {
  u.back() &= 0x7FFFFFFF;
  const Number form = power_of_2(64 * kWords, prime());
  const auto in_form = [&](uint32_t small) {
    Number words(kWords);
    words[0] = small;
    return product(words, form);
  };
  const Number x_1 = product(u, form), a24 = in_form(121665);
  Number x_2 = in_form(1), z_2(kWords), x_3 = x_1, z_3 = in_form(1);
  for (size_t t = 255; t-- > 0;) {
    const bool k_t = (k[t / 32] >> t % 32 & 1) != 0;
    if (k_t) std::swap(x_2, x_3), std::swap(z_2, z_3);
    const Number A = sum(x_2, z_2), B = difference(x_2, z_2), AA = product(A, A),
                 BB = product(B, B), E = difference(AA, BB), DA = product(difference(x_3, z_3), A),
                 CB = product(sum(x_3, z_3), B), plus = sum(DA, CB), minus = difference(DA, CB);
    x_3 = product(plus, plus);
    z_3 = product(x_1, product(minus, minus));
    x_2 = product(AA, BB);
    z_2 = product(E, sum(AA, product(a24, E)));
    if (k_t) std::swap(x_2, x_3), std::swap(z_2, z_3);
  }
  Number one(kWords), p_less_2 = prime();
  one[0] = 1;
  p_less_2[0] -= 2;
  return product(x_2, power(product(z_2, one), p_less_2, prime()));
}

void map_junk(Run& run) {
  run.machine.memory().map(kInputAddress, 0x1000);
  uint64_t seed = ~run.seed;
  run.write_words(kInputAddress, random_number(0x400, 0x8000, &seed));
}

void prepare_product(Run& run) {
  map_junk(run);
  run.arguments = {kA, kB, 0, kResult};
}

std::string check_product(const Run& run) {
  const Number a = run.read_words(kA, kWords), b = run.read_words(kB, kWords),
               result = run.read_words(kResult, kWords);
  Number one(kWords), limit(kWords);
  one[0] = 1;
  limit.front() = 1 << 11;
  limit.back() = 1u << 31;
  if (!is_below(result, limit)) return "it is not below 2^255 + 2^11";
  return product(result, one) == product(a, b) ? "" : "it is not a * b mod 2^255 - 19";
}

std::vector<uint8_t> bytes_of(const Number& words) {
  std::vector<uint8_t> bytes;
  for (const uint32_t word : words)
    for (int shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<uint8_t>(word >> shift));
  return bytes;
}

// For seed 1, the first example of RFC 7748, section 5.2; else u and k are random.
void prepare_x25519(Run& run) {
  map_junk(run);
  uint64_t seed = run.seed;
  Number u = random_number(kWords, 255, &seed), k = random_number(kWords, 256, &seed);
  if (run.seed == 1) {
    k = {0x6be346a5, 0x9d7c52f0, 0x4b15163b, 0xdd5e4682,
         0x0a4c1462, 0x185afcc1, 0x44226a50, 0xc49a44ba};
    u = {0x6768dbe6, 0xdb303058, 0xa4c19435, 0x7c5fb124,
         0xec246672, 0x3b35b326, 0xa603a910, 0x4c1cabd0};
  }
  k.front() &= ~7u;
  k.back() = (k.back() & 0x7FFFFFFF) | 0x40000000;
  run.write_words(kA, u);
  run.write_words(kB, k);
  run.arguments = {kA, kB, 0, kResult};
  run.expected = bytes_of(x25519(k, u));
}

std::string check_x25519(const Run& run) {
  return bytes_of(run.read_words(kA, kWords)) == run.expected ? "" : "it is not X25519(k, u)";
}

}  // namespace

const Workload x25519_workload = {"x25519",
                                  "X25519, a multiple of a point on Curve25519",
                                  "ladder.s curve25519.s",
                                  "x25519",
                                  refusal,
                                  no_bytes,
                                  prepare_x25519,
                                  check_x25519};
const Workload field_25519_multiply_workload = {"field-25519-multiply",
                                                "product modulo 2^255 - 19",
                                                "ladder.s curve25519.s",
                                                "field_25519_multiply",
                                                refusal,
                                                no_bytes,
                                                prepare_product,
                                                check_product};
const Workload scalar_c_field_25519_multiply_workload = {
    "scalar-c-field-25519-multiply",
    "product modulo 2^255 - 19, C compiled for MIPS-I",
    "scalar_c_field_25519.elf",
    "field_25519_multiply",
    big_endian_refusal,
    no_bytes,
    prepare_product,
    check_product};

}  // namespace incore::vemicry
