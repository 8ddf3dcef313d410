#include "tools/bench/bench_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/base/json.h"
#include "tools/bench/bench_task.h"
#include "tools/bench/governor.h"

namespace incore::tools {
namespace {

// One family may be asked for by several of its operations: their rows come together.
void add_report(const Json& report, Json* inout_all) {
  if (inout_all->contains("rows"))
    for (const Json& row : report["rows"]) (*inout_all)["rows"].push_back(row);
  else
    *inout_all = report;
}

void add_warning(const std::string& warning, std::vector<std::string>* inout_warnings) {
  if (!warning.empty() &&
      std::find(inout_warnings->begin(), inout_warnings->end(), warning) == inout_warnings->end())
    inout_warnings->push_back(warning);
}

}  // namespace

int run_benches(const std::vector<BenchChoice>& chosen, BenchOptions options, bool print,
                Json* out_reports, std::vector<std::string>* out_warnings) {
  *out_reports = Json::object();
  int code = kDone;
  for (const auto& [bench, operations] : chosen) {
    options.operations = operations;
    std::string text;
    Json report;
    code = std::max(code, bench->family != nullptr ? run_tasks(*bench, options, &report, &text)
                                                   : bench->run(options, &report, &text));
    if (report.contains("governor"))
      add_warning(
          governor_warning(report["governor"].text(), static_cast<int>(report["cpu"].integer())),
          out_warnings);
    add_report(report, &(*out_reports)[bench->name]);
    if (print) fmt::print("{}", text);
  }
  return code;
}

}  // namespace incore::tools
