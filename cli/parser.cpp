// The one file that knows CLI11.
#include "cli/parser.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>

#include "tools/base/quote.h"
#include "tools/base/suggest.h"

namespace incore::cli {
namespace {

struct ListWanted {};

// What CLI11 has of one of our options.
struct Added {
  CLI::Option* option = nullptr;
  std::string text;  // of a flag that may have a value
};

void take(const Option& option, const Texts& values) {
  if (const std::string mistake = option.take(values); !mistake.empty())
    throw UsageMistake(option.long_name() + ": " + mistake);
}

void add(CLI::App& app, const Option& option, Added& added) {
  switch (option.value) {
    case Option::Value::none:
      added.option = app.add_flag_function(option.names, [&option](int64_t times) {
        take(option, Texts(static_cast<size_t>(times)));
      });
      added.option->disable_flag_override();
      break;
    case Option::Value::may_be_equal:  // taken when all is parsed
      added.option = app.add_flag(option.names + "{-}", added.text);
      break;
    case Option::Value::one:
    case Option::Value::may_be_left:
      added.option = app.add_option(option.names, [&option](const CLI::results_t& values) {
        take(option, values);
        return true;
      });
      if (option.value == Option::Value::may_be_left) added.option->expected(0, 1);
      if (option.times != Option::Times::once)
        added.option->expected(CLI::detail::expected_max_vector_size);
      if (option.times == Option::Times::repeated && !option.is_positional())
        added.option->allow_extra_args(false);
  }
  if (option.separator != '\0') added.option->delimiter(option.separator);
  added.option->required(option.is_required);
}

std::string before(const std::string& text, const std::string& mark) {
  return text.substr(0, text.find(mark));
}

std::string unexpected(const Command& command, const std::string& word) {
  if (word.size() < 2 || word[0] != '-' || word == "--")
    return "unexpected argument " + in_quotes(word);
  const std::string name = before(word, "=");
  return "unknown option " + in_quotes(name) + suggestion(name, option_names_of(command));
}

// The parser's sentence in our words.
std::string in_our_words(const CLI::ParseError& error) {
  const std::string text = error.what(), kind = error.get_name();
  if (kind == "RequiredError") return before(text, " is required") + " is missing";
  if (kind == "RequiresError")
    return before(text, " requires ") + " needs " + text.substr(text.rfind(' ') + 1);
  if (kind == "ArgumentMismatch") {
    if (text.ends_with("missing")) return before(text, ":") + " needs a value";
    if (text.ends_with("flag override")) {
      const std::string flag = before(text, " was given");
      return (flag.size() == 1 ? "-" : "--") + flag + " takes no value";
    }
    if (text.find(": At Most 1 ") != text.npos)
      return before(text, ":") + " is given more than once";
  }
  return text;  // "--csv excludes --json"
}

// What the parser left is the program to run and its arguments, unless they came behind "--".
void take_program(const CLI::App& app, const Command& command, bool has_dashes) {
  const Texts rest = app.remaining();
  if (!rest.empty() && (rest[0].starts_with('-') || has_dashes))
    throw UsageMistake(unexpected(command, rest[0]));
  if (!rest.empty()) *command.program = rest;
}

}  // namespace

Wanted parse(const Command& command, std::vector<std::string> words) {
  CLI::App app(command.summary, command.name);
  std::map<std::string, Added> by_name;
  for (const Option& option : command.options) add(app, option, by_name[option.long_name()]);
  if (has_list(command)) app.add_flag_callback("--list", [] { throw ListWanted(); });
  for (const Option& option : command.options) {
    CLI::Option* const added = by_name.at(option.long_name()).option;
    for (const std::string& other : option.needed) added->needs(by_name.at(other).option);
    for (const std::string& other : option.excluded) added->excludes(by_name.at(other).option);
  }

  bool has_dashes = false;
  if (command.program != nullptr) {
    // CLI11 would read options behind "--", so they never reach it.
    app.prefix_command();
    const auto dashes = std::find(words.begin(), words.end(), "--");
    has_dashes = dashes != words.end();
    if (has_dashes) {
      command.program->assign(dashes + 1, words.end());
      words.erase(dashes, words.end());
    }
  }
  std::reverse(words.begin(), words.end());  // the order that CLI11 takes
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    return Wanted::help;
  } catch (const ListWanted&) {
    return Wanted::list;
  } catch (const CLI::ParseError& error) {
    const Texts rest = app.remaining();
    throw UsageMistake(rest.empty() ? in_our_words(error) : unexpected(command, rest[0]));
  }
  for (const Option& option : command.options)
    if (const Added& added = by_name.at(option.long_name());
        option.value == Option::Value::may_be_equal && added.option->count() != 0)
      take(option, {added.text});
  if (command.program != nullptr) take_program(app, command, has_dashes);
  return Wanted::work;
}

}  // namespace incore::cli
