// For fish: one line for each option of each command.
#include <fmt/format.h>

#include "cli/help/completion.h"
#include "cli/help/help_text.h"

namespace incore::cli {
namespace {

constexpr char kBegin[] = R"(# Completion of incore for fish.
# True if the words so far name the command $argv.
function __incore_at
    set -l words (commandline -opc)
    set -l path incore
    for word in $words[2..-1]
        contains -- "$path $word" $__incore_paths; and set path "$path $word"
    end
    test "$path" = "$argv"
end
complete -c incore -f
)";

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "'";
}

std::string value_of(const Option& option) {
  switch (completed_by(option)) {
    case Completed::files:
      return " -r -F";
    case Completed::folders:
      return " -x -a '(__fish_complete_directories)'";
    case Completed::choices:
      return " -x -a " + quoted(fmt::format("{}", fmt::join(option.choices, " ")));
    case Completed::anything:
      break;
  }
  return " -x";
}

std::string line(const CompletedCommand& entry, const Option& option) {
  std::string text = fmt::format("complete -c incore -n '__incore_at {}'", entry.path);
  if (option.is_positional()) {
    const Completed by = completed_by(option);
    if (by == Completed::anything) return "";
    return text + (by == Completed::files ? " -F" : value_of(option).substr(3)) + "\n";
  }
  for (const std::string& name : option.all_names())
    text += name.starts_with("--") ? " -l " + name.substr(2)
            : name.size() == 2     ? " -s " + name.substr(1)
                                   : " -o " + name.substr(1);
  if (option.value == Option::Value::one) text += value_of(option);
  return text + " -d " + quoted(option.help) + "\n";
}

}  // namespace

std::string completion_for_fish(const CompletedCommands& commands) {
  std::string text = kBegin, paths = "set -g __incore_paths";
  for (const CompletedCommand& entry : commands) {
    if (entry.path != "incore") paths += " '" + entry.path + "'";
    for (const Option& option : entry.command.options)
      if (!option.is_hidden) text += line(entry, option);
    const std::string at = fmt::format("complete -c incore -n '__incore_at {}'", entry.path);
    if (has_list(entry.command)) text += at + " -l list -d " + quoted(kListHelp) + "\n";
    text += at + " -s h -l help -d " + quoted(kHelpHelp) + "\n";
    if (entry.command.program != nullptr) text += at + " -x -a '(__fish_complete_subcommand)'\n";
    for (const NamedCommand& each : entry.command.commands)
      text += fmt::format("{} -a {} -d {}\n", at, each.name, quoted(each.make().summary));
  }
  return text + paths + "\n";
}

}  // namespace incore::cli
