// `incore bench rng`: a row for each form of each source, and shares that follow from the figures.
#include <gtest/gtest.h>

#include "support/process.h"

namespace incore {
namespace {

TEST(cli_bench_rng, every_source_has_its_forms_and_the_share_of_the_bare_instruction) {
  const test::ProcessResult result =
      test::run({INCORE_PROGRAM, "bench", "rng", "--json", "--time", "1", "--sizes", "64,1k"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const test::ProcessResult check = test::run(
      {"python3", "-c",
       "import json, sys\n"
       "rows = json.load(sys.stdin)['rng']['rows']\n"
       "kernel = [row for row in rows if row['source'] == 'getrandom']\n"
       "assert [(row['form'], row['bytes']) for row in kernel] == [\n"
       "    (form, size) for size in (64, 1024) for form in ('bare', 'tested', 'SHA-256 of 64')]\n"
       "for row in rows:\n"
       "    assert 0.001 < row['mb_per_s'] <= row['best_mb_per_s'] * 1.0001, row\n"
       "bare, tested = kernel[3], kernel[4]\n"
       "assert abs(tested['percent_of_bare'] - 100 * tested['mb_per_s'] / bare['mb_per_s']) < "
       "0.01\n"
       "assert 'percent_of_bare' not in bare\n"},
      result.out);
  EXPECT_EQ(check.exit_code, 0) << check.err << result.out;
}

}  // namespace
}  // namespace incore
