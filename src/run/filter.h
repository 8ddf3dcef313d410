// The seccomp filters under which programs run: what they bring to the run-time (SIGSYS) and what
// to the supervisor.
#pragma once

#include <sys/socket.h>

namespace incore::run {

enum class Filter {
  padlock,  // for programs with the run-time in them
  watched,  // the same; also what hands out data or gives memory back comes to the supervisor
  power,    // exec alone comes to the supervisor
};

// With these flags sendmsg() always passes: so the listener itself is sent. Local sockets ignore
// them.
inline constexpr int kSendsListener = MSG_CONFIRM;

// Installs the filter on the calling thread and returns the descriptor on which its notifications
// arrive, or a negative errno. After the first two the caller must not call rt_sigaction or
// rt_sigprocmask: without the run-time they are fatal.
int install_filter(Filter filter);

}  // namespace incore::run
