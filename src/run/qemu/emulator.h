// How PowerPC programs run here: under QEMU's user mode emulation, with the C library of Debian's
// cross packages. Crypto instructions are counted by a plugin of ours, plugin.c, which lies inside
// the program `incore`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "run/qemu/counters.h"
#include "run/qemu/sysroot.h"

namespace incore::run::qemu {

struct Port;

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
    std::string sysroot;                 // where a dynamic program's libraries are looked for
    std::string error;
  };

  // The command for the PowerPC program in the file |path|, which sees itself called |name|. The
  // emulator opens it as |path_inside|.
  Command command(const std::string& path, const std::string& path_inside,
                  const std::string& name) const;

  // What the loader of the program of |command| does not find, in a sentence; "" if nothing.
  std::string missing_libraries(const Command& command) const;

  // After a fork, one of the two processes leaves the files of this object to the other, which
  // removes them.
  void leave_files() const;
  void remove_files() const;

 private:
  std::string find_sysroot(const std::string& interpreter, const Port& port,
                           Command& command) const;

  std::string cpu_;
  int plugin_ = -1;  // a file in memory, as is the next
  int counters_file_ = -1;
  incore_power_counters* counters_ = nullptr;
  mutable std::map<std::string, Sysroot> sysroots_;  // by folder
};

// True if the file |path| begins like a program for 64-bit PowerPC.
bool is_power_program(const std::string& path);

}  // namespace incore::run::qemu
