// The random number generator of an emulated PadLock processor, as a source of random bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "incore/padlock.h"

namespace incore::tools {

// What MSR 0x110B is set to, and where the noise comes from.
struct EmulatedRngOptions {
  std::string model;  // as for --cpu; empty: this processor's own units
  std::optional<unsigned> bias, noise_source;
  bool raw = false;
  std::optional<uint64_t> seed;  // without it the kernel gives one

  bool sets_msr() const { return bias || noise_source || raw; }
  bool asks_for_emulation() const { return sets_msr() || seed; }
};

class EmulatedRng {
 public:
  EmulatedRng() = default;
  ~EmulatedRng() { incore_padlock_wipe(&chip_); }
  EmulatedRng(const EmulatedRng&) = delete;

  // An error in words, empty if all went well.
  std::string open(const EmulatedRngOptions& options, unsigned quality);
  // An incore_rng_read; |context| is the EmulatedRng.
  static size_t read(void* context, uint8_t* out, size_t len);
  // What the model's clock says has passed.
  double seconds() const { return incore_padlock_seconds(&chip_); }
  const char* model() const { return incore_padlock_name(&chip_); }

 private:
  incore_padlock chip_ = {};
  unsigned quality_ = 0;
};

}  // namespace incore::tools
