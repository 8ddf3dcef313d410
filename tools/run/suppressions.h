// Findings of `incore run --check` that are known and accepted, from a file with a line for each:
//
//     # check           function     module     reason
//     keystream-reuse   test_ctr     *          the test repeats a vector on purpose
//
// The first three are patterns as of a shell; a module may be named without its folders. The reason
// is everything behind them and may not be missing.
#pragma once

#include <string>
#include <vector>

#include "incore/run.h"

namespace incore::tools {

class Suppressions {
 public:
  // Reads the file |path|. What is wrong, in words; empty if all is well.
  std::string read(const std::string& path);
  // The same for the text of a file called |name|.
  std::string parse(const std::string& text, const std::string& name);

  // The reason to accept |finding|, null if there is none. The first line that fits counts.
  const std::string* reason(const incore_run_finding& finding);
  // The lines that fitted nothing, a line of text for each.
  std::string unused() const;

 private:
  struct Line {
    std::string place;  // FILE:NUMBER
    std::string check, function, module, reason;
    bool used = false;
  };
  std::vector<Line> lines_;
};

}  // namespace incore::tools
