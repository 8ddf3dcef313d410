// The PadLock processor that a command works on: this CPU's units, or an emulated model.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "incore/padlock.h"

namespace incore::cli {

struct ChipOptions {
  std::string cpu;  // a model; empty: this CPU if it has PadLock, else esther
  bool native = false;
  uint64_t seed = 1;
};

// Adds --cpu, --native and --seed.
void add_chip_options(CLI::App& app, ChipOptions* options);

class PadlockChip {
 public:
  PadlockChip() = default;
  ~PadlockChip() { incore_padlock_wipe(&padlock_); }
  PadlockChip(const PadlockChip&) = delete;
  PadlockChip& operator=(const PadlockChip&) = delete;

  // An error in words, empty if all went well.
  std::string open(const ChipOptions& options);

  incore_padlock* get() { return &padlock_; }
  bool is_native() const { return incore_padlock_is_native(&padlock_) != 0; }
  std::string name() const { return incore_padlock_name(&padlock_); }
  // For people: "esther, emulated at 1600 MHz", "this CPU".
  std::string title() const;

  uint32_t signature() const;  // CPUID leaf 1 EAX: family, model, stepping
  uint32_t flags() const;      // leaf 0xC0000001 EDX; 0 if there is no such leaf

  // The time that its work took so far: by the model's clock, or this process's on the CPU.
  double seconds() const;

  // Runs an instruction. An error in words, empty if all went well.
  std::string execute(const char* mnemonic, incore_padlock_registers* registers);

 private:
  incore_padlock padlock_ = {};
};

}  // namespace incore::cli
