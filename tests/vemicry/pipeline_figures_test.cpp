// What the pipeline model says of the programs that come with Incore, with 8, 4, 2 and 1 lanes for
// vectors of 8 words. A program's order of instructions decides: the same ones in another order
// take a cycle or two more or less, so a changed program needs its figures checked and changed.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "vemicry/workload.h"

namespace incore {
namespace {

using namespace vemicry;

struct Row {
  const char* workload;
  uint32_t l;
  uint64_t instructions;
  std::array<uint64_t, 4> cycles;
};

constexpr Row kRows[] = {
    {"aes128-encrypt-short", 8, 181, {201, 297, 531, 1019}},
    {"aes128-encrypt-16", 8, 160, {178, 264, 505, 989}},
    {"aes128-encrypt-16", 4, 160, {178, 178, 273, 525}},
    {"aes128-encrypt-32", 8, 182, {211, 317, 613, 1205}},
    {"gf2-191-product", 8, 94, {118, 144, 208, 347}},
    {"gf2-191-product-rolled", 8, 67, {79, 99, 170, 326}},
    {"gf2-191-product-64", 8, 80, {95, 124, 212, 396}},
    {"gf2-n0-32", 8, 20, {30, 35, 55, 95}},
};
constexpr uint32_t kLanes[] = {8, 4, 2, 1};

TEST(vemicry_pipeline, programs_take_the_cycles_that_the_rules_give) {
  for (const Row& row : kRows) {
    const Workload* const workload = find_workload(row.workload);
    ASSERT_NE(workload, nullptr) << row.workload;
    for (size_t i = 0; i < std::size(kLanes); ++i) {
      SCOPED_TRACE(std::string(row.workload) + ", " + std::to_string(kLanes[i]) +
                   " lanes, l = " + std::to_string(row.l));
      Config config;
      config.r = kLanes[i];
      config.l = row.l;
      Figures figures;
      EXPECT_EQ(measure(*workload, config, 1, &figures), "");
      EXPECT_EQ(figures.instructions, row.instructions);
      EXPECT_EQ(figures.cycles, row.cycles[i]);
    }
  }
}

}  // namespace
}  // namespace incore
