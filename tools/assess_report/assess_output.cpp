#include "tools/assess_report/assess_output.h"

#include <fmt/format.h>

#include "tools/base/colour.h"
#include "tools/base/exit.h"

namespace incore::tools {

std::string AssessOutput::open(const std::vector<NamedFile>& inputs) {
  std::vector<NamedFile> outputs = {options_.out.empty() ? NamedFile{"standard output", "-"}
                                                         : NamedFile{"--out", options_.out}};
  if (!options_.html.empty()) outputs.push_back({"--html", options_.html});
  std::string error = shared_file(inputs, outputs);
  if (error.empty()) error = options_.out.empty() ? out_.open_stdout() : out_.open(options_.out);
  if (error.empty() && !options_.html.empty()) error = html_.open(options_.html);
  return error;
}

std::string AssessOutput::content(const AssessReport& report) const {
  if (options_.json) return assess_json(report);
  if (options_.csv) return assess_csv(report);
  return assess_text(report, options_.verbosity, options_.out.empty() && stdout_has_colours());
}

int AssessOutput::write(const AssessReport& report) {
  const std::string text = content(report);
  int code = kDone;
  if (const std::string error = out_.commit(text); !error.empty()) {
    code = fail(kBadInput, error);
    if (!options_.out.empty()) fmt::print("{}", text);
  }
  if (!options_.html.empty())
    if (const std::string error = html_.commit(assess_html(report)); !error.empty())
      code = fail(kBadInput, error);
  return code;
}

}  // namespace incore::tools
