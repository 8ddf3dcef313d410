// What `incore run --trace` shows: a line for each PadLock instruction, for people on stderr, as a
// JSON object in a file.
#pragma once

#include <string>
#include <vector>

#include "incore/run.h"
#include "tools/base/output_file.h"

namespace incore::tools {

class RunTrace {
 public:
  // |name|: a file, "-" for stderr, or nowhere if empty.
  explicit RunTrace(const std::string& name) : name_(name) {}

  bool is_wanted() const { return !name_.empty(); }
  bool is_file() const { return is_wanted() && name_ != "-"; }
  // What is wrong, in words, or nothing.
  std::string open();
  // For incore_run_options: |context| is the object.
  static void add(void* context, const incore_run_call* call);
  // What is missing, in words, or nothing. |lost| calls did not come.
  std::string close(uint64_t lost);

 private:
  void add_text(const incore_run_call& call);
  void add_json(const incore_run_call& call);
  std::string& place_of(const incore_run_call& call);  // the end of its line; empty at first
  void write_lines();

  const std::string name_;
  OutputFile file_;
  std::string lines_;  // that wait to be written
  uint64_t num_lines_ = 0;
  std::vector<std::string> places_;
  std::string error_;       // of the first lines that could not be written
  uint64_t unwritten_ = 0;  // lines from there on
};

}  // namespace incore::tools
