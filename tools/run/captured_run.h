// A run of a program whose standard input is given and whose outputs are kept, for comparisons.
#pragma once

#include <string>

#include "incore/run.h"

namespace incore::tools {

struct CapturedRun {
  incore_status status = INCORE_OK;
  incore_run_report report = {};
  std::string out, err;  // standard output and standard error of all processes
};

// Standard input as several runs get it, each from its beginning: all of it is read first. A
// terminal, or another character device, is left as it is.
class RepeatedInput {
 public:
  RepeatedInput() = default;
  ~RepeatedInput();
  RepeatedInput(const RepeatedInput&) = delete;
  RepeatedInput& operator=(const RepeatedInput&) = delete;

  std::string read();  // what is wrong, in words, or nothing
  int open() const;    // a new descriptor at its beginning; negative: standard input stays

 private:
  int memory_ = -1;
};

// incore_run(), after which signals are treated as before. |shows|: the outputs also go where they
// would have gone. |out_error| gets what is wrong, in words, or nothing.
CapturedRun run_captured(const incore_run_options& options, const char* const* argv,
                         const RepeatedInput& input, bool shows, std::string* out_error);

}  // namespace incore::tools
