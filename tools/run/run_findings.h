// What `incore run --check` found, collected and written for people or for programs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "incore/run.h"
#include "tools/base/json.h"
#include "tools/run/suppressions.h"

namespace incore::tools {

class Findings {
 public:
  // |command|: by which they were found.
  explicit Findings(std::string command = "incore run") : command_(std::move(command)) {}

  // For incore_run_options: |context| is the object.
  static void add(void* context, const incore_run_finding* finding);

  Suppressions suppressions;  // what they fit is in the JSON with the reason, and only counted here

  bool empty() const { return texts_.empty(); }      // but for what is suppressed
  bool silent() const { return by_check_.empty(); }  // nothing at all was found
  std::string text() const;                          // one paragraph each, and a summary by check
  Json json() const { return entries_; }

 private:
  struct Counts {
    size_t places = 0, suppressed = 0;
    uint64_t times = 0;  // at the places that are not suppressed
  };

  const std::string command_;
  std::vector<std::string> texts_;
  std::map<std::string, Counts> by_check_;
  Json entries_ = Json::array();
};

}  // namespace incore::tools
