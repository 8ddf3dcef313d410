#include "cli/options/random_case_options.h"

namespace incore::cli {

std::vector<Option> random_case_options(tools::RandomCases* cases, size_t default_count,
                                        const Texts& numbers) {
  cases->count = default_count;
  return {
      text("--bits", "LIST", &cases->bits, "sizes of random moduli: a list, or FIRST-LAST:STEP")
          .usually(cases->bits)
          .excludes(numbers),
      number("--count", "N", &cases->count, 1, 100'000'000, "random cases of each size")
          .excludes(numbers),
      number("--seed", "N", &cases->seed, "for the same random cases again").excludes(numbers),
  };
}

}  // namespace incore::cli
