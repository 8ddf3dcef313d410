// How PowerPC programs run here: under QEMU's user mode emulation, with the C library of Debian's
// cross packages. Crypto instructions are counted by a plugin of ours, plugin.c, which lies inside
// the program `incore`.
#pragma once

#include <string>
#include <vector>

#include "run/power/insns.h"

namespace incore::run::power {

class Emulator {
 public:
  // |cpu| is a name of cpus.def.
  explicit Emulator(std::string cpu) : cpu_(std::move(cpu)) {}
  ~Emulator();
  Emulator(const Emulator&) = delete;
  Emulator& operator=(const Emulator&) = delete;

  const std::string& cpu() const { return cpu_; }

  // From now on, crypto instructions are counted. Returns an error in words, empty if all went
  // well.
  std::string count_insns();
  // Those of all processes so far; null without count_insns().
  const incore_power_counters* counters() const { return counters_; }

  // The command that runs a program, or what is missing.
  struct Command {
    std::string path;                    // of the emulator
    std::vector<std::string> arguments;  // those up to the program's own first one
    std::string error;
  };

  // The command for the PowerPC program in the file |path|, which sees itself called |name|. The
  // emulator opens it as |path_inside|.
  Command command(const std::string& path, const std::string& path_inside,
                  const std::string& name) const;

 private:
  std::string cpu_;
  int plugin_ = -1;  // a file in memory, as is the next
  int counters_file_ = -1;
  incore_power_counters* counters_ = nullptr;
};

// True if the file |path| begins like a program for 64-bit PowerPC.
bool is_power_program(const std::string& path);

}  // namespace incore::run::power
