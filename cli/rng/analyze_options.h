// The options of `incore rng analyze`.
#pragma once

#include <string>
#include <vector>

#include "cli/option.h"
#include "incore/assess.h"
#include "tools/assess_report/assess_output.h"
#include "tools/random/rng_source.h"

namespace incore::cli {

struct AnalyzeOptions {
  static constexpr const char* kUsualLiveSize = "16M";

  tools::SourceOptions source;
  std::string file = "-", generator, suites, size, skip;
  incore_assess_options assess = {};
  bool list_suites = false;
  tools::AssessOutputOptions output;

  // What is wrong with an option for suites that are not among the user's; empty: there is none.
  std::string idle_option() const;
};

std::vector<Option> analyze_options(AnalyzeOptions* options);

}  // namespace incore::cli
