// The reports of `incore run`, on stderr or in files.
#pragma once

#include <string>

#include "tools/base/output_file.h"
#include "tools/run/run_differences.h"
#include "tools/run/run_findings.h"
#include "tools/run/run_trace.h"

namespace incore::tools {

// Files are opened before the program runs, so that a mistake is told first.
class RunReports {
 public:
  // Where these options' reports go: a file, "-" for stderr, or nowhere if empty.
  struct Names {
    std::string stats, check, trace, compare;
  };
  explicit RunReports(const Names& names) : trace(names.trace), names_(names) {}

  RunTrace trace;

  // What is wrong, in words, or nothing. |program| must not be one of the files.
  std::string open(const std::string& program);
  // Prints and writes what was counted and found, in a comparison too unless that is null. What
  // could not be written, or nothing.
  std::string tell(const incore_run_report& report, const Findings& findings,
                   const RunDifferences* differences);

 private:
  const Names names_;
  OutputFile stats_, check_, compare_;
};

}  // namespace incore::tools
