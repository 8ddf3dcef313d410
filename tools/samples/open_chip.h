// Which PadLock processor a command works on: this CPU's own, or an emulated model.
#pragma once

#include <memory>
#include <string>

#include "incore/padlock.h"

namespace incore::tools {

struct ChipOptions {
  std::string model;  // of --cpu; empty: not given
  uint64_t seed = 0;  // of an emulated one's noise
  bool seed_given = false;
};

struct WipeChip {
  void operator()(incore_padlock* chip) const;
};
using Chip = std::unique_ptr<incore_padlock, WipeChip>;

// The emulated model of --cpu; or, without it, this CPU's PadLock; or, where there is none,
// |otherwise| emulated, which may be null: then the result is null. Throws std::invalid_argument
// for an unknown model, and for a --seed where this CPU's PadLock serves, which takes none.
Chip open_chip(const ChipOptions& options, const char* otherwise);

}  // namespace incore::tools
