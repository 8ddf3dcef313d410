// The seccomp filter under which a program runs: what it brings to the run-time (SIGSYS) and what
// to the supervisor.
#pragma once

namespace incore::run {

// Installs the filter on the calling thread and returns the descriptor on which its notifications
// arrive, or a negative errno. After that the caller must not call rt_sigaction or rt_sigprocmask:
// without the run-time they are fatal.
int install_filter();

}  // namespace incore::run
