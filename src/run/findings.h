// What `--check` has found in a run, in all its processes: one entry for each place and rule.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "run/code_place.h"
#include "run/protocol.h"

namespace incore::run {

struct Finding {
  CheckReport report;  // the first one
  pid_t pid;           // that made it
  CodePlace place;
};

class Findings {
 public:
  // Index of the entry for |report|, which may be new; kMaxFindings if there is no room for it. The
  // process |pid| waits meanwhile, so its memory can be looked at.
  unsigned add(pid_t pid, const CheckReport& report);

  const std::vector<Finding>& all() const { return findings_; }

 private:
  using Key = std::tuple<std::string, uint64_t, unsigned, unsigned, unsigned>;
  std::map<Key, unsigned> known_;  // file, offset, check, rule, operand
  std::vector<Finding> findings_;
};

}  // namespace incore::run
