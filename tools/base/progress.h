// Progress of long work, on stderr, only where that is a terminal and only after the first second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace incore::tools {

class Progress {
 public:
  // |total| in bytes, or in what update_count() counts; 0: not known.
  Progress(std::string what, uint64_t total);
  ~Progress();  // clears the line
  Progress(const Progress&) = delete;

  // |done_bytes| since the start.
  void update(uint64_t done_bytes);
  // |done| of the total are done, and |now| is being done.
  void update_count(uint64_t done, const std::string& now);
  // |now| is being done, of which |share| (0 to 1) is behind us.
  void update_share(const std::string& now, double share);

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due();
  std::string what_;
  uint64_t total_;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point start_, next_;
};

}  // namespace incore::tools
