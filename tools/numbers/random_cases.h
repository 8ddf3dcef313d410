// Random cases for the big-number commands.
#pragma once

#include <optional>

#include "tools/base/number.h"

namespace incore::tools {

struct RandomCases {
  std::string bits = "256-2048:128";
  std::vector<size_t> sizes;  // of the moduli, in bits: |bits| read
  size_t count = 0;           // cases of each size
  std::optional<uint64_t> seed;

  // Reads |bits| and chooses a seed if there is none. Throws std::invalid_argument.
  void resolve();
};

struct RandomCase {
  Bytes base, exponent, modulus;
};

// Three numbers of one length as a case: the modulus is the largest of them, and odd.
RandomCase ordered_case(Bytes base, Bytes exponent, Bytes modulus);

// A case of random numbers; the modulus has exactly |bits| bits.
RandomCase random_case(size_t bits, std::mt19937_64& random);

// A number of the command line: hex, perhaps with 0x before it, or @FILE, which holds such hex.
// |option| is for messages. Throws std::invalid_argument.
Bytes number_of_option(const std::string& option, const std::string& text);

}  // namespace incore::tools
