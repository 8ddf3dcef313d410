#include "cli/usage.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "tools/base/quote.h"
#include "tools/base/suggest.h"

namespace incore::cli {
namespace {

// The command that the arguments have come to.
const CLI::App& chosen_command(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(std::function<bool(const CLI::App*)>()))
    names.push_back(command->get_name());
  return names;
}

// With their dashes; without those that --help does not show.
std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string before(const std::string& text, const std::string& mark) {
  return text.substr(0, text.find(mark));
}

// The parser's sentence in our words.
std::string in_our_words(const CLI::App& command, const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string name = error.get_name();
  if (name == "RequiredError" && text.starts_with("A subcommand"))
    return fmt::format("no command given; one of: {}", fmt::join(commands_of(command), " "));
  if (name == "ArgumentMismatch") {
    if (text.ends_with("missing")) return before(text, ":") + " needs a value";
    if (text.ends_with("flag override")) {
      const std::string flag = before(text, " was given");
      return (flag.size() == 1 ? "-" : "--") + flag + " takes no value";
    }
    if (text.find(": At Most 1 ") != text.npos)
      return before(text, ":") + " is given more than once";
  }
  const std::string unconverted = "Could not convert: ", equals = " = ";
  if (name == "ConversionError" && text.starts_with(unconverted)) {
    const std::string rest = text.substr(unconverted.size()), option = before(rest, equals);
    if (option.size() < rest.size())
      return option + ": " + in_quotes(rest.substr(option.size() + equals.size())) +
             " is not accepted";
  }
  return text;
}

}  // namespace

std::string unexpected_argument(const CLI::App& app, const std::string& argument) {
  if (argument.size() > 1 && argument[0] == '-' && argument != "--") {
    const std::string name = before(argument, "=");
    return "unknown option " + in_quotes(name) + suggestion(name, options_of(app));
  }
  const std::vector<std::string> commands = commands_of(app);
  if (!commands.empty())
    return "unknown command " + in_quotes(argument) + suggestion(argument, commands);
  return "unexpected argument " + in_quotes(argument);
}

std::string usage_mistake(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  const std::vector<std::string> rest = command.remaining();
  std::string path;
  for (const CLI::App* each = &command; each != nullptr; each = each->get_parent())
    path = each->get_name() + (path.empty() ? "" : " ") + path;
  return fmt::format(
      "{} (see '{} --help')",
      rest.empty() ? in_our_words(command, error) : unexpected_argument(command, rest[0]), path);
}

void refuse_flag_values(CLI::App& app) {
  for (CLI::Option* const option : app.get_options())
    if (option->get_items_expected_max() == 0 && option->get_fnames().empty())
      option->disable_flag_override();
}

}  // namespace incore::cli
