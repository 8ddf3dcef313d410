// The job of the PadLock guide's sample CRAP (section 6.1): samples of a generator, chi-square of
// each and of all, and the evenness of the p-values so far.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "chip.h"
#include "cli11_fwd.h"

namespace incore::cli {

// With CRAP's names. What is not given on the command line is empty where that makes a difference.
struct CrapOptions {
  std::string source;  // a file or generator; empty: a PadLock processor
  ChipOptions chip;
  bool native = false;
  std::optional<int64_t> bias, mode, test, edx;
  bool raw = false, save = false, speed = false, json = false;
  int64_t rep = 1, sha = 0, size = 0;  // size in megabytes
  std::optional<uint64_t> bytes;       // in place of size
  double p_value = 0;
  std::optional<double> limit;
  std::optional<std::string> out;
};

// Brings what is out of range to where CRAP brings it. Throws std::invalid_argument for what it
// should have refused.
void adjust_crap_options(CrapOptions* options);

void add_crap_options(CLI::App& app, CrapOptions* options);
int run_crap(CrapOptions options);

}  // namespace incore::cli
