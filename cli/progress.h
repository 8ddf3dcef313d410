// Progress of long work, on stderr, only where that is a terminal and only after the first second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace incore::cli {

class Progress {
 public:
  // |total_bytes| 0: not known.
  Progress(std::string what, uint64_t total_bytes);
  ~Progress();  // clears the line
  Progress(const Progress&) = delete;

  // |done_bytes| since the start.
  void update(uint64_t done_bytes);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  uint64_t total_bytes_;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point start_, next_;
};

}  // namespace incore::cli
