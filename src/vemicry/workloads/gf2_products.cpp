// Montgomery products in binary fields, and the constant N0 that they need: gf2_product.s,
// gf2_product_best.s, gf2_n0.s, and what needs no vector unit, scalar_asm_gf2_product.s and
// scalar_c_gf2_product.c.
#include "vemicry/workload.h"
#include "vemicry/workloads/input.h"
#include "vemicry/workloads/numbers.h"

namespace incore::vemicry {
namespace {

const Number k191 = polynomial({191, 9, 0});   // the paper's field
const Number k233 = polynomial({233, 74, 0});  // FIPS 186-4

struct Form {
  const Number& f;
  uint32_t degree;
  Reduction reduction;
  uint32_t num_registers;  // that its file uses
  bool waits;  // runs on MIPS-I hardware: no instruction uses what the one before it loads
};

constexpr Form kPaper = {k191, 191, Reduction::by_32, 7, false},
               kPaper64 = {k191, 191, Reduction::by_64, 7, true},
               kTight = {k191, 191, Reduction::by_32, 7, true},
               kTight64 = {k191, 191, Reduction::by_64, 7, true},
               kBest = {k191, 191, Reduction::by_32, 8, true},
               kBest64 = {k191, 191, Reduction::by_64, 8, true},
               kWithoutRoom = {k233, 233, Reduction::by_32_without_room, 7, true},
               kWithoutRoomBest = {k233, 233, Reduction::by_32_without_room, 8, true},
               kScalar = {k191, 191, Reduction::by_32, 0, true},
               kScalarC = {k191, 191, Reduction::by_32, 0, true};

// A file has operands of this many words.
constexpr uint32_t kMinWords = 8;

// What all these programs need of a machine.
std::string machine_refusal(const Config& config, uint32_t num_words, uint32_t num_registers,
                            bool waits) {
  if (config.p < num_words) return "it needs registers of " + std::to_string(num_words) + " words";
  if (config.q < num_registers)
    return "it needs " + std::to_string(num_registers) + " vector registers";
  if (config.length() != config.p) return "it needs the whole vector length";
  if (config.car_accumulates) return "it needs a CAR that products overwrite";
  if (config.load_delay && !waits) return "it uses a loaded word in the next instruction";
  return "";
}

template <const Form& form>
std::string product_refusal(const Config& config) {
  if (&form == &kScalar) return "";
  if (&form == &kScalarC) return big_endian_refusal(config);
  const std::string text = gf2_refusal(form.f, form.degree, form.reduction, config.p);
  return text.empty() ? machine_refusal(config, kMinWords, form.num_registers, form.waits) : text;
}
uint64_t no_bytes(const Config&) {
  return 0;
}

// Behind each operand there is junk, which a program must not take for words of it.
constexpr uint32_t kA = kDataAddress, kB = kA + 0x400, kF = kA + 0x800, kResult = kA + 0xC00;

void map_junk(Run& run) {
  run.machine.memory().map(kDataAddress, 0x1000);
  uint64_t seed = ~run.seed;
  run.write_words(kDataAddress, random_number(0x400, 0x8000, &seed));
}

template <const Form& form>
void prepare_product(Run& run) {
  map_junk(run);
  const uint32_t words = static_cast<uint32_t>(form.f.size());
  uint64_t seed = run.seed;
  const Number a = random_number(words, form.degree, &seed),
               b = random_number(words, form.degree, &seed),
               n0 = gf2_inverse(form.f, form.reduction == Reduction::by_64 ? 2 : 1);
  run.write_words(kA, a);
  run.write_words(kB, b);
  run.write_words(kF, form.f);
  run.arguments = {kA, kB, kF, kResult, words};
  run.arguments.insert(run.arguments.end(), n0.begin(), n0.end());
}

template <const Form& form>
std::string check_product(const Run& run) {
  const size_t words = form.f.size();
  const Number a = run.read_words(kA, words), b = run.read_words(kB, words);
  return run.read_words(kResult, words) == gf2_montgomery_product(a, b, form.f)
             ? ""
             : "it is not a * b * x^(-32 M) mod f";
}

#define PRODUCT(variable, name, summary, program, function, form) \
  const Workload variable##_workload = {name,                     \
                                        summary,                  \
                                        program,                  \
                                        function,                 \
                                        product_refusal<form>,    \
                                        no_bytes,                 \
                                        prepare_product<form>,    \
                                        check_product<form>};
}  // namespace

