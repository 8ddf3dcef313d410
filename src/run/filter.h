// The seccomp filters under which programs run: what they bring to the run-time (SIGSYS) and what
// to the supervisor.
#pragma once

namespace incore::run {

enum class Filter {
  padlock,  // for programs with the run-time in them
  power,    // exec alone comes to the supervisor
};

// Installs the filter on the calling thread and returns the descriptor on which its notifications
// arrive, or a negative errno. After Filter::padlock the caller must not call rt_sigaction or
// rt_sigprocmask: without the run-time they are fatal.
int install_filter(Filter filter);

}  // namespace incore::run
