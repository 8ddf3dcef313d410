#include "tools/run/run_reports.h"

#include <cstdio>
#include <utility>

#include "tools/base/json.h"
#include "tools/base/same_file.h"
#include "tools/run/run_stats.h"

namespace incore::tools {
namespace {

bool is_file(const std::string& name) {
  return !name.empty() && name != "-";
}

// An error in words.
std::string write(const char* option, OutputFile& file, const std::string& text) {
  const std::string error = file.commit(text);
  return error.empty() ? "" : std::string(option) + ": " + error;
}

}  // namespace

std::string RunReports::open(const std::string& program) {
  std::vector<NamedFile> files;
  for (const auto& [option, name] :
       {std::pair("--stats", &names_.stats), std::pair("--check", &names_.check),
        std::pair("--trace", &names_.trace), std::pair("--compare", &names_.compare)})
    if (is_file(*name)) files.push_back({option, *name});
  if (std::string error = shared_file({{"PROGRAM", program}}, files); !error.empty()) return error;
  for (const NamedFile& file : files) {
    const std::string error = file.option == "--stats"   ? stats_.open(file.path)
                              : file.option == "--check" ? check_.open(file.path)
                              : file.option == "--trace" ? trace.open()
                                                         : compare_.open(file.path);
    if (!error.empty()) return file.option + ": " + error;
  }
  return "";
}

std::string RunReports::tell(const incore_run_report& report, const Findings& findings,
                             const RunDifferences* differences) {
  std::string error;
  if (is_file(names_.stats))
    error = write("--stats", stats_, run_stats_json(report));
  else if (!names_.stats.empty())
    std::fputs(run_stats_text(report).c_str(), stderr);
  if (!error.empty()) return error;
  if (is_file(names_.check)) {
    const Json found = {
        {"model", report.model}, {"exit_code", report.exit_code}, {"findings", findings.json()}};
    error = write("--check", check_, json_text(found));
  } else if (!findings.silent()) {
    std::fputs(findings.text().c_str(), stderr);
  }
  if (!error.empty() || differences == nullptr) return error;
  if (is_file(names_.compare)) return write("--compare", compare_, differences->json());
  std::fputs(differences->text().c_str(), stderr);
  return "";
}

}  // namespace incore::tools
