// The job of the sample BAES (PadLock guide, 6.2): Monte Carlo tests of AES, then the rates of all
// modes, aligned and not, and of CBC-MAC.
#pragma once

#include <string>

#include "tools/samples/aes_engine.h"

namespace incore::tools {

struct BaesOptions {
  size_t repetitions = 100'000;
  size_t blocks = 512;  // of the buffer, 16 bytes each
  bool monte_carlo = false;
  bool json = false;
};

inline constexpr size_t kBaesMaxBlocks = 2'097'152;

// Four tests of 400 x 10,000 blocks with known results. Empty, or the line that says which failed.
std::string run_monte_carlo(AesEngine& engine);

// One SP 800-38A example in each mode and direction: the same, quickly.
std::string check_known_answers(AesEngine& engine);

// The whole: prints its lines, or JSON. Returns an exit code.
int run_baes(AesEngine& engine, const BaesOptions& options);

}  // namespace incore::tools
