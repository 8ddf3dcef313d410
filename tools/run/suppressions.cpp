#include "tools/run/suppressions.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <sstream>

#include "tools/base/input_file.h"
#include "tools/base/quote.h"

namespace incore::tools {
namespace {

bool fits(const std::string& pattern, const char* name) {
  return fnmatch(pattern.c_str(), name != nullptr ? name : "", 0) == 0;
}

bool fits_module(const std::string& pattern, const char* module) {
  const std::string path = module != nullptr ? module : "";
  return fits(pattern, path.c_str()) || fits(pattern, path.substr(path.rfind('/') + 1).c_str());
}

// A pattern that no check's name fits is a misspelt one.
bool fits_a_check(const std::string& pattern) {
  for (unsigned i = 0; incore_run_check_name(i) != nullptr; ++i)
    if (fits(pattern, incore_run_check_name(i))) return true;
  return false;
}

}  // namespace

std::string Suppressions::read(const std::string& path) {
  std::string text;
  if (const std::string error = read_input_file(path, &text); !error.empty())
    return in_quotes(path) + ": " + error;
  return parse(text, path);
}

std::string Suppressions::parse(const std::string& text, const std::string& name) {
  std::istringstream all(text);
  std::string text_line;
  for (unsigned number = 1; std::getline(all, text_line); ++number) {
    std::istringstream words(text_line);
    Line line = {fmt::format("{}:{}", quoted_if_needed(name), number), {}, {}, {}, {}};
    if (!(words >> line.check) || line.check[0] == '#') continue;
    words >> line.function >> line.module >> std::ws;
    std::getline(words, line.reason);
    if (line.reason.empty())
      return line.place + ": a line is CHECK FUNCTION MODULE REASON, where * stands for anything";
    if (!fits_a_check(line.check))
      return fmt::format("{}: no check is called {}", line.place, in_quotes(line.check));
    lines_.push_back(std::move(line));
  }
  return "";
}

const std::string* Suppressions::reason(const incore_run_finding& finding) {
  for (Line& line : lines_) {
    if (!fits(line.check, finding.check) || !fits(line.function, finding.function) ||
        !fits_module(line.module, finding.module))
      continue;
    line.used = true;
    return &line.reason;
  }
  return nullptr;
}

std::string Suppressions::unused() const {
  std::string text;
  for (const Line& line : lines_)
    if (!line.used) text += line.place + ": nothing was found that it fits\n";
  return text;
}

}  // namespace incore::tools
