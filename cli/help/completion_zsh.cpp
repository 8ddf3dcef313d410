// For zsh: one function for each command, by _arguments.
#include <fmt/format.h>

#include <algorithm>

#include "cli/help/completion.h"
#include "cli/help/help_text.h"

namespace incore::cli {
namespace {

// Within single quotes, in a specification of _arguments.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string function_name(std::string path) {
  std::replace(path.begin(), path.end(), ' ', '_');
  return "_" + path;
}

std::string value_of(const Option& option) {
  const std::string name = quoted(option.is_positional() ? option.names : option.value_name);
  switch (completed_by(option)) {
    case Completed::files:
      return ":" + name + ":_files";
    case Completed::folders:
      return ":" + name + ":_files -/";
    case Completed::choices:
      return fmt::format(":{}:({})", name,
                         quoted(fmt::format("{}", fmt::join(option.choices, " "))));
    case Completed::anything:
      break;
  }
  return ":" + name + ": ";
}

std::string argument(const Option& option) {
  if (option.is_positional())
    return fmt::format(
        "'{}{}'", option.times == Option::Times::once ? ":" : "*:", value_of(option).substr(1));
  const bool has_value = option.value == Option::Value::one;
  const std::string rest =
      fmt::format("[{}]{}'", quoted(option.help), has_value ? value_of(option) : "");
  const Texts names = option.all_names();
  const bool again = option.times != Option::Times::once;
  if (names.size() == 1) return fmt::format("'{}{}{}", again ? "*" : "", names[0], rest);
  return fmt::format("{}{{{}}}'{}", again ? "\\*" : "'(" + names[0] + " " + names[1] + ")'",
                     fmt::join(names, ","), rest);
}

std::string function(const CompletedCommand& entry) {
  std::string text = function_name(entry.path) + "() {\n  _arguments -s -S";
  for (const Option& option : entry.command.options)
    if (!option.is_hidden) text += " \\\n    " + argument(option);
  if (has_list(entry.command)) text += fmt::format(" \\\n    '--list[{}]'", kListHelp);
  text += fmt::format(" \\\n    '(-h --help)'{{-h,--help}}'[{}]'", kHelpHelp);
  if (entry.command.program != nullptr) text += " \\\n    '*::PROGRAM:_normal'";
  return text + "\n}\n";
}

// A command that has commands.
std::string group_function(const CompletedCommand& entry) {
  std::string text = function_name(entry.path) + "() {\n  local -a commands=(\n";
  for (const NamedCommand& each : entry.command.commands)
    text += fmt::format("    '{}:{}'\n", each.name, quoted(each.make().summary));
  text += "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n";
  text += "  local name=$words[2]\n  shift words\n  ((CURRENT--))\n";
  return text + fmt::format("  (( $+functions[{0}_$name] )) && {0}_$name\n}}\n",
                            function_name(entry.path));
}

}  // namespace

std::string completion_for_zsh(const CompletedCommands& commands) {
  std::string text = "#compdef incore\n# Completion of incore for zsh.\n";
  for (const CompletedCommand& entry : commands)
    text += entry.command.commands.empty() ? function(entry) : group_function(entry);
  // As a file in fpath it is the function's body, evaluated it defines the completion.
  return text +
         "if [ \"$funcstack[1]\" = _incore ]; then\n  _incore \"$@\"\nelse\n  compdef _incore "
         "incore\nfi\n";
}

}  // namespace incore::cli
