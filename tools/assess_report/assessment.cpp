#include "tools/assess_report/assessment.h"

#include <utility>

#include "tools/base/interrupt.h"
#include "tools/base/progress.h"
#include "tools/base/require_ok.h"

namespace incore::tools {
namespace {

// What went wrong: |reason|, if there is one.
std::string words_for(incore_status status, const char* reason) {
  if (status == INCORE_OK) return "";
  return *reason != '\0' ? reason : incore_status_message(status);
}

}  // namespace

struct Assessment::Finishing {
  Progress progress;
  bool was_interrupted;  // before
};

Assessment::Assessment() = default;
Assessment::~Assessment() = default;

int Assessment::report_progress(void* context, const char* what, double share) {
  Finishing* const finishing = static_cast<Assessment*>(context)->finishing_.get();
  if (finishing == nullptr) return 0;  // still reading
  finishing->progress.update_share(what, share);
  return !finishing->was_interrupted && interrupted();
}

std::string Assessment::begin(incore_assess_options options) {
  options.progress = report_progress;
  options.context = this;
  char reason[512] = "";
  incore_assess* made = nullptr;
  const incore_status status = incore_assess_new(&options, &made, reason, sizeof reason);
  if (status == INCORE_OK) assess_.reset(made);
  return words_for(status, reason);
}

std::string Assessment::update(std::span<const uint8_t> bytes) {
  char reason[256] = "";
  const incore_status status =
      incore_assess_update(assess_.get(), bytes.data(), bytes.size(), reason, sizeof reason);
  return words_for(status, reason);
}

std::string Assessment::finish(const std::string& title) {
  finishing_.reset(new Finishing{Progress(title, 0), interrupted()});
  const incore_status status = incore_assess_finish(assess_.get());
  finishing_.reset();
  return status == INCORE_OK ? "" : "not enough memory for the results";
}

AssessReport Assessment::report(AssessInput input) const {
  require_ok(incore_assess_get_options(assess_.get(), &input.options));
  AssessReport report = read_assessment(assess_.get(), std::move(input));
  if (report.summary.stopped != 0)
    report.input.partial += std::string(report.input.partial.empty() ? "" : "; ") +
                            "interrupted: tests that take long are not finished";
  return report;
}

}  // namespace incore::tools
