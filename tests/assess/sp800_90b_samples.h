// Samples of many kinds for SP 800-90B's estimators, the same on every machine. What NIST's tool
// says of them is recorded in tests/data/assess/sp800_90b.txt.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace incore::test {

struct NamedSample {
  const char* name;
  std::vector<uint8_t> (*make)();
};
std::span<const NamedSample> sp800_90b_samples();

// The bits of pi in the form of NIST's sample file data.pi.bin: 25 digits a line, 24 in the first,
// each line after three spaces; a digit 0 is 0, any other character 1. |digits| are 0 and 1.
std::vector<uint8_t> pi_sample(std::span<const char> digits);

}  // namespace incore::test
