// Putting the run-time into a new program image, before its first instruction.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "run/mappings.h"
#include "run/process_image.h"
#include "run/protocol.h"

namespace incore::run {

// What programs of a word size map at kRuntimeBase.
std::vector<uint8_t> runtime_image(bool is_32bit, const Config& config);

// Why a program could not map the run-time, from its errno.
std::string start_error(int error);

// A process that is stopped under ptrace on its way out of a system call, which cannot do anything
// but what it is made to do.
class StoppedProcess {
 public:
  explicit StoppedProcess(pid_t pid);

  bool is_32bit() const;
  uint64_t next_instruction() const { return registers_.rip; }

  // Behind a successful exec: it shall map the run-time and enter it, with |info|. |fd| is the
  // group's memory in the process; where it is negative, the run-time comes into memory of the
  // process alone, from |image|. Returns an error in words, empty if all went well or the program
  // has no code to begin with: it ends by that fault.
  std::string start_runtime(const ProcessMemory& memory, std::span<const Mapping> mappings,
                            StartInfo info, int fd, const std::vector<uint8_t>& image);

  // Behind one that failed: the process closes |fd| before it goes on.
  bool close_descriptor(int fd);

 private:
  bool run_over(unsigned num_borders);

  const pid_t pid_;
  user_regs_struct registers_ = {};
  bool ok_;
};

}  // namespace incore::run
