// Workloads: arithmetic in binary fields, and multiples of points on curves over them by the
// ladder: gf2_curve.s, and in C scalar_c_gf2_curve.c.
#include "vemicry/workloads/binary_curve.h"
#include "vemicry/workloads/input.h"

namespace incore::vemicry {
namespace {

constexpr uint32_t kA = kInputAddress, kB = kA + 0x400, kF = kA + 0x800, kResult = kA + 0xC00;

std::string vector_refusal(const Config& config) {
  if (config.p < 8) return "it needs registers of 8 words";
  if (config.q < 8) return "it needs 8 vector registers";
  if (config.length() != config.p) return "it needs the whole vector length";
  if (config.car_accumulates) return "it needs a CAR that products overwrite";
  return "";
}

uint64_t no_bytes(const Config&) {
  return 0;
}

// Behind each operand there is junk.
void map_junk(Run& run) {
  run.machine.memory().map(kInputAddress, 0x1000);
  uint64_t seed = ~run.seed;
  run.write_words(kInputAddress, random_number(0x400, 0x8000, &seed));
}

enum class Operation { multiply, square, invert };

template <const BinaryField& field, Operation kOperation>
void prepare_element(Run& run) {
  map_junk(run);
  uint64_t seed = run.seed;
  run.write_words(kA, random_number(field.words(), field.degree, &seed));
  run.write_words(kB, random_number(field.words(), field.degree, &seed));
  run.write_words(kF, field.f());
  run.arguments = {kA, kB, kF, kResult};
}

template <const BinaryField& field, Operation kOperation>
std::string check_element(const Run& run) {
  const Number a = run.read_words(kA, field.words()), b = run.read_words(kB, field.words()),
               result = run.read_words(kResult, field.words());
  switch (kOperation) {
    case Operation::multiply:
      return result == field.multiply(a, b) ? "" : "it is not a * b mod f";
    case Operation::square:
      return result == field.multiply(a, a) ? "" : "it is not a * a mod f";
    case Operation::invert:
      return result == field.inverse(a) ? "" : "it is not 1 / a mod f";
  }
  return "";
}

// For seed 1, k P = -P, which has the same x; else k is random.
template <const BinaryCurve& curve>
void prepare_ladder(Run& run) {
  map_junk(run);
  const BinaryField& field = curve.field;
  uint64_t seed = run.seed;
  Number k = random_number(field.words(), field.degree, &seed);
  if (run.seed == 1) {
    k = number(curve.order, field.words());
    k[0] -= 1;  // it is odd
  }
  Number constants = field.f();
  for (const uint32_t word : field.square_root(number(curve.b, field.words())))
    constants.push_back(word);
  run.write_words(kA, number(curve.x, field.words()));
  run.write_words(kB, k);
  run.write_words(kF, constants);
  run.arguments = {kA, kB, kF, kResult};
}

template <const BinaryCurve& curve>
std::string check_ladder(const Run& run) {
  const size_t words = curve.field.words();
  return run.read_words(kA, words) == multiple_of_base_point(curve, run.read_words(kB, words))
             ? ""
             : "it is not the x of k P";
}

template <const BinaryField& field, Operation kOperation>
constexpr Workload element(const char* name, const char* summary, const char* program,
                           const char* function, std::string (*refusal)(const Config&)) {
  return {name,
          summary,
          program,
          function,
          refusal,
          no_bytes,
          prepare_element<field, kOperation>,
          check_element<field, kOperation>};
}

template <const BinaryCurve& curve>
constexpr Workload ladder(const char* name, const char* summary, const char* function) {
  return {name,           summary,  "ladder.s gf2_curve.s", function,
          vector_refusal, no_bytes, prepare_ladder<curve>,  check_ladder<curve>};
}

}  // namespace

#define FIELD(m)                                                                           \
  const Workload binary_##m##_multiply_workload = element<kField##m, Operation::multiply>( \
      "binary-" #m "-multiply", "product in GF(2^" #m ") of plain polynomials",            \
      "ladder.s gf2_curve.s", "gf2_" #m "_multiply", vector_refusal);                      \
  const Workload binary_##m##_square_workload = element<kField##m, Operation::square>(     \
      "binary-" #m "-square", "square in GF(2^" #m ")", "ladder.s gf2_curve.s",            \
      "gf2_" #m "_square", vector_refusal);                                                \
  const Workload binary_##m##_invert_workload = element<kField##m, Operation::invert>(     \
      "binary-" #m "-invert", "inverse in GF(2^" #m "), Itoh and Tsujii's",                \
      "ladder.s gf2_curve.s", "gf2_" #m "_invert", vector_refusal);
FIELD(191)
FIELD(233)

const Workload scalar_c_binary_233_multiply_workload = element<kField233, Operation::multiply>(
    "scalar-c-binary-233-multiply", "product in GF(2^233) by windows of four bits, C",
    "scalar_c_gf2_curve.elf", "gf2_233_multiply", big_endian_refusal);
const Workload scalar_c_binary_233_square_workload = element<kField233, Operation::square>(
    "scalar-c-binary-233-square", "square in GF(2^233), C compiled for MIPS-I",
    "scalar_c_gf2_curve.elf", "gf2_233_square", big_endian_refusal);

const Workload ladder_191_workload =
    ladder<kCurve191>("ladder-191", "multiple of a point on c2tnb191v1, x only", "gf2_191_ladder");
const Workload ladder_b233_workload = ladder<kCurveB233>(
    "ladder-b233", "multiple of a point on B-233 (sect233r1), x only", "gf2_233_ladder");
const Workload ladder_k233_workload = ladder<kCurveK233>(
    "ladder-k233", "multiple of a point on K-233 (sect233k1), x only", "gf2_233_ladder_koblitz");

}  // namespace incore::vemicry
