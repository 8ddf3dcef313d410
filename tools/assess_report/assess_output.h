// Where an assessment's report goes, and in which form.
#pragma once

#include <string>
#include <vector>

#include "tools/assess_report/assess_report.h"
#include "tools/base/output_file.h"
#include "tools/base/same_file.h"

namespace incore::tools {

struct AssessOutputOptions {
  std::string out, html;  // files; empty: standard output, no page
  bool json = false, csv = false;
  int verbosity = 0;  // of the text
};

class AssessOutput {
 public:
  explicit AssessOutput(const AssessOutputOptions& options) : options_(options) {}

  // Before the work, so that a mistake is told first. What is wrong, or nothing; also an output
  // that is one of |inputs| or another output.
  std::string open(const std::vector<NamedFile>& inputs);

  // Returns an exit code. A result that cannot be written to its file is printed: it may have taken
  // long.
  int write(const AssessReport& report);

 private:
  std::string content(const AssessReport& report) const;

  const AssessOutputOptions options_;
  OutputFile out_, html_;
};

}  // namespace incore::tools
