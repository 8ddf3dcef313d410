// What is asked of the sample CRAP of the PadLock guide (section 6.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/samples/open_chip.h"

namespace incore::tools {

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

}  // namespace incore::tools
