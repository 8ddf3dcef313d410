// The checks of REP XSHA.
#include <gtest/gtest.h>

#include "padlock/checks/checked.h"
#include "padlock/machine_xsha.h"

namespace incore::padlock::test {
namespace {

Reports xsha(const char* model, uint64_t eax, uint64_t ecx) {
  Machine m(model);
  set_up_hash(m, sha1_hash(), pattern(200));
  m.state().rax = eax;
  m.state().rcx = ecx;
  return reports(m, kXsha1);
}

TEST(padlock_checks_xsha, start) {
  const Reports wrong = {"xsha-start PLK-PHE-017"};
  for (const char* model : {"esther9", "nano"}) {
    EXPECT_EQ(xsha(model, 0, 200), Reports());
    EXPECT_EQ(xsha(model, 64, 200), Reports());  // a restart, or Linux
    // clause: PLK-PHE-017
    EXPECT_EQ(xsha(model, 1, 200), wrong);
    EXPECT_EQ(xsha(model, 200, 200), wrong);  // left from the last hash
    EXPECT_EQ(xsha(model, 256, 200), wrong);
    EXPECT_EQ(xsha(model, 0xFFFFFFFF, 1), Reports());  // how GnuTLS tells the parts apart
  }
  EXPECT_EQ(xsha("nano", 0xFFFFFFFF, 3), Reports());
  EXPECT_EQ(xsha("esther9", 0xFFFFFFFF, 3), wrong);
}

TEST(padlock_checks_xsha, start_in_64_bit_code) {
  Machine m("nano", CodeSize::bits64);
  set_up_hash(m, sha1_hash(), pattern(200));
  m.state().rcx = 3;
  m.state().rax = ~uint64_t{0};
  EXPECT_EQ(reports(m, kXsha1), Reports());
  m.state().rax = 0xFFFFFFFF;
  EXPECT_EQ(reports(m, kXsha1), Reports({"xsha-start PLK-PHE-017"}));
  EXPECT_EQ(reports(m, with_prefix(0x67, kXsha1)), Reports());
}

// What is left of the message counts, not all of it; with EAX = -1 ECX counts blocks.
TEST(padlock_checks_xsha, message_beside_the_state) {
  Machine m("nano");
  set_up_hash(m, sha1_hash(), pattern(0));
  m.memory.map(kHashAt - 4096, 4096);
  const auto overlaps = [&](uint64_t eax, uint64_t ecx, uint64_t distance) {
    m.state().rax = eax;
    m.state().rcx = ecx;
    m.state().rsi = kHashAt - distance;
    return reports(m, kXsha1) == Reports({"xsha-buffer PLK-PHE-011"});
  };
  EXPECT_FALSE(overlaps(128, 200, 72));
  EXPECT_TRUE(overlaps(128, 200, 71));
  EXPECT_FALSE(overlaps(0xFFFFFFFF, 2, 128));
  EXPECT_TRUE(overlaps(0xFFFFFFFF, 2, 127));
}

TEST(padlock_checks_xsha, buffer) {
  Machine m("nano");
  set_up_hash(m, sha256_hash(), pattern(200));
  const auto with_state_at = [&](uint64_t address) {
    m.memory.map(address, 32);
    m.state().rdi = address;
    return reports(m, kXsha256);
  };
  EXPECT_EQ(with_state_at(0x28F80), Reports());
  // clause: PLK-PHE-011
  EXPECT_EQ(with_state_at(0x28F90), Reports({"xsha-buffer PLK-PHE-011"}));
  EXPECT_EQ(with_state_at(kMessageAt - 64), Reports({"xsha-buffer PLK-PHE-011"}));
  EXPECT_EQ(with_state_at(kMessageAt - 128), Reports());
  EXPECT_EQ(with_state_at(0x28008), Reports({"misaligned-operand PLK-PHE-010"}));
}

}  // namespace
}  // namespace incore::padlock::test
