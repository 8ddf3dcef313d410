// An assessment that a user watches and may stop.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "incore/assess.h"
#include "tools/assess_report/assess_report.h"

namespace incore::tools {

class Assessment {
 public:
  Assessment();
  ~Assessment();
  Assessment(const Assessment&) = delete;

  // All return an error in words, empty if all went well. |options|' progress is ours.
  std::string begin(incore_assess_options options);
  std::string update(std::span<const uint8_t> bytes);
  // Shows progress under |title|. An interruption stops it, unless there was one before: then only
  // a second signal counts, and it ends the program.
  std::string finish(const std::string& title);

  // After finish(). |input| lacks only the options, which are those that were used. If finish() was
  // stopped, the input counts as partial.
  AssessReport report(AssessInput input) const;

 private:
  struct Finishing;
  static int report_progress(void* context, const char* what, double share);

  struct Free {
    void operator()(incore_assess* assess) const { incore_assess_free(assess); }
  };
  std::unique_ptr<incore_assess, Free> assess_;
  std::unique_ptr<Finishing> finishing_;  // while finish() works
};

}  // namespace incore::tools
