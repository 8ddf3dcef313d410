// A QEMU that was started for a guest, and how it ended.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace incore::tools {

// |text| as the value of one of several settings in an option: commas are doubled.
std::string option_value(const std::string& text);

// A QEMU, and whether it has PadLock itself, by the patches of machine/qemu.
struct QemuProgram {
  std::string path;
  bool has_padlock = false;
};

// The QEMU to use: $INCORE_QEMU, else one of machine/qemu that was built beside this program or
// installed with it, else that of PATH. What is wrong, in words, or nothing.
std::string find_qemu(QemuProgram* out);

// The PadLock units of a QEMU that has them itself.
struct QemuPadlock {
  std::string model;  // "" as if it had none
  uint64_t seed = 0;
  int counters = -1;  // a file
};

// The guest's machine, as far as QEMU is told of it.
struct QemuMachine {
  std::string program;  // QEMU
  std::string cpu;      // of -cpu
  std::string kernel, initrd, append, disk;
  uint64_t memory_mib = 512;
  unsigned num_cpus = 1;
  std::vector<std::string> more;  // the user's own options
  // Descriptors that it gets; -1: none. |ram| is a file of memory_mib.
  int ram = -1, gdb = -1, plugin = -1, channel = -1;
  QemuPadlock padlock;
};

class Qemu {
 public:
  // Starts it. Throws std::system_error.
  explicit Qemu(const QemuMachine& machine);
  // Ends it, if it still runs; none is left behind.
  ~Qemu();
  Qemu(const Qemu&) = delete;

  pid_t pid() const { return pid_; }
  const std::string& command() const { return command_; }  // for people

  // Socket for QEMU's machine protocol (QMP), which tells of the end; ready to be read.
  int events() const { return events_; }
  // Reads what has come there; false: nothing will come any more.
  bool read_events();
  // Whether the whole machine has had a RESET since the last call, as it can with the user's option
  // -action reboot=reset.
  bool take_reset() { return std::exchange(was_reset_, false); }

  void end();  // at once
  // Waits until it has ended, as it does by itself; false: it goes on.
  bool ends_soon();

  // How the guest ended.
  struct Verdict {
    int exit_code;
    std::string message;  // "" if all is well
  };
  // Of a QEMU that has ended. A guest that powers off is done; one that restarts has failed, as
  // after a panic; by the device isa-debug-exit at port F4h it gives an exit code.
  Verdict verdict() const;

 private:
  void finish();
  void take_event(const std::string& line);

  pid_t pid_ = -1;
  int events_ = -1;
  int status_ = 0;  // of waitpid
  bool ended_ = false;
  std::string in_, reason_, command_;
  bool started_ = false, panicked_ = false, was_reset_ = false, terminal_saved_ = false;
};

}  // namespace incore::tools
