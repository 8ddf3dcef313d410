// What `incore run --check` found, collected and written for people or for programs.
#pragma once

#include <string>
#include <vector>

#include "incore/run.h"
#include "tools/base/json.h"

namespace incore::tools {

class Findings {
 public:
  // For incore_run_options: |context| is the object.
  static void add(void* context, const incore_run_finding* finding);

  bool empty() const { return texts_.empty(); }
  std::string text() const;  // one paragraph each, and a line with their number
  Json json() const { return entries_; }

 private:
  std::vector<std::string> texts_;
  Json entries_ = Json::array();
};

}  // namespace incore::tools
