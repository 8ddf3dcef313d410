// Montgomery products by the library, by the model of the sample MM and by GMP, compared.
#pragma once

#include <string>
#include <vector>

#include "tools/numbers/mont_cases.h"
#include "tools/numbers/random_cases.h"

namespace incore::tools {

struct MontCheck {
  bool trace = false;  // print the model's products before their reduction
  bool quiet = false;  // one report in JSON in place of a line for each case
};

// The cases of |files|, "-" is standard input. Prints what is found; returns an exit code.
int check_products(const std::vector<std::string>& files, const MontCheck& options);

// Random cases; or, if |print_cases|, prints them in the format of MM.
int compare_products(RandomCases cases, bool print_cases, bool json);

// The product of |a| and |b| modulo |m|, which must be odd and above them.
int compute_product(Bytes a, Bytes b, Bytes m, bool trace, bool json);

}  // namespace incore::tools
