#include "cli/help_format.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace incore::cli {

// The parser would show the value that a flag has without one: `--stats{-}`.
std::string HelpFormat::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  const size_t begin = name.find('{'), end = name.find('}');
  return end == std::string::npos ? name : name.replace(begin, end + 1 - begin, "[=FILE]");
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  std::string text = CLI::Formatter::make_option_opts(option);
  for (const char* list : {" Needs:", " Excludes:"})
    text.erase(std::min(text.find(list), text.size()));
  return text;
}

}  // namespace incore::cli
