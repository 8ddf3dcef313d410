#include "cli/help/help_text.h"

#include <fmt/format.h>

#include <sstream>

#include "tools/base/wrapped.h"

namespace incore::cli {
namespace {

constexpr size_t kWidth = 100, kColumn = 26;

// |begin| and |text|, whose further lines stand below its first one.
std::string wrapped(const std::string& begin, const std::string& text) {
  return tools::wrapped(begin, text, begin.size(), kWidth);
}

std::string item(const std::string& name, const std::string& help) {
  const std::string begin = "  " + name;
  if (begin.size() + 2 > kColumn) return begin + "\n" + wrapped(std::string(kColumn, ' '), help);
  return wrapped(begin + std::string(kColumn - begin.size(), ' '), help);
}

// Lines that begin with a blank stay; what is between them is one paragraph.
std::string paragraphs(const std::string& text) {
  std::string result, paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) result += wrapped("", paragraph);
    paragraph.clear();
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != ' ') {
      paragraph += (paragraph.empty() ? "" : " ") + line;
      continue;
    }
    end_paragraph();
    result += line + "\n";
  }
  end_paragraph();
  return result;
}

std::string items(const std::vector<const Option*>& options) {
  std::string text;
  for (const Option* option : options) text += item(shown_name(*option), shown_help(*option));
  return text;
}

}  // namespace

std::string shown_name(const Option& option) {
  const bool many = option.times != Option::Times::once && option.value != Option::Value::none;
  const std::string names = fmt::format("{}", fmt::join(option.all_names(), ", "));
  if (option.is_positional()) return names + (many ? "..." : "");
  switch (option.value) {
    case Option::Value::none:
      return names;
    case Option::Value::one:
      return names + " " + option.value_name;
    case Option::Value::may_be_left:
      return names + " [" + option.value_name + "]";
    case Option::Value::may_be_equal:
      break;
  }
  return names + "[=" + option.value_name + "]";
}

std::string shown_help(const Option& option) {
  constexpr size_t kMostChoices = 70;  // characters; --list shows more
  std::string text = option.help;
  const std::string choices = fmt::format("{}", fmt::join(option.choices, " "));
  if (!choices.empty() && !option.takes_others && choices.size() <= kMostChoices)
    text += ": " + choices;
  Texts notes;
  if (!option.range.empty()) notes.push_back(option.range);
  if (!option.usual.empty()) notes.push_back("default " + option.usual);
  return notes.empty() ? text : fmt::format("{} ({})", text, fmt::join(notes, ", "));
}

std::string usage_text(const Command& command, const std::string& path) {
  if (!command.commands.empty()) return path + " COMMAND [OPTIONS]";
  std::string text = path + " [OPTIONS]";
  for (const Option* argument : arguments_of(command))
    text +=
        argument->is_required ? " " + shown_name(*argument) : " [" + shown_name(*argument) + "]";
  return text + (command.program != nullptr ? " " + command.program_usage : "");
}

std::string list_text(const Command& command) {
  std::string text;
  for (const Option& option : command.options)
    if (!option.choices.empty() && !option.is_hidden)
      text += shown_name(option) + "\n" +
              wrapped("  ", fmt::format("{}", fmt::join(option.choices, " ")));
  return text;
}

std::string help_text(const Command& command, const std::string& path) {
  std::string text = wrapped("", path + ": " + command.summary) + "\n";
  text += "Usage: " + usage_text(command, path) + "\n";
  if (!command.about.empty()) text += "\n" + paragraphs(command.about);
  if (const std::string arguments = items(arguments_of(command)); !arguments.empty())
    text += "\nArguments:\n" + arguments;
  if (!command.commands.empty()) {
    text += "\nCommands:\n";
    for (const NamedCommand& each : command.commands) text += item(each.name, each.make().summary);
  }
  text += "\nOptions:\n" + items(options_below(command, ""));
  if (has_list(command)) text += item("--list", kListHelp);
  text += item("-h, --help", kHelpHelp);
  for (const std::string& group : groups_of(command))
    text += "\n" + group + ":\n" + items(options_below(command, group));
  if (!command.examples.empty()) text += "\nExamples:\n";
  for (const std::string& example : command.examples) text += "  " + example + "\n";
  if (!command.exit_codes.empty()) text += "\nExit codes:\n";
  for (const ExitCode& each : command.exit_codes)
    text += wrapped(fmt::format("  {:<14}", each.code), each.meaning);
  if (!command.commands.empty())
    text += fmt::format("\nRun '{} COMMAND --help' for a command's options and examples.\n", path);
  return text;
}

}  // namespace incore::cli
