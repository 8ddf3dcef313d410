// The seccomp filters under which programs run: what they bring to the run-time (SIGSYS) and what
// to the supervisor.
#pragma once

#include <sys/socket.h>

namespace incore::run {

struct Filter {
  // Exec alone comes to the supervisor; else it is for programs with the run-time in them.
  bool for_power = false;
  // What also comes to the supervisor of such programs:
  bool watched = false;  // what hands out data or gives memory back
  bool seeded = false;   // getrandom and read
};

// With these flags sendmsg() always passes: so the listener itself is sent. Local sockets ignore
// them.
inline constexpr int kSendsListener = MSG_CONFIRM;

// Installs the filter on the calling thread and returns the descriptor on which its notifications
// arrive, or a negative errno. After one not for Power the caller must not call
// rt_sigaction or rt_sigprocmask: without the run-time they are fatal.
int install_filter(const Filter& filter);

}  // namespace incore::run
