#include "tools/assess_report/assess_suites.h"

#include <fmt/format.h>

#include "incore/assess.h"

namespace incore::tools {
namespace {

std::vector<incore_assess_suite> suites() {
  std::vector<incore_assess_suite> all;
  incore_assess_suite suite;
  for (size_t i = 0; incore_assess_get_suite(i, &suite) == INCORE_OK; ++i) all.push_back(suite);
  return all;
}

}  // namespace

std::vector<std::string> assess_suite_names() {
  std::vector<std::string> names;
  for (const incore_assess_suite& suite : suites()) names.push_back(suite.name);
  return names;
}

std::string assess_suites_text() {
  std::string text;
  for (const incore_assess_suite& suite : suites())
    text += fmt::format("{:<15} {}{}\n{:16}{}\n", suite.name, suite.title,
                        suite.by_default != 0 ? "" : " (only if asked for)", "", suite.source);
  return text;
}

bool takes_suite(const std::string& list, const std::string& name) {
  for (const incore_assess_suite& suite : suites()) {
    const std::string known = suite.name;
    const bool taken =
        list == "all" || (list.empty() ? suite.by_default != 0
                                       : ("," + list + ",").find("," + known + ",") != list.npos);
    if (taken && known.starts_with(name)) return true;
  }
  return false;
}

}  // namespace incore::tools
