// Elliptic curves in vector registers: fields, ladders, and that no secret decides what is
// executed. The workloads check every result against plain arithmetic; here are published values.
#include "vemicry/workload_rig.h"
#include "vemicry/workloads/binary_curve.h"

namespace incore::vemicry::test {
namespace {

const char* const kFields[] = {"binary-191-multiply", "binary-191-square", "binary-191-invert",
                               "binary-233-multiply", "binary-233-square", "binary-233-invert",
                               "field-25519-multiply"};
const char* const kLadders[] = {"ladder-191", "ladder-b233", "ladder-k233", "x25519"};

TEST(vemicry_curves, fields_are_right_with_junk_at_reset) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    Config config;
    config.junk = true;
    config.junk_seed = seed;
    for (const uint32_t p : {8u, 9u, 16u}) {
      config.p = p;
      for (const char* name : kFields)
        if (find_workload(name)->refusal(config).empty()) {
          ASSERT_EQ(measured(name, seed, config), "") << name << seed << ' ' << p;
        }
    }
  }
}

TEST(vemicry_curves, ladders_are_right_with_junk_at_reset) {
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    Config config;
    config.junk = true;
    for (const char* name : kLadders) ASSERT_EQ(measured(name, seed, config), "") << name << seed;
    config.p = 12;
    for (const char* name : {"ladder-191", "ladder-b233", "ladder-k233"})
      ASSERT_EQ(measured(name, seed, config), "") << name << seed;
  }
}

// What a field's function leaves for these operands.
Number result_of(const char* name, const Number& a, const Number& b) {
  Call call(name);
  call.run().write_words(call.argument(0), a);
  call.run().write_words(call.argument(1), b);
  call.execute();
  EXPECT_EQ(call.check(), "") << name;
  return call.run().read_words(call.argument(3), a.size());
}

TEST(vemicry_curves, elements_at_the_ends_of_their_range) {
  for (const BinaryField* field : {&kField191, &kField233}) {
    const std::string prefix = "binary-" + std::to_string(field->degree);
    Number ones(field->words(), 0xFFFFFFFF), zero(field->words());
    ones.back() >>= 32 - field->degree % 32;
    for (const Number& a : {ones, zero})
      for (const Number& b : {ones, zero}) {
        result_of((prefix + "-multiply").c_str(), a, b);
        result_of((prefix + "-square").c_str(), a, b);
        result_of((prefix + "-invert").c_str(), a, b);
      }
  }
  // For 2^255 - 19, any 256 bits.
  const Number ones(8, 0xFFFFFFFF);
  for (const uint32_t low : {0u, 1u, 2u, 18u, 19u, 37u, 38u, 0xFFFFFFFFu}) {
    Number a = ones, b(8);
    a[0] = b[0] = low;
    result_of("field-25519-multiply", a, a);
    result_of("field-25519-multiply", a, ones);
    result_of("field-25519-multiply", a, b);
    b[7] = 0x80000000;
    result_of("field-25519-multiply", a, b);
  }
}

// The x of k times the base point.
Number multiple(const char* name, const Number& k) {
  Call call(name);
  call.run().write_words(call.argument(1), k);
  call.execute();
  EXPECT_EQ(call.check(), "") << name;
  return call.run().read_words(call.argument(0), k.size());
}

// NIST's examples of key pairs for FIPS 186-3 (CAVS 11.0).
TEST(vemicry_curves, published_key_pair_on_k233) {
  EXPECT_EQ(multiple("ladder-k233",
                     number("01da7422b50e3ff051f2aaaed10acea6cbf6110c517da2f4eaca8b5b87", 8)),
            number("01c7475da9a161e4b3f7d6b086494063543a979e34b8d7ac44204d47bf9f", 8));
}

// As the standards state the base point and its order n: 1 P = P, n P is no point, (n - 1) P = -P.
TEST(vemicry_curves, published_base_points_have_the_published_order) {
  for (const auto& [name, curve] : {std::pair{"ladder-191", &kCurve191},
                                    {"ladder-b233", &kCurveB233},
                                    {"ladder-k233", &kCurveK233}}) {
    const size_t words = curve->field.words();
    const Number x = number(curve->x, words);
    Number one(words), order = number(curve->order, words);
    one[0] = 1;
    EXPECT_EQ(multiple(name, one), x) << name;
    EXPECT_EQ(multiple(name, order), Number(words)) << name;
    order[0] -= 1;
    EXPECT_EQ(multiple(name, order), x) << name;
    order[0] += 2;
    EXPECT_EQ(multiple(name, order), x) << name;
    EXPECT_EQ(multiple(name, Number(words)), Number(words)) << name;
  }
}

