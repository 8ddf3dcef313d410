// What a run of CTR_ERRATA shows: lines as it goes, or all of it as JSON at the end.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

#include "tools/base/json.h"
#include "tools/samples/ctr_errata.h"
#include "tools/samples/padlock_chip.h"

namespace incore::tools {

class CtrErrataReport {
 public:
  // Both must outlive the report.
  CtrErrataReport(const ErrataOptions& options, PadlockChip& chip)
      : options_(options), chip_(chip) {}

  void begin(uint16_t expected_counter);
  // A line that says what comes now, indented.
  template <class... Parts>
  void step(fmt::format_string<Parts...> text, Parts&&... parts) {
    print("\t" + fmt::format(text, std::forward<Parts>(parts)...) + "\n");
  }
  // The time of all calls of the step |what|.
  void timed(const std::string& what, double seconds);
  void first_block(const std::string& hex) { report_["first_block"] = hex; }
  // |num_failed| calls were repeated.
  void detection(uint64_t num_failed);
  void detection_fails() { report_["detection"] = {{"work_around_works", false}}; }
  // |share| is the time with detection by that without.
  void workaround(uint64_t num_repeated, double share);
  // The end; |right| is whether the work-around works.
  void end(bool has_erratum, bool right);

 private:
  void print(const std::string& text) const;
  std::string interrupts_text() const;

  const ErrataOptions& options_;
  PadlockChip& chip_;
  Json report_;
};

}  // namespace incore::tools
