// Options that say which random cases a big-number command works on.
#pragma once

#include <cstddef>
#include <vector>

#include "cli/command.h"
#include "tools/numbers/random_cases.h"

namespace incore::cli {

// Adds --bits, --count and --seed. |numbers| are the options with which no case is random.
void add_random_case_options(CLI::App& app, RandomCases* cases, size_t default_count,
                             const std::vector<CLI::Option*>& numbers);

}  // namespace incore::cli
