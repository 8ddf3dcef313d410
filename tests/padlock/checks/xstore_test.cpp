// The check of XSTORE.
#include <gtest/gtest.h>

#include "padlock/checks/checked.h"
#include "padlock/machine_rng.h"

namespace incore::padlock::test {
namespace {

constexpr uint64_t kBuffer = 0x50000, kPageEnd = 0x51000;

Reports xstore(const Bytes& code, uint64_t at, uint64_t count, uint32_t quality) {
  Machine m("nano");
  m.memory.map(kBuffer, kPageEnd - kBuffer);
  m.state().rdi = at;
  m.state().rcx = count;
  m.state().rdx = quality;
  return reports(m, code);
}

TEST(padlock_checks_xstore, count_that_is_no_multiple) {
  for (uint64_t count = 0; count < 40; ++count)
    for (const uint32_t quality : {0, 1, 2, 3}) {
      const bool fits = count % (8u >> quality) == 0;
      // clause: PLK-RNG-022
      EXPECT_EQ(xstore(kRepXstore, kBuffer, count, quality),
                fits ? Reports() : Reports({"xstore-overrun PLK-RNG-022"}))
          << count << " " << quality;
    }
}

TEST(padlock_checks_xstore, quality_factor_with_more_bits) {
  for (const Bytes& code : {kXstore, kRepXstore}) {
    // clause: PLK-RNG-007
    EXPECT_EQ(xstore(code, kBuffer, 8, 0x11), Reports({"xstore-quality PLK-RNG-007"}));
    EXPECT_EQ(xstore(code, kBuffer, 8, 0x80000000), Reports({"xstore-quality PLK-RNG-007"}));
    EXPECT_EQ(xstore(code, kBuffer, 8, 3), Reports());
  }
}

TEST(padlock_checks_xstore, store_beyond_the_page) {
  EXPECT_EQ(xstore(kXstore, kPageEnd - 8, 0, 0), Reports());
  EXPECT_EQ(xstore(kXstore, kPageEnd - 4, 0, 3), Reports());
  // clause: PLK-RNG-024
  EXPECT_EQ(xstore(kXstore, kPageEnd - 1, 0, 3), Reports({"xstore-overrun PLK-RNG-024"}));
  EXPECT_EQ(xstore(kRepXstore, kPageEnd - 16, 13, 3), Reports());
  EXPECT_EQ(xstore(kRepXstore, kPageEnd - 16, 14, 3), Reports({"xstore-overrun PLK-RNG-024"}));
}

}  // namespace
}  // namespace incore::padlock::test