Bytes x25519(const std::string& scalar, const std::string& u) {
  Call call("x25519");
  const auto words = [](const std::string& hex) {
    const Bytes bytes = from_hex(hex);
    Number result(8);
    for (size_t i = 0; i < bytes.size(); ++i) result[i / 4] |= uint32_t{bytes[i]} << i % 4 * 8;
    return result;
  };
  Number k = words(scalar), point = words(u);
  k.front() &= ~7u;
  k.back() = (k.back() & 0x7FFFFFFF) | 0x40000000;
  point.back() &= 0x7FFFFFFF;
  call.run().write_words(call.argument(0), point);
  call.run().write_words(call.argument(1), k);
  call.execute();
  Bytes result;
  for (const uint32_t word : call.run().read_words(call.argument(0), 8))
    for (int shift = 0; shift < 32; shift += 8)
      result.push_back(static_cast<uint8_t>(word >> shift));
  return result;
}

// RFC 7748, section 5.2.
TEST(vemicry_curves, published_examples_of_x25519) {
  EXPECT_EQ(to_hex(x25519("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                          "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")),
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552");
  EXPECT_EQ(to_hex(x25519("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                          "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493")),
            "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957");
  const std::string nine = "09" + std::string(62, '0');  // the first of those a thousand times over
  EXPECT_EQ(to_hex(x25519(nine, nine)),
            "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079");
}

// Addresses and instructions are the same for all scalars and points; only what they work on
// differs.
TEST(vemicry_curves, secrets_decide_neither_what_is_executed_nor_where_memory_is_accessed) {
  for (const char* name : kLadders) {
    std::vector<uint32_t> first;
    for (const uint64_t seed : {1, 2, 3}) {
      Call call(name, seed);
      std::vector<uint32_t> trace;
      call.execute(find_workload(name)->function, [&](const Step& step) {
        trace.push_back(step.address);
        const std::string mnemonic = step.insn->mnemonic;
        if (mnemonic == "vload" || mnemonic == "vstore")
          trace.push_back(call.state().gpr[step.word.r()]);
        if (mnemonic == "lw" || mnemonic == "sw")
          trace.push_back(call.state().gpr[step.word.rs()] + step.word.imm());
      });
      if (first.empty()) first = trace;
      EXPECT_EQ(trace == first, true) << name << " " << seed;
    }
  }
}

TEST(vemicry_curves, ladders_leave_nothing_behind) {
  for (const char* name : kLadders) {
    Call call(name, 2);
    const std::vector<uint32_t> scalars(std::begin(call.state().gpr), std::end(call.state().gpr));
    call.execute();
    ASSERT_EQ(call.check(), "") << name;
    for (uint32_t i = 0; i < 7; ++i)
      EXPECT_EQ(to_hex(call.vector(i, 0, 8)), std::string(64, '0')) << name << " v" << i;
    EXPECT_EQ(call.state().car, 0u);
    const uint32_t words = name == kLadders[0] ? 6 : 8;
    EXPECT_EQ(call.run().read_words(call.argument(3), 5 * words), Number(5 * words)) << name;
    for (const uint32_t i : {2, 3, 10, 11}) EXPECT_EQ(call.state().gpr[i], 0u) << name << " $" << i;
    for (const uint32_t i : {16, 17, 18}) EXPECT_EQ(call.state().gpr[i], scalars[i]) << name;
  }
}

TEST(vemicry_curves, fewer_instructions_than_scalar_code) {
  EXPECT_LE(instructions("binary-233-multiply"), 68u);
  EXPECT_LE(instructions("binary-233-square"), 55u);
  EXPECT_LE(instructions("field-25519-multiply"), 68u);
  EXPECT_LE(instructions("ladder-191"), 93000u);
  EXPECT_LE(instructions("ladder-b233"), 150000u);
  EXPECT_LE(instructions("ladder-k233"), 136000u);
  EXPECT_LE(instructions("x25519"), 179000u);
  if (find_program("scalar_c_gf2_curve.elf") == nullptr)
    GTEST_SKIP() << "there was no compiler for MIPS (mips-linux-gnu-gcc)";
  EXPECT_LT(30 * instructions("binary-233-multiply"), instructions("scalar-c-binary-233-multiply"));
  EXPECT_LT(4 * instructions("binary-233-square"), instructions("scalar-c-binary-233-square"));
  EXPECT_LT(10 * instructions("field-25519-multiply"),
            instructions("scalar-c-field-25519-multiply"));
}

}  // namespace
}  // namespace incore::vemicry::test
