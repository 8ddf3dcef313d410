// The length of an L1 data line from what the sources say, and what this machine's say.
#include "cpu/cache_line.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>

namespace incore {
namespace {

// clause: P8-DET-039
TEST(cache_line, the_first_usable_source_counts) {
  const struct {
    long from_sysconf;
    unsigned long from_auxv;
    unsigned expected;
  } cases[] = {
      {64, 32, 64},   {16, 0x80, 16}, {0, 0x80, 0x80}, {0, 0, 128},     {-1, 0x40, 0x40},
      {-1, 0, 128},   {96, 64, 64},   {96, 96, 128},   {8, 64, 64},     {0, 8, 128},
      {0, ~0ul, 128}, {1, 2, 128},    {-128, 0, 128},  {256, 128, 256},
  };
  // clause: P8-DET-036
  for (const auto& c : cases)
    EXPECT_EQ(choose_l1_data_line(c.from_sysconf, c.from_auxv, 128), c.expected)
        << c.from_sysconf << ' ' << c.from_auxv;
}

TEST(cache_line, of_this_machine_is_what_it_says_or_usual) {
  EXPECT_TRUE(std::has_single_bit(l1_data_line()));
  EXPECT_GE(l1_data_line(), 16u);
#if defined(_SC_LEVEL1_DCACHE_LINESIZE)
  // clause: P8-DET-035
  const long from_sysconf = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
  if (from_sysconf > 0) {
    EXPECT_EQ(l1_data_line(), static_cast<unsigned>(from_sysconf));
  }
#endif
#if defined(__powerpc64__)
  // clause: P8-DET-033
  EXPECT_EQ(l1_data_line(), 128u);
#endif
}

}  // namespace
}  // namespace incore
