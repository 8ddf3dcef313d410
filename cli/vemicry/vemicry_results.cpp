// `incore vemicry results`: what the VeMICry paper printed, beside what our programs take on the
// paper's machine.
#include <fmt/core.h>

#include <memory>

#include "cli/command.h"
#include "tools/base/json.h"
#include "tools/vemicry/paper_figures.h"

namespace incore::cli {
namespace {

int results(bool json) {
  std::vector<std::string> mistakes;
  const Json figures = paper_figures(&mistakes);
  if (json)
    fmt::print("{}", json_text(figures));
  else
    print_paper_figures(figures);
  for (const std::string& unmet : unmet_figures(figures)) mistakes.push_back(unmet);
  for (const std::string& mistake : mistakes) fail(kDiffers, mistake);
  return mistakes.empty() ? kDone : kDiffers;
}

}  // namespace

Command vemicry_results_command() {
  auto json = std::make_shared<bool>(false);
  return {
      .name = "results",
      .summary = "the paper's figures beside those of our programs",
      .options = {flag("--json", json.get(), "print JSON")},
      .about = "Every program runs, and what it leaves is checked.",
      .examples = {"incore vemicry results",
                   "incore vemicry results --json | jq '.figures[].what'"},
      .exit_codes = {{"0", "done"},
                     {"1", "a result was wrong, or an exact figure is not met"},
                     {"2", "bad usage"}},
      .run = [json] { return results(*json); },
  };
}

}  // namespace incore::cli
