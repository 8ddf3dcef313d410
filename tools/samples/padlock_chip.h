// What a command asks of the PadLock processor that it works on.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "tools/samples/open_chip.h"

namespace incore::tools {

class PadlockChip {
 public:
  explicit PadlockChip(Chip chip) : chip_(std::move(chip)) {}

  incore_padlock* get() { return chip_.get(); }
  bool is_native() const { return incore_padlock_is_native(chip_.get()) != 0; }
  std::string name() const { return incore_padlock_name(chip_.get()); }
  // For people: "esther, emulated at 1600 MHz", "this CPU".
  std::string title() const;

  uint32_t signature() const;  // CPUID leaf 1 EAX: family, model, stepping
  uint32_t flags() const;      // leaf 0xC0000001 EDX; 0 if there is no such leaf

  // The time that its work took so far: by the model's clock, or this process's on the CPU.
  double seconds() const;

  // Runs an instruction. An error in words, empty if all went well.
  std::string execute(const char* mnemonic, incore_padlock_registers* registers);

 private:
  Chip chip_;
};

// The processor of |options|, or if |native| this CPU's; without --cpu and PadLock here it is an
// emulated esther. Throws std::invalid_argument where there is none.
PadlockChip open_chip_or_native(const ChipOptions& options, bool native);

}  // namespace incore::tools
