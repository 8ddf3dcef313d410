#include "tools/samples/ctr_errata_report.h"

#include "tools/base/json.h"
#include "tools/base/output.h"
#include "tools/samples/ctr_encryption.h"

namespace incore::tools {

void CtrErrataReport::print(const std::string& text) const {
  if (options_.json) return;
  fmt::print("{}", text);
  flush_output();
}

std::string CtrErrataReport::interrupts_text() const {
  if (chip_.is_native()) return "the system's own interrupts";
  if (options_.interrupts == 0) return "no interrupts";
  return fmt::format("an interrupt every {} blocks on average (--seed {})", options_.interrupts,
                     options_.chip.seed);
}

void CtrErrataReport::begin(uint16_t expected_counter) {
  report_ = {{"chip", chip_.name()},
             {"emulated", !chip_.is_native()},
             {"signature", fmt::format("{:#x}", chip_.signature())},
             {"blocks", options_.blocks},
             {"tests", options_.tests},
             {"expected_counter", fmt::format("{:#06x}", expected_counter)}};
  if (!chip_.is_native()) report_["interrupt_every_blocks"] = options_.interrupts;
  print(fmt::format("Processor: {}; {}\n", chip_.title(), interrupts_text()));
  if (!chip_.is_native())
    print(fmt::format(
        "Times: of the model's clock, for the instructions and {} clocks of loop a call\n",
        kCtrLoopClocks));
  print("\nREP XCRYPTCTR: ITS ERRATUM, DETECTION AND WORK-AROUND\n\n");
}

void CtrErrataReport::timed(const std::string& what, double seconds) {
  const double bits =
      static_cast<double>(options_.tests) * static_cast<double>(options_.blocks) * 128;
  const double gbits_per_second = seconds > 0 ? bits / (1e9 * seconds) : 0;
  print(fmt::format("\t\tTime: {:6.2f} seconds {:6.2f}G bits/sec\n\n", seconds, gbits_per_second));
  report_[what] = {{"seconds", seconds}, {"gbits_per_second", gbits_per_second}};
}

void CtrErrataReport::detection(uint64_t num_failed) {
  const double percent =
      100 * static_cast<double>(num_failed) / static_cast<double>(options_.tests);
  print(fmt::format("\t\tFailure rate: {:6.2f}%\n\n", percent));
  report_["detection"] = {{"calls", static_cast<uint64_t>(options_.tests) + num_failed},
                          {"failures", num_failed},
                          {"failure_percent", percent},
                          {"work_around_works", true}};
}

void CtrErrataReport::workaround(uint64_t num_repeated, double share) {
  const double cost = 100 * (share - 1);
  report_["with_detection"]["repeated_calls"] = num_repeated;
  report_["with_detection"]["cost_percent"] = cost;
  print(fmt::format("\t\t{} calls repeated, {:.2f}% more time than without detection\n\n",
                    num_repeated, cost));
}

void CtrErrataReport::end(bool has_erratum, bool right) {
  report_["has_erratum"] = has_erratum;
  if (!chip_.is_native()) report_["interrupts"] = incore_padlock_num_interrupts(chip_.get());
  if (options_.json) fmt::print("{}", json_text(report_));
  if (right)
    print(
        fmt::format("This processor {} the CTR erratum.\n", has_erratum ? "has" : "does not have"));
}

}  // namespace incore::tools
