// `incore run --compare`: a program with PadLock and without it, side by side.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "incore/run.h"
#include "tools/base/json.h"
#include "tools/run/captured_run.h"
#include "tools/run/result_search.h"
#include "tools/run/run_differences.h"

namespace incore::tools {

// Runs the program on the model, then on the same model without any PadLock unit. If outputs or
// exit codes differ, both run once more, watched: do they differ from themselves, and which results
// of PadLock instructions does the program without PadLock have in its memory?
class RunComparison {
 public:
  // |options| without on_call and on_memory. What is wrong, in words, or nothing.
  std::string run(const incore_run_options& options, const char* const* argv);

  const CapturedRun& first() const { return with_; }  // with PadLock
  bool same() const { return found_.same(); }
  const RunDifferences& found() const { return found_; }

 private:
  struct Call {
    size_t result;  // a number in |search_|
    const char* mnemonic;
    uint64_t bytes;
    unsigned place, key_bits;
    bool has_control_word, decrypts;
    bool repeats;  // the first run had that result too
  };

  struct Place {
    std::string text;
    Json members;
  };

  static void note_result(void* context, const incore_run_call* call);
  static void note_call(void* context, const incore_run_call* call);
  void judge();
  MissedCall missed_call(size_t index) const;

  RepeatedInput input_;
  CapturedRun with_;
  RunDifferences found_;
  std::set<ResultBytes> first_results_;
  std::vector<Call> calls_;
  std::vector<Place> places_;
  ResultSearch search_;
  std::vector<bool> visible_;  // by number of the result: was in memory with PadLock
};

}  // namespace incore::tools
