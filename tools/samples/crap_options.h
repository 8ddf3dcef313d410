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

  bool sets_msr() const { return bias || mode || raw; }
  // Of a sample; after adjust_crap_options().
  uint64_t sample_bytes() const { return bytes.value_or(static_cast<uint64_t>(size) << 20); }
};

inline constexpr int64_t kCrapBiases = 8, kCrapModes = 3;  // those of MSR 0x110B
inline constexpr char kUsualCrapFolder[] = "/rngdata";

// Brings what is out of range to where CRAP brings it, and gives what is not given the value that
// holds then. Throws std::invalid_argument for what CRAP should have refused, and for options that
// would have no effect.
void adjust_crap_options(CrapOptions* options);

}  // namespace incore::tools
