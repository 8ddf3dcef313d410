// `incore bench vemicry` as a user sees it. The speeds themselves are the machine's.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process.h"

namespace incore {
namespace {

TEST(cli_bench_vemicry, every_loop_has_two_speeds) {
  const test::ProcessResult result =
      test::run({INCORE_PROGRAM, "bench", "vemicry", "--time", "1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json loops = nlohmann::json::parse(result.out)["vemicry"]["loops"];
  ASSERT_EQ(loops.size(), 3u);
  for (const nlohmann::json& loop : loops) {
    EXPECT_GT(loop["functional_per_second"], 1e5) << loop;
    EXPECT_GT(loop["with_pipeline_per_second"], 1e5) << loop;
  }
}

}  // namespace
}  // namespace incore
