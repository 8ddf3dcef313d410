// Powers of random numbers by the library and by GMP, in results and speed.
#pragma once

#include "tools/numbers/random_cases.h"

namespace incore::tools {

struct ModexpComparison {
  RandomCases cases;
  size_t repeat;  // powers of each case
  bool json;
};

// Prints the rates. Returns an exit code. Throws std::invalid_argument for cases that cannot be.
int compare_powers(ModexpComparison options);

}  // namespace incore::tools
