// What `--check` has found in a run, in all its processes: one entry for each place and rule.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>
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

// Findings on their way from one process to another, of the same program. What does not make sense
// at the end of |bytes| is left out.
std::string to_bytes(const std::vector<Finding>& findings);
std::vector<Finding> to_findings(std::string_view bytes);

}  // namespace incore::run
