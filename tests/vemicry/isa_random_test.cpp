// The arithmetic of the vector unit against the oracle: random registers, equal and distinct, all
// register lengths that the documents name, and vector lengths below them.
#include <algorithm>

#include "support/property.h"
#include "vemicry/operands.h"
#include "vemicry/oracle.h"

namespace incore::vemicry::test {
namespace {

// All vector instructions that compute in vector registers; those that move data are in
// isa_transfer_test.cpp.
std::vector<const Insn*> computing_insns() {
  std::vector<const Insn*> computing = vector_insns();
  std::erase_if(computing, [](const Insn* insn) {
    return (insn->writes & kVd) == 0 || (insn->reads & kMemory) != 0;
  });
  return computing;
}

// One random instruction of the kind on |rig|, compared with the oracle.
void check_one(Rig& rig, const Insn& insn, Random& random) {
  State& s = rig.s;
  const uint32_t p = s.config.p, l = s.l;
  const uint32_t vd = random.below(s.config.q), vj = random.below(s.config.q);
  const uint32_t vk = random.below(s.config.q), r = 1 + random.below(31);
  for (const uint32_t number : {vd, vj, vk}) rig.set_v(number, random.words(p));
  s.gpr[r] = random.word();
  s.vcr = random.word();
  s.car = random.word();
  uint32_t n = random.below(64);
  if (&insn == &vemicry::vtransp) n = l % 4 != 0 ? 0 : 1u << random.below(4) & 7;
  if (counts_words(insn)) n = random.below(std::min(p, 63u) + 1);

  const auto first = [&](uint32_t number) { return Words(s.v[number], s.v[number] + l); };
  const uint32_t vcr = s.vcr, car = s.car, scalar = s.gpr[r];
  std::vector<Words> expected;
  for (uint32_t i = 0; i < s.config.q; ++i) expected.push_back(rig.v(i));
  const Result result = oracle(insn, first(vd), first(vj), first(vk), scalar, n, vcr, car);
  std::copy(result.d.begin(), result.d.end(), expected[vd].begin());

  const uint32_t scalar_or_vk = has_operand(insn, "vk") ? vk : has_operand(insn, "r") ? r : 0;
  const uint32_t word = insn.word | vector(0, scalar_or_vk, vd, has_operand(insn, "vj") ? vj : 0,
                                           has_operand(insn, "n") ? n : 0);
  SCOPED_TRACE(testing::Message() << std::hex << word << std::dec << " p " << p << " l " << l);
  rig.done({word});
  for (uint32_t i = 0; i < s.config.q; ++i) ASSERT_EQ(rig.v(i), expected[i]) << "register " << i;
  ASSERT_EQ(s.car, l == p ? result.car.value_or(car) : car);
  ASSERT_EQ(s.vcr, vcr);
  ASSERT_EQ(s.gpr[r], scalar);
}

void check_all(uint32_t p, bool shorter) {
  Config config;
  config.p = p;
  config.q = 16;
  config.r = std::min(p, 8u);
  config.junk = true;
  Rig rig(config);
  incore::test::for_each_seed(p > 16 ? 6 : 20, [&](uint64_t seed) {
    Random random(seed);
    rig.s.l = shorter ? 1 + random.below(p) : p;
    for (const Insn* insn : computing_insns()) check_one(rig, *insn, random);
  });
}

class vemicry_isa_random : public testing::TestWithParam<uint32_t> {};

// clause: VM-ARCH-006
INSTANTIATE_TEST_SUITE_P(p, vemicry_isa_random, testing::Values(1, 3, 4, 8, 16, 32, 36, 68, 256));

TEST_P(vemicry_isa_random, results_are_the_oracles) {
  // clause: VM-ISA-003
  // clause: VM-ISA-006
  // clause: VM-ISA-031
  // clause: VM-ISA-034
  // clause: VM-ISA-036
  // clause: VM-ISA-043
  // clause: VM-ISA-047
  // clause: VM-ISA-059
  // clause: VM-ARCH-018
  check_all(GetParam(), false);
}

TEST_P(vemicry_isa_random, a_shorter_length_leaves_the_other_words_and_car) {
  // clause: VM-ISA-005
  // clause: VM-ARCH-009
  check_all(GetParam(), true);
}

}  // namespace
}  // namespace incore::vemicry::test
