// The figures that the VeMICry paper printed (table 1, sections 3.2, 5.3, 5.4 and 7), as data: with
// the workloads that are counted beside them, and what is to be said of the comparison.
#pragma once

namespace incore::tools {

// What a figure can be compared for. The paper does not print its scalar programs, and a scalar
// count depends on how its program is written: fewer instructions prove nothing there.
enum class PublishedKind { must_be_exact, may_be_beaten, scalar };

struct PublishedFigure {
  const char* clauses;  // ids in docs/clauses/vemicry.tsv, separated by blanks
  const char* section;
  const char* what;
  unsigned instructions;  // as printed; each takes one cycle there
  PublishedKind kind;
  const char* workload;  // ours in the same style
  bool call_is_counted;  // in the printed figure, as it seems
  const char* other;     // ours with the fewest instructions; of scalar code, that in C
  const char* why;
};

inline constexpr const char* kScalarWhy =
    "the paper's scalar code is not printed; such counts depend on how it is written";

inline constexpr PublishedFigure kPublishedFigures[] = {
    {"VM-RES-008", "5.3", "AES-128 encryption, 16 bytes", 160, PublishedKind::must_be_exact,
     "aes128-encrypt-16", false, "aes128-encrypt-16-best",
     "met by columns that stay skewed instead of ShiftRows; the authors' code is not printed"},
    {"VM-RES-013", "5.3", "AES-128 encryption, 32 bytes", 182, PublishedKind::must_be_exact,
     "aes128-encrypt-32", false, "aes128-encrypt-32-best",
     "the same program; doubling 11 round keys takes the other 22 instructions"},
    {"VM-RES-009", "5.3", "AES-128 key schedule", 246, PublishedKind::may_be_beaten, "aes128-keys",
     false, "aes128-keys", "round keys as FIPS 197 has them"},
    {"VM-RES-009", "5.3", "AES-128 key schedule, skewed", 246, PublishedKind::may_be_beaten,
     "aes128-keys-skewed", false, "aes128-keys-skewed",
     "round keys as the program of 160 instructions needs them"},
    {"VM-RES-010 VM-RES-012", "5.3", "scalar AES-128 key schedule", 519, PublishedKind::scalar,
     "scalar-asm-aes128-keys", false, "scalar-c-aes128-keys",
     "508 in table 1; the paper's scalar code is not printed"},
    {"VM-RES-011", "5.3", "scalar AES-128 encryption", 3283, PublishedKind::scalar,
     "scalar-asm-aes128-encrypt", false, "scalar-c-aes128-encrypt", kScalarWhy},
    {"VM-RES-015", "5.4", "N0, 32 bits", 22, PublishedKind::must_be_exact, "gf2-n0-32", true,
     "gf2-n0-32-best", "five Newton steps; jal and its delay slot are counted"},
    {"VM-RES-016", "5.4", "GF(2^191) product, 32-bit reduction", 97, PublishedKind::must_be_exact,
     "gf2-191-product", true, "gf2-191-product-best",
     "the printed routine, its slips mended, called with two arguments on the stack"},
    {"VM-RES-019", "5.4", "N0, 64 bits", 72, PublishedKind::may_be_beaten, "gf2-n0-64", true,
     "gf2-n0-64", "one more Newton step, two words wide; the authors' code is not printed"},
    {"VM-RES-020", "5.4", "GF(2^191) product, 64-bit reduction", 84, PublishedKind::must_be_exact,
     "gf2-191-product-64", true, "gf2-191-product-64-best",
     "laid out as the printed routine, called with three arguments on the stack"},
    {"VM-RES-017 VM-RES-018", "5.4", "scalar GF(2^191) product", 22331, PublishedKind::scalar,
     "scalar-asm-gf2-191-product", true, "scalar-c-gf2-191-product", kScalarWhy},
};

// A row of table 1: a step of the scalar encryption.
struct PublishedStep {
  const char* clause;
  const char* name;
  unsigned instructions, calls;
  double percent;        // of the encryption, as printed
  double half_digit;     // by how much rounding may have changed it
  const char* workload;  // ours that has the step,
  const char* function;  // and its label there; null: the workload's own function
  bool must_be_exact;
};

inline constexpr PublishedStep kPublishedSteps[] = {
    {"VM-RES-001", "KEY-SCHEDULE", 508, 1, 16, 0.5, "scalar-asm-aes128-keys", nullptr, false},
    {"VM-RES-002", "ADDRNDKEY", 16, 11, 6, 0.5, "scalar-asm-aes128-encrypt", "add_round_key", true},
    {"VM-RES-003", "SUBBYTE", 68, 10, 22, 0.5, "scalar-asm-aes128-encrypt", "sub_bytes", false},
    {"VM-RES-004", "SHIFTRWS", 26, 10, 8.5, 0.05, "scalar-asm-aes128-encrypt", "shift_rows", false},
    {"VM-RES-005", "MIXCOLUMNS", 143, 9, 42, 0.5, "scalar-asm-aes128-encrypt", "mix_columns",
     false},
};

}  // namespace incore::tools
