// A guest on a PadLock processor: its kernel in an unmodified QEMU, the instructions from outside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/boot/supplier.h"
#include "tools/run/run_findings.h"

namespace incore::tools {

struct BootOptions {
  std::string model = "nano";
  std::string kernel, initrd, append, disk;
  uint64_t memory_mib = 512;
  unsigned num_cpus = 1;
  uint64_t rng_seed = 0;
  std::optional<double> timeout_seconds;
  bool check = false;
  bool verbose = false;
  std::vector<std::string> qemu_options;
};

struct BootReport {
  int exit_code = 0;
  std::string message;  // why, in words; "" if there is nothing to say
  std::string model;
  uint32_t clock_mhz = 0;
  double seconds = 0;
  SupplierCounters counters;
  Findings findings{"incore boot"};
};

// Boots, and waits for the guest's end. Returns what was wrong, in words, if it could not start.
std::string boot(const BootOptions& options, BootReport* out_report);

// Which of |mnemonics| were never executed.
std::vector<std::string> never_executed(const std::vector<std::string>& mnemonics,
                                        const BootReport& report);
std::string boot_stats_text(const BootReport& report);
std::string boot_stats_json(const BootReport& report);

}  // namespace incore::tools
