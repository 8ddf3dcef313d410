#include "tools/base/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>

namespace incore::tools {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};

volatile std::sig_atomic_t first_signal = 0;
// The handler writes here, so that a poll sees the signal even if it came just before.
int wake_pipe[2] = {-1, -1};
struct sigaction actions_before[2], pipe_before;

// Async-signal-safe.
void mark(int signal) {
  const int saved_errno = errno;
  if (first_signal == 0) first_signal = signal;
  const char byte = 0;
  [[maybe_unused]] const ssize_t ignored = write(wake_pipe[1], &byte, 1);
  errno = saved_errno;
}

}  // namespace

InterruptGuard::InterruptGuard(Second second) {
  first_signal = 0;
  if (pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) != 0) wake_pipe[0] = wake_pipe[1] = -1;
  struct sigaction action = {};
  action.sa_handler = mark;  // without SA_RESTART: a call that waits returns
  if (second == Second::ends) action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &actions_before[i]);
    // A shell starts what runs in the background with SIGINT ignored.
    if (actions_before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
  action = {};
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &pipe_before);
}

InterruptGuard::~InterruptGuard() {
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &actions_before[i], nullptr);
  sigaction(SIGPIPE, &pipe_before, nullptr);
  for (int& end : wake_pipe) {
    if (end >= 0) close(end);
    end = -1;
  }
}

int interrupt_signal() {
  return first_signal;
}

Ready wait_until_ready(int fd, short events, double timeout_seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  for (;;) {
    if (interrupted()) return Ready::interrupted;
    int timeout_ms = -1;
    if (timeout_seconds > 0) {
      const double left =
          timeout_seconds - std::chrono::duration<double>(Clock::now() - start).count();
      if (left <= 0) return Ready::timeout;
      timeout_ms = static_cast<int>(std::min(left * 1000 + 1, 1e9));
    }
    pollfd polled[2] = {{fd, events, 0}, {wake_pipe[0], POLLIN, 0}};
    const int n = poll(polled, 2, timeout_ms);
    if (n < 0 && errno != EINTR) return Ready::error;
    if (n > 0 && polled[0].revents != 0) return interrupted() ? Ready::interrupted : Ready::yes;
  }
}

}  // namespace incore::tools
