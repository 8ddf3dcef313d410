// SIGINT and SIGTERM as something to ask for, so that long work ends in good order; and SIGPIPE
// kept away, so that a closed pipe is an error like others.
#pragma once

#include <string>

namespace incore::tools {

// While one lives, the signals only leave a mark. One at a time.
class InterruptGuard {
 public:
  // What a signal does that comes a second time: leaves its mark, or ends the program at once.
  enum class Second { marks, ends };
  explicit InterruptGuard(Second second = Second::marks);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
};

// The first signal that came; 0: none.
int interrupt_signal();
inline bool interrupted() {
  return interrupt_signal() != 0;
}
// What a shell calls the end by that signal: 130, 143.
inline int interrupt_exit_code() {
  return 128 + interrupt_signal();
}

// Waits until |fd| is ready for |events| (poll), |timeout_seconds| have passed (0: for ever) or an
// interruption comes.
enum class Ready { yes, timeout, interrupted, error };  // error: errno
Ready wait_until_ready(int fd, short events, double timeout_seconds);

}  // namespace incore::tools
