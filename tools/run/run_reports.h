// The reports of `incore run`, on stderr or in files.
#pragma once

#include <string>

#include "tools/base/output_file.h"
#include "tools/run/run_findings.h"
#include "tools/run/run_trace.h"

namespace incore::tools {

// Files are opened before the program runs, so that a mistake is told first.
class RunReports {
 public:
  // Where --stats, --check and --trace go: a file, "-" for stderr, or nowhere if empty.
  RunReports(const std::string& stats, const std::string& check, const std::string& trace_name)
      : trace(trace_name), stats_name_(stats), check_name_(check), trace_name_(trace_name) {}

  RunTrace trace;

  // What is wrong, in words, or nothing. |program| must not be one of the files.
  std::string open(const std::string& program);
  // Prints and writes what was counted and found. What could not be written, or nothing.
  std::string tell(const incore_run_report& report, const Findings& findings);

 private:
  static std::string write(const char* option, OutputFile& file, const std::string& text);

  const std::string stats_name_, check_name_, trace_name_;
  OutputFile stats_, check_;
};

}  // namespace incore::tools
