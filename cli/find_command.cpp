#include "cli/find_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/parser.h"
#include "tools/base/quote.h"
#include "tools/base/suggest.h"

namespace incore::cli {
namespace {

Texts names_of(const Command& command) {
  Texts names;
  for (const NamedCommand& each : command.commands) names.push_back(each.name);
  return names;
}

// Goes from |found| to its command |name|. False: it has none such.
bool descend(FoundCommand& found, const std::string& name) {
  for (const NamedCommand& each : found.command.commands) {
    if (each.name != name) continue;
    found.command = each.make();
    found.path += " " + name;
    return true;
  }
  return false;
}

// "incore rng analyze --crap" is "incore rng crap".
void follow_flag(FoundCommand& found, const Command& above) {
  const auto end = std::find(found.words.begin(), found.words.end(), "--");
  for (const Option& option : found.command.options) {
    if (option.instead.empty()) continue;
    const auto flag = std::find(found.words.begin(), end, option.names);
    if (flag == end) continue;
    found.words.erase(flag);
    const std::string other = option.instead;
    found.path.erase(found.path.rfind(' '));
    found.command = above;
    descend(found, other);
    return;
  }
}

}  // namespace

void refuse(const FoundCommand& found, const std::string& mistake) {
  throw UsageMistake(fmt::format("{} (see '{} --help')", mistake, found.path));
}

void refuse_no_command(const FoundCommand& found) {
  refuse(found,
         fmt::format("no command given; one of: {}", fmt::join(names_of(found.command), " ")));
}

FoundCommand find_command(std::vector<std::string> words) {
  FoundCommand found = {top_command(), "incore", std::move(words)};
  while (!found.command.commands.empty()) {
    std::vector<std::string>& rest = found.words;
    if (rest.empty()) refuse_no_command(found);
    // "incore --help hash" is "incore hash --help".
    const bool asks_for_help = rest[0] == "--help" || rest[0] == "-h";
    if (asks_for_help && rest.size() > 1 && !rest[1].starts_with('-')) std::swap(rest[0], rest[1]);
    const std::string word = rest[0];
    if (word.starts_with('-')) return found;
    const Command above = found.command;
    if (!descend(found, word))
      refuse(found, "unknown command " + in_quotes(word) + suggestion(word, names_of(above)));
    rest.erase(rest.begin());
    if (found.path == "incore " + word) set_command(word);
    follow_flag(found, above);
  }
  return found;
}

}  // namespace incore::cli
