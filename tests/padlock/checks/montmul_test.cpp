// The checks of REP MONTMUL.
#include <gtest/gtest.h>

#include "padlock/checks/checked.h"
#include "padlock/machine_montmul.h"

namespace incore::padlock::test {
namespace {

struct MontmulCheck {
  explicit MontmulCheck(const MontmulLayout& layout = {}) : at(layout), m("nano") {
    set_up_montmul(m, number("1234", 32), number("4321", 32), modulus, at);
  }
  Reports look() { return reports(m, kMontmul); }
  const Bytes modulus = number("ffffffffffffffffffffffffffffffff61", 32);
  MontmulLayout at;
  Machine m;
};

TEST(padlock_checks_montmul, start_values) {
  MontmulCheck c;
  EXPECT_EQ(c.look(), Reports());
  for (const uint64_t start : {1u, 7u, 0xFFFFFFFFu}) {
    c.m.state().rax = start;
    // clause: PLK-PMM-017
    EXPECT_EQ(c.look(), Reports({"montmul-start PLK-PMM-017"})) << start;
  }
  c.m.state().rax = 0;
  for (const unsigned byte : {0u, 15u, 31u}) {
    MontmulCheck t;
    t.m.put(t.at.t + byte, Bytes{1});
    // clause: PLK-PMM-030
    EXPECT_EQ(t.look(), Reports({"montmul-result PLK-PMM-030"})) << byte;
  }
  MontmulCheck spare;
  spare.m.put(spare.at.t + 47, Bytes{1});
  // clause: PLK-PMM-032
  EXPECT_EQ(spare.look(), Reports({"montmul-result PLK-PMM-032"}));
}

TEST(padlock_checks_montmul, operand_size_prefix_hides_nothing) {
  MontmulCheck c;
  c.m.state().rax = 1;
  EXPECT_EQ(reports(c.m, with_prefix(0x66, kMontmul)), Reports({"montmul-start PLK-PMM-017"}));
}

TEST(padlock_checks_montmul, spare_words_of_t) {
  MontmulLayout layout;
  layout.t = 0x120FD0;  // 48 bytes to the end of the page
  MontmulCheck fits(layout);
  EXPECT_EQ(fits.look(), Reports());
  layout.t = 0x120FE0;
  MontmulCheck missing(layout);
  missing.m.memory.unmap(0x121000, 1);
  EXPECT_EQ(missing.look(), Reports({"montmul-result PLK-PMM-032"}));
}

TEST(padlock_checks_montmul, modulus) {
  MontmulCheck c;
  c.m.put(c.at.m, Bytes{0x60});
  // clause: PLK-PMM-035
  EXPECT_EQ(c.look(), Reports({"montmul-modulus PLK-PMM-035"}));
  MontmulCheck prime;
  prime.m.put(prime.at.context, Bytes{0});
  // clause: PLK-PMM-034
  EXPECT_EQ(prime.look(), Reports({"montmul-modulus PLK-PMM-034"}));
}

TEST(padlock_checks_montmul, size) {
  const auto with_bits = [](uint64_t bits) {
    MontmulCheck c;
    c.m.state().rcx = bits;
    return c.look();
  };
  // clause: PLK-PMM-009
  EXPECT_EQ(with_bits(128), Reports({"montmul-size PLK-PMM-009"}));
  // clause: PLK-PMM-010
  EXPECT_EQ(with_bits(32896), Reports({"montmul-size PLK-PMM-010"}));
  // clause: PLK-PMM-011
  EXPECT_EQ(with_bits(320), Reports({"montmul-size PLK-PMM-011"}));
  // clause: PLK-PMM-012
  EXPECT_EQ(with_bits(257), Reports({"montmul-size PLK-PMM-011"}));
  EXPECT_EQ(with_bits(0), Reports());
}

TEST(padlock_checks_montmul, overlap) {
  for (uint64_t MontmulLayout::*input : {&MontmulLayout::a, &MontmulLayout::b}) {
    MontmulLayout layout;
    layout.t = layout.*input + 32;
    layout.scratch = layout.*input + 256;
    EXPECT_EQ(MontmulCheck(layout).look(), Reports());
    layout.t = layout.*input;
    // clause: PLK-PMM-043
    EXPECT_EQ(MontmulCheck(layout).look().back(), "montmul-overlap PLK-PMM-043");
  }
  MontmulLayout behind;  // the spare words belong to T
  behind.m = behind.t + 32;
  EXPECT_EQ(MontmulCheck(behind).look().back(), "montmul-overlap PLK-PMM-043");
  MontmulLayout scratch;
  scratch.scratch = scratch.m + 16;
  EXPECT_EQ(MontmulCheck(scratch).look(), Reports({"montmul-overlap PLK-PMM-028"}));
  scratch.scratch = scratch.m - 16;
  // clause: PLK-PMM-028
  EXPECT_EQ(MontmulCheck(scratch).look(), Reports({"montmul-overlap PLK-PMM-028"}));
  scratch.scratch = scratch.m - 32;
  EXPECT_EQ(MontmulCheck(scratch).look(), Reports());
  scratch.scratch = scratch.t + 32;
  EXPECT_EQ(MontmulCheck(scratch).look(), Reports({"montmul-overlap PLK-PMM-028"}));
  MontmulCheck unwritable;
  unwritable.m.memory.map(unwritable.at.scratch, 32, Access::read_only);
  EXPECT_EQ(unwritable.look(), Reports({"montmul-overlap PLK-PMM-028"}));
  MontmulLayout misaligned;
  misaligned.scratch += 8;
  EXPECT_EQ(MontmulCheck(misaligned).look(), Reports({"misaligned-operand PLK-PMM-005"}));
  misaligned = {};
  misaligned.a += 4;
  EXPECT_EQ(MontmulCheck(misaligned).look(), Reports({"misaligned-operand PLK-PMM-004"}));
}

}  // namespace
}  // namespace incore::padlock::test
