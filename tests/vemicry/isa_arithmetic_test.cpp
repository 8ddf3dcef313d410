// The arithmetic instructions of the vector unit, clause by clause, on cases worked out by hand.
#include "support/process.h"
#include "vemicry/rig.h"

namespace incore::vemicry::test {
namespace {

constexpr uint32_t kOnes = 0xFFFFFFFF;
const Words kAllOnes(8, kOnes);
const Words kOne = {1, 0, 0, 0, 0, 0, 0, 0};
const Words kZero(8, 0);

TEST(vemicry_isa_vaddu, carry_goes_through_all_words_and_is_added_to_car) {
  Rig rig;
  rig.set_v(1, kAllOnes);
  rig.set_v(2, kOne);
  rig.s.car = 5;
  // clause: VM-ISA-007
  rig.done({vaddu(3, 1, 2)});
  EXPECT_EQ(rig.v(3), kZero);
  EXPECT_EQ(rig.s.car, 6u);
}

TEST(vemicry_isa_vaddu, car_wraps_and_stays_without_carry) {
  Rig rig;
  rig.set_v(1, kAllOnes);
  rig.set_v(2, kOne);
  rig.s.car = kOnes;
  // clause: VM-ISA-008
  rig.done({vaddu(3, 1, 2)});
  EXPECT_EQ(rig.s.car, 0u);
  rig.s.car = kOnes;
  rig.done({vaddu(3, 2, 2)});
  EXPECT_EQ(rig.v(3)[0], 2u);
  EXPECT_EQ(rig.s.car, kOnes);
}

TEST(vemicry_isa_vbcrotr, rotates_where_the_condition_is_set) {
  Rig rig;
  const Words words(8, 0x11223344);
  rig.set_v(1, words);
  rig.s.vcr = 0xAA;
  // clause: VM-ISA-017
  rig.done({vbcrotr(2, 1, 8)});
  for (size_t i = 0; i < 8; ++i)
    EXPECT_EQ(rig.v(2)[i], i % 2 != 0 ? 0x44112233u : 0x11223344u) << i;
}

TEST(vemicry_isa_vbcrotr, counts_modulo_32_and_bit_0_is_of_word_0) {
  Rig rig;
  rig.set_v(1, Words(8, 0x11223344));
  rig.s.vcr = kOnes;
  // clause: VM-ISA-018
  for (const uint32_t n : {0u, 32u}) {
    rig.set_v(2, kZero);
    rig.done({vbcrotr(2, 1, n)});
    EXPECT_EQ(rig.v(2), rig.v(1)) << n;
  }
  rig.done({vbcrotr(2, 1, 40)});
  EXPECT_EQ(rig.v(2), Words(8, 0x44112233));
  rig.s.vcr = 1;
  rig.done({vbcrotr(2, 1, 8)});
  Words expected(8, 0x11223344);
  expected[0] = 0x44112233;
  EXPECT_EQ(rig.v(2), expected);
}

TEST(vemicry_isa_vmpmul, multiplies_bytes_by_x) {
  Rig rig;
  rig.s.vcr = 0x11B;
  rig.set_v(1, {0x57AE8001, 0x00FF7F40});
  // clause: VM-ISA-027
  rig.done({vmpmul(2, 1)});  // FIPS 197, section 4.2.1: 57, ae, 47
  EXPECT_EQ(rig.v(2)[0], 0xAE471B02u);
  EXPECT_EQ(rig.v(2)[1], 0x00E5FE80u);
}

TEST(vemicry_isa_vmpmul, bit_8_of_the_polynomial_does_not_matter) {
  Rig rig;
  Random random(1);
  rig.set_v(1, random.words(8));
  rig.s.vcr = 0x11B;
  rig.done({vmpmul(2, 1)});
  rig.s.vcr = 0x1B;
  // clause: VM-ISA-028
  rig.done({vmpmul(3, 1)});
  EXPECT_EQ(rig.v(2), rig.v(3));
  EXPECT_NE(rig.v(2), rig.v(1));
}

TEST(vemicry_isa_vmpmul, conditions_do_not_matter) {
  Rig rig;
  rig.set_v(1, Words(8, 0x81828384));
  rig.s.vcr = 0x100;
  // clause: VM-ISA-029
  rig.done({vmpmul(2, 1)});
  EXPECT_EQ(rig.v(2), Words(8, 0x02040608));
}

TEST(vemicry_isa_vsaddu, each_carry_is_a_bit_of_car) {
  Rig rig;
  rig.set_v(1, {kOnes, 0, 2, kOnes, 4, 5, 6, 7});  // 0 plus the scalar: a sum that is not above it
  rig.s.gpr[9] = 1;
  // clause: VM-ISA-032
  rig.done({vsaddu(2, 1, 9)});
  EXPECT_EQ(rig.v(2), (Words{0, 1, 3, 0, 5, 6, 7, 8}));
  EXPECT_EQ(rig.s.car, 9u);
}

TEST(vemicry_isa_vsaddu, the_other_bits_of_car_become_0) {
  Rig rig;
  rig.set_v(1, kAllOnes);
  rig.s.gpr[9] = 1;
  rig.s.car = kOnes;
  // clause: VM-ISA-033
  rig.done({vsaddu(2, 1, 9)});
  EXPECT_EQ(rig.s.car, 0xFFu);
  rig.done({vsaddu(2, 2, 9)});
  EXPECT_EQ(rig.s.car, 0u);
}

TEST(vemicry_isa_vsamult, word_p_goes_to_car) {
  Rig rig;
  rig.set_v(1, kAllOnes);
  rig.s.gpr[9] = kOnes;
  rig.s.car = 77;
  // clause: VM-ISA-035
  rig.done({vsamult(2, 1, 9)});
  Words expected(8, kOnes);
  expected[0] = 1;
  EXPECT_EQ(rig.v(2), expected);
  EXPECT_EQ(rig.s.car, 0xFFFFFFFEu);
}

TEST(vemicry_isa_vspmult, word_p_goes_to_car) {
  Rig rig;
  Words top(8, 0);
  top[7] = 0x80000000;  // x^255
  rig.set_v(1, top);
  rig.s.gpr[9] = 0x80000000;  // x^31
  // clause: VM-ISA-044
  rig.done({vspmult(2, 1, 9)});
  EXPECT_EQ(rig.v(2), kZero);
  EXPECT_EQ(rig.s.car, 0x40000000u);
}

TEST(vemicry_isa_vspmult, the_second_product_overwrites_car) {
  Rig rig;
  rig.set_v(1, kAllOnes);
  rig.set_v(2, kOne);
  rig.s.gpr[9] = 3;
  // clause: VM-ISA-045
  rig.done({vspmult(3, 1, 9), vspmult(4, 2, 9)});
  EXPECT_EQ(rig.v(4)[0], 3u);
  EXPECT_EQ(rig.s.car, 0u);
  rig.done({vspmult(3, 1, 9), vspmult(3, 1, 9)});
  EXPECT_EQ(rig.s.car, 1u);
}

// Once more in a process of its own, where no kernel of gf2 may use PCLMULQDQ, and this one
// neither.
TEST(vemicry_isa_vspmult, products_without_an_instruction_for_them_are_the_same) {
  const testing::TestInfo& me = *testing::UnitTest::GetInstance()->current_test_info();
  const std::string suite = me.test_suite_name();
  const auto result = incore::test::run(
      {"/proc/self/exe",
       "--gtest_filter=" + suite + ".*:*/vemicry_isa_random.*-" + suite + "." + me.name()},
      "", {"INCORE_KERNEL=gf2:portable"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("[       OK ] " + suite + "."), std::string::npos) << result.out;
}

TEST(vemicry_isa_vxor, of_equal_registers_is_0) {
  Rig rig;
  Random random(2);
  rig.set_v(1, random.words(8));
  rig.done({vxor(1, 1, 1)});
  EXPECT_EQ(rig.v(1), kZero);
}

TEST(vemicry_isa_car, products_add_to_it_where_it_accumulates) {
  Config config;
  config.car_accumulates = true;
  Rig rig(config);
  rig.set_v(1, kAllOnes);
  rig.s.gpr[9] = 0x80000001;
  rig.s.car = 0x60000000;
  // clause: VM-TOOL-012
  rig.done({vspmult(2, 1, 9)});  // word 8 of (x^256 - 1)(x^31 + 1) is x^30 + ... + 1
  EXPECT_EQ(rig.s.car, 0x60000000u ^ 0x7FFFFFFFu);
  rig.s.car = 5;
  rig.done({vsamult(2, 1, 9)});
  EXPECT_EQ(rig.s.car, 0x80000005u);
  rig.done({vwshr(3, 1, 1)});
  EXPECT_EQ(rig.v(3)[7], 0x80000005u);
  EXPECT_EQ(rig.s.car, 0u);
}

}  // namespace
}  // namespace incore::vemicry::test
