#include "tools/base/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

namespace incore::tools {

Progress::Progress(std::string what, uint64_t total)
    : what_(std::move(what)),
      total_(total),
      on_terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      next_(start_ + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

// Whether it is time to show something.
bool Progress::is_due() {
  const Clock::time_point now = Clock::now();
  if (!on_terminal_ || now < next_) return false;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  return true;
}

void Progress::update(uint64_t done_bytes) {
  if (!is_due()) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double mebibytes = static_cast<double>(done_bytes) / (1 << 20);
  std::string share, left;
  if (total_ != 0) {
    const double done = static_cast<double>(done_bytes) / static_cast<double>(total_);
    share = fmt::format("{:3.0f} %, ", 100 * done);
    if (done > 0 && done < 1) left = fmt::format(", {:.0f} s left", seconds / done - seconds);
  }
  fmt::print(stderr, "\r\x1b[K{}: {}{:.0f} MiB, {:.0f} MiB/s{}", what_, share, mebibytes,
             mebibytes / seconds, left);
  std::fflush(stderr);
}

void Progress::update_count(uint64_t done, const std::string& now) {
  if (!is_due()) return;
  fmt::print(stderr, "\r\x1b[K{}: {} of {}, {}", what_, done, total_, now);
  std::fflush(stderr);
}

void Progress::update_share(const std::string& now, double share) {
  if (!is_due()) return;
  fmt::print(stderr, "\r\x1b[K{}: {}, {:.0f} %", what_, now, 100 * share);
  std::fflush(stderr);
}

}  // namespace incore::tools
