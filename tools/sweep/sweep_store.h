// The file in which a sweep keeps what it measured, so that a sweep that was stopped goes on where
// it was: one line of JSON for each point, appended as it comes. A line that is not complete (the
// sweep was killed while it wrote) is passed over, and its point measured again.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "tools/sweep/sweep_plan.h"

namespace incore::tools {

// What a measurement gave: figures, or why such a machine does not run the program.
struct SweepOutcome {
  std::string refusal;
  uint64_t instructions = 0, cycles = 0, num_bytes = 0;
};

class SweepStore {
 public:
  SweepStore() = default;
  ~SweepStore();
  SweepStore(const SweepStore&) = delete;
  SweepStore& operator=(const SweepStore&) = delete;

  // Reads |path| if it is there, and locks it for this process. Returns an error in words.
  std::string open(const std::string& path);

  // What is known of the point of |plan|, measured with the program and simulator of |fingerprint|;
  // null if nothing is.
  const SweepOutcome* find(const SweepPlan& plan, const SweepPoint& point,
                           const std::string& fingerprint) const;
  // Appends; returns an error in words.
  std::string add(const SweepPlan& plan, const SweepPoint& point, const std::string& fingerprint,
                  const SweepOutcome& outcome);

 private:
  int fd_ = -1;
  std::string path_;
  std::unordered_map<std::string, SweepOutcome> outcomes_;  // by key_of()
};

}  // namespace incore::tools
