// What `incore run --check` found, collected and written for people or for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "incore/run.h"

namespace incore::tools {

class Findings {
 public:
  // For incore_run_options: |context| is the object.
  static void add(void* context, const incore_run_finding* finding);

  bool empty() const { return texts_.empty(); }
  std::string text() const;  // one paragraph each, and a line with their number
  nlohmann::ordered_json json() const { return entries_; }

 private:
  std::vector<std::string> texts_;
  nlohmann::ordered_json entries_ = nlohmann::ordered_json::array();
};

}  // namespace incore::tools
