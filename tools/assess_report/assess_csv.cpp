// An assessment as CSV: one row for each result.
#include <fmt/format.h>

#include "tools/assess_report/assess_report.h"
#include "tools/base/csv.h"

namespace incore::tools {

std::string assess_csv(const AssessReport& report) {
  std::string csv =
      "input,suite,test,variant,verdict,p_value,statistic,min_entropy,text,figures,partial,"
      "overall\r\n";
  for (const incore_assess_result& result : report.results) {
    std::string figures;
    for (size_t i = 0; i < result.num_figures; ++i)
      figures += fmt::format("{}{}={}", i == 0 ? "" : "; ", result.figures[i].name,
                             exact_text(result.figures[i].value, ""));
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\r\n", csv_field(report.input.name),
                       csv_field(result.suite), csv_field(result.test), csv_field(result.variant),
                       incore_verdict_name(result.verdict), exact_text(result.p_value, ""),
                       exact_text(result.statistic, ""), exact_text(result.min_entropy, ""),
                       csv_field(result.text), csv_field(figures), csv_field(report.input.partial),
                       incore_verdict_name(report.summary.verdict));
  }
  return csv;
}

}  // namespace incore::tools