PRODUCT(gf2_191_product, "gf2-191-product", "Montgomery product in GF(2^191), the paper's layout",
        "gf2_product.s", "gf2_191_product", kPaper)
PRODUCT(gf2_191_product_rolled, "gf2-191-product-rolled", "the same in a tight loop",
        "gf2_product.s", "gf2_191_product_rolled", kTight)
PRODUCT(gf2_191_product_best, "gf2-191-product-best",
        "the same unrolled, with a modulus made ready", "gf2_product_best.s",
        "gf2_191_product_best", kBest)
PRODUCT(gf2_191_product_64, "gf2-191-product-64",
        "Montgomery product in GF(2^191) by 64 bits, the paper's layout", "gf2_product.s",
        "gf2_191_product_64", kPaper64)
PRODUCT(gf2_191_product_64_rolled, "gf2-191-product-64-rolled", "the same in a tight loop",
        "gf2_product.s", "gf2_191_product_64_rolled", kTight64)
PRODUCT(gf2_191_product_64_best, "gf2-191-product-64-best",
        "the same unrolled, with a modulus made ready", "gf2_product_best.s",
        "gf2_191_product_64_best", kBest64)
PRODUCT(gf2_256_product, "gf2-256-product",
        "Montgomery product in GF(2^233), for registers as long as the field", "gf2_product.s",
        "gf2_256_product", kWithoutRoom)
PRODUCT(gf2_256_product_best, "gf2-256-product-best", "the same unrolled", "gf2_product_best.s",
        "gf2_256_product_best", kWithoutRoomBest)
PRODUCT(scalar_asm_gf2_191_product, "scalar-asm-gf2-191-product",
        "Montgomery product in GF(2^191), MIPS-I by hand, bit by bit", "scalar_asm_gf2_product.s",
        "scalar_gf2_191_product", kScalar)
PRODUCT(scalar_c_gf2_191_product, "scalar-c-gf2-191-product",
        "Montgomery product in GF(2^191), C for MIPS-I, bit by bit", "scalar_c_gf2_product.elf",
        "gf2_191_product", kScalarC)
PRODUCT(scalar_c_gf2_191_product_comb, "scalar-c-gf2-191-product-comb",
        "the same by windows of four bits, for this f alone", "scalar_c_gf2_product.elf",
        "gf2_191_product_comb", kScalarC)

namespace {

// A random f with the term 1; N0 of 32 bits is returned, that of 64 bits stored.
std::string n0_refusal(const Config& config) {
  return machine_refusal(config, 2, 2, true);
}
void prepare_n0(Run& run) {
  map_junk(run);
  run.write_words(kF, {run.read_words(kF, 1)[0] | 1});
  run.arguments = {kF, kResult};
}
std::string check_n0(const Run& run) {
  return run.machine.state().gpr[2] == gf2_inverse(run.read_words(kF, 1), 1)[0]
             ? ""
             : "it is not the inverse of f modulo x^32";
}
std::string check_n0_64(const Run& run) {
  return run.read_words(kResult, 2) == gf2_inverse(run.read_words(kF, 2), 2)
             ? ""
             : "it is not the inverse of f modulo x^64";
}

}  // namespace

const Workload gf2_n0_32_workload = {
    "gf2-n0-32", "Montgomery's constant of 32 bits, five steps of Newton's",
    "gf2_n0.s",  "gf2_n0_32",
    n0_refusal,  no_bytes,
    prepare_n0,  check_n0};
const Workload gf2_n0_32_best_workload = {"gf2-n0-32-best", "the same as the power 31",
                                          "gf2_n0.s",       "gf2_n0_32_best",
                                          n0_refusal,       no_bytes,
                                          prepare_n0,       check_n0};
const Workload gf2_n0_64_workload = {"gf2-n0-64", "Montgomery's constant of 64 bits",
                                     "gf2_n0.s",  "gf2_n0_64",
                                     n0_refusal,  no_bytes,
                                     prepare_n0,  check_n0_64};

}  // namespace incore::vemicry
