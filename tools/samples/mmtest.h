// The job of the sample MMTEST (PadLock guide, 6.4): modular exponentiation by GMP and by PadLock's
// REP MONTMUL, on numbers from its generator, in results and speed.
#pragma once

#include <functional>

#include "incore/padlock.h"
#include "tools/numbers/random_cases.h"

namespace incore::tools {

struct MmtestOptions {
  std::vector<size_t> sizes;  // of the numbers, in bits: multiples of 128
  size_t cases = 2, repeat = 37;
  bool json = false;
};

// Another library, which computes the power of a case |times| over.
struct OtherPowers {
  std::string name;  // "GMP 6.2.1"
  std::function<Bytes(const RandomCase& c, size_t times)> power;
};

// Prints two lines for each size, or JSON. Returns an exit code. Without |other| nothing is
// compared.
int run_mmtest(incore_padlock* padlock, const OtherPowers* other, const MmtestOptions& options);

}  // namespace incore::tools
