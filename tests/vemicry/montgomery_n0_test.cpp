// Montgomery's constant N0 in binary fields, as gf2_n0.s computes it.
#include "vemicry/montgomery_gf2_testing.h"

namespace incore::test {
namespace {

using vemicry::gf2_inverse;
using vemicry::random_number;
using vemicry::Step;

TEST(vemicry_montgomery_constant, constant_of_the_paper_s_field) {
  Program program("gf2_n0.s");
  program.write(kGf2F, kF191);
  // clause: VM-ALG-025
  EXPECT_EQ(gf2_inverse(kF191, 1), Number{0x08040201});
  EXPECT_EQ(program.call("gf2_n0_32", {kGf2F}).value, 0x08040201u);
  EXPECT_EQ(program.call("gf2_n0_32_best", {kGf2F}).value, 0x08040201u);
  // clause: VM-ALG-039
  program.call("gf2_n0_64", {kGf2F, kGf2Result});
  EXPECT_EQ(program.read(kGf2Result, 2), (Number{0x08040201, 0x80402010}));
}

TEST(vemicry_montgomery_constant, newton_s_step_doubles_the_right_terms) {
  Config config;
  config.junk = true;
  Program program("gf2_n0.s", config);
  uint64_t seed = 1;
  for (int i = 0; i < 1000; ++i) {
    Number f = random_number(2, 64, &seed);
    f[0] |= 1;
    program.write(kGf2F, f);
    const Number inverse = gf2_inverse(f, 2);
    uint32_t right_terms = 1;
    bool extracted = false;
    const auto check_step = [&] {
      right_terms *= 2;
      const uint32_t mask = right_terms == 32 ? ~0u : (1u << right_terms) - 1;
      ASSERT_EQ((program.machine().state().gpr[2] ^ inverse[0]) & mask, 0u) << right_terms;
    };
    const uint32_t n0 = program
                            .call("gf2_n0_32", {kGf2F},
                                  [&](const Step& step) {
                                    if (extracted) check_step();
                                    extracted = step.insn == &vemicry::vextract;
                                  })
                            .value;
    // clause: VM-ALG-041
    ASSERT_EQ(right_terms, 32u);
    // clause: VM-ALG-025
    ASSERT_EQ(n0, inverse[0]);
    ASSERT_EQ(program.call("gf2_n0_32_best", {kGf2F}).value, inverse[0]);
    program.call("gf2_n0_64", {kGf2F, kGf2Result});
    ASSERT_EQ(program.read(kGf2Result, 2), inverse);
  }
}

}  // namespace
}  // namespace incore::test
