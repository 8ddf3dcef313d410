// --bits, --count and --seed of commands that make random cases.
#pragma once

#include <vector>

#include "cli/option.h"
#include "tools/numbers/random_cases.h"

namespace incore::cli {

// |numbers| are options that give a case, which have no use beside these.
std::vector<Option> random_case_options(tools::RandomCases* cases, size_t default_count,
                                        const Texts& numbers);

}  // namespace incore::cli
