// Putting the run-time into a new program image, before its first instruction.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <string>
#include <vector>

#include "run/protocol.h"

namespace incore::run {

// What programs of a word size map at kRuntimeBase.
std::vector<uint8_t> runtime_image(bool is_32bit, const Config& config);

// The program's code where the run-time has been made to start.
struct ReplacedCode {
  uint64_t program_entry, address;
  std::vector<uint8_t> bytes;
};

// A process that is stopped under ptrace on its way out of a system call, which cannot do anything
// but what it is made to do.
class StoppedProcess {
 public:
  explicit StoppedProcess(pid_t pid);

  bool is_32bit() const;

  // Behind a successful exec: it shall map the run-time and enter it. |fd| is the group's memory in
  // the process; where it is negative, the run-time comes into memory of the process alone, from
  // |image|. What this replaces is left in *out_replaced. Returns an error in words, empty if all
  // went well or the program has no code to begin with: it ends by that fault.
  std::string start_runtime(int fd, const std::vector<uint8_t>& image, ReplacedCode* out_replaced);

  // Behind one that failed: the process closes |fd| before it goes on.
  bool close_descriptor(int fd);

 private:
  bool run_over(unsigned num_borders);

  const pid_t pid_;
  user_regs_struct registers_ = {};
  bool ok_;
};

}  // namespace incore::run
