#include "tools/run/run_reports.h"

#include <cstdio>

#include "tools/base/json.h"
#include "tools/base/same_file.h"
#include "tools/run/run_stats.h"

namespace incore::tools {
namespace {

bool is_file(const std::string& name) {
  return !name.empty() && name != "-";
}

}  // namespace

std::string RunReports::open(const std::string& program) {
  std::vector<NamedFile> files;
  if (is_file(stats_name_)) files.push_back({"--stats", stats_name_});
  if (is_file(check_name_)) files.push_back({"--check", check_name_});
  if (is_file(trace_name_)) files.push_back({"--trace", trace_name_});
  if (std::string error = shared_file({{"PROGRAM", program}}, files); !error.empty()) return error;
  for (const NamedFile& file : files) {
    const std::string error = file.option == "--stats"   ? stats_.open(file.path)
                              : file.option == "--check" ? check_.open(file.path)
                                                         : trace.open();
    if (!error.empty()) return file.option + ": " + error;
  }
  return "";
}

std::string RunReports::tell(const incore_run_report& report, const Findings& findings) {
  std::string error;
  if (is_file(stats_name_))
    error = write("--stats", stats_, run_stats_json(report));
  else if (!stats_name_.empty())
    std::fputs(run_stats_text(report).c_str(), stderr);
  if (!error.empty()) return error;
  if (is_file(check_name_)) {
    const Json found = {
        {"model", report.model}, {"exit_code", report.exit_code}, {"findings", findings.json()}};
    return write("--check", check_, json_text(found));
  }
  if (!findings.silent()) std::fputs(findings.text().c_str(), stderr);
  return "";
}

std::string RunReports::write(const char* option, OutputFile& file, const std::string& text) {
  const std::string error = file.commit(text);
  return error.empty() ? "" : std::string(option) + ": " + error;
}

}  // namespace incore::tools
