// An exec of a PowerPC program by a process below `incore run` becomes an exec of the emulator with
// that program. The process stands in the system call, and its notification is not answered yet.
#pragma once

#include <linux/seccomp.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/qemu/emulator.h"

namespace incore::run::qemu {

// What a process asks of execve or execveat.
struct ExecCall {
  pid_t pid;                        // of the thread
  std::string path;                 // where this process finds the file
  std::string inside;               // where the other one does
  uint64_t environment;             // addresses there: of the environment and
  std::vector<uint64_t> arguments;  // of the arguments
  std::string name;                 // the first argument
};

// Reads the call that |notification| is about. Nothing if it cannot succeed, or is not that of
// 64-bit code.
std::optional<ExecCall> read_exec_call(const seccomp_notif& notification);

// A system call with this in the upper half of its sixth argument, of which execve has none, passes
// the filter.
inline constexpr uint32_t kRedirectedExec = 0x1C0DEEEC;

// What redirect_exec needs of the supervisor.
struct RedirectHooks {
  std::function<void(int)> respond;           // answers the notification with a negative errno
  std::function<void(pid_t, int)> note_exit;  // a child has ended with this status
};

// Makes the process execute |command| followed by the arguments of |call| but the first. Returns an
// error in words, empty if all went well; the notification has been answered in any case.
std::string redirect_exec(const ExecCall& call, const Emulator::Command& command,
                          const RedirectHooks& hooks);

}  // namespace incore::run::qemu
