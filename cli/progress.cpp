#include "progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

namespace incore::cli {

Progress::Progress(std::string what, uint64_t total_bytes)
    : what_(std::move(what)),
      total_bytes_(total_bytes),
      on_terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      next_(start_ + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::update(uint64_t done_bytes) {
  if (!on_terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double mebibytes = static_cast<double>(done_bytes) / (1 << 20);
  std::string share;
  if (total_bytes_ != 0)
    share = fmt::format(
        "{:3.0f} %, ", 100.0 * static_cast<double>(done_bytes) / static_cast<double>(total_bytes_));
  fmt::print(stderr, "\r\x1b[K{}: {}{:.0f} MiB, {:.0f} MiB/s", what_, share, mebibytes,
             mebibytes / seconds);
  std::fflush(stderr);
}

}  // namespace incore::cli
