#include "cli/options/random_case_options.h"

#include <CLI/CLI.hpp>

#include "cli/options/number_option.h"

namespace incore::cli {

void add_random_case_options(CLI::App& app, RandomCases* cases, size_t default_count,
                             const std::vector<CLI::Option*>& numbers) {
  cases->count = default_count;
  app.add_option("--bits", cases->bits, "sizes of random moduli: a list, or FIRST-LAST:STEP")
      ->capture_default_str();
  app.add_option("--count", cases->count, "random cases of each size")
      ->capture_default_str()
      ->transform(whole_number(1, 100'000'000));
  app.add_option("--seed", cases->seed, "for the same random cases again");
  for (CLI::Option* const option : numbers)
    for (const char* name : {"--bits", "--count", "--seed"}) app.get_option(name)->excludes(option);
}

}  // namespace incore::cli
