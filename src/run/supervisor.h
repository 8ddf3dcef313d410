// The process `incore run`: starts the program under the filter, answers the run-time's calls,
// prepares every new program image or has the emulator run it, and returns what became of the
// program.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "padlock/model.h"
#include "run/findings.h"
#include "run/group.h"
#include "run/memory_watch.h"
#include "run/protocol.h"
#include "run/qemu/emulator.h"
#include "run/trace.h"

namespace incore::run {

struct Request {
  std::string path;                    // of the program, as execve takes it
  std::vector<std::string> arguments;  // argv, the program's name included
  const padlock::ModelSpec* model;     // null if there is an emulator
  // Runs the PowerPC programs that are executed; PadLock is not there then. Null: the reverse.
  const qemu::Emulator* emulator = nullptr;
  bool verbose = false;
  bool count_model_time = false;
  std::optional<uint64_t> rng_seed;  // of the noise that XSTORE delivers; none: the kernel's bytes
  bool check = false;
  uint64_t skipped_checks = 0;     // Config::skipped_checks
  bool emulate_stale_key = false;  // XCRYPT loads its key only if EFLAGS bit 30 is clear
  Trace::OnInsn on_insn;           // gets each call; empty: there is no trace
  bool trace_keys = false;         // with the keys themselves
  OnMemory on_memory;              // gets what show_memory() shows wherever data leave a program
  bool repeatable = false;         // random bytes of Linux from |rng_seed| or 0; the same addresses
  bool debug = false;              // under gdb, from its first instruction on
};

struct Result {
  std::string error;  // why the program could not be started; empty if it was
  int exit_code = 0;  // its own, or 128 + signal
  std::shared_ptr<const GroupMemory> memory;  // with the counters of the whole run
  std::vector<Finding> findings;              // of `--check`; how often: Stats::finding_counts
  uint64_t lost_insns = 0;                    // that the trace lacks
};

Result supervise(const Request& request);

}  // namespace incore::run
