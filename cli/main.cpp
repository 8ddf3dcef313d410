// The command line: reads commands.def, parses, runs one command.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/help_format.h"
#include "cli/options/number_option.h"
#include "cli/usage.h"
#include "incore/version.h"
#include "tools/base/exit.h"
#include "tools/base/output.h"
#include "tools/base/quote.h"

namespace incore::cli {
namespace {

constexpr const Command* kCommands[] = {
#define X(name) &name##_command,
#include "cli/commands.def"
#undef X
    nullptr,
};

std::vector<std::string> arguments_behind_dashes;

const Command* find_command(const char* name) {
  for (const Command* const* c = kCommands; *c != nullptr; ++c)
    if (std::strcmp((*c)->name, name) == 0) return *c;
  return nullptr;
}

// What holds for the options of every command.
void settle_options(CLI::App& app) {
  check_numbers(app);
  refuse_flag_values(app);
  for (CLI::App* const sub : app.get_subcommands(std::function<bool(CLI::App*)>()))
    settle_options(*sub);
}

using Action = std::pair<CLI::App*, std::function<int()>>;

// Makes |named| the command of |app|; null: all of them, for --help and for "did you mean".
std::vector<Action> add_commands(CLI::App& app, const Command* named) {
  app.set_version_flag("--version", std::string("incore ") + incore_version());
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormat>());
  app.footer("Run 'incore COMMAND --help' for a command's options and examples.");
  std::vector<Action> actions;
  for (const Command* const* c = kCommands; *c != nullptr; ++c) {
    if (named != nullptr && *c != named) continue;
    CLI::App* sub = app.add_subcommand((*c)->name, (*c)->summary);
    sub->footer((*c)->footer);
    actions.emplace_back(sub, (*c)->configure(*sub));
  }
  settle_options(app);
  return actions;
}

int main(int argc, char** argv) {
  // CLI11 would read options behind "--" when a command takes a program, so they never reach it.
  const Command* const named = argc > 1 ? find_command(argv[1]) : nullptr;
  if (named != nullptr && named->runs_program) {
    for (int i = 2; i < argc; ++i) {
      if (std::strcmp(argv[i], "--") != 0) continue;
      arguments_behind_dashes.assign(argv + i + 1, argv + argc);
      argc = i;
      break;
    }
  }

  CLI::App app(
      "In-core cryptography: uses the crypto instructions of this CPU, supplies those it lacks.",
      "incore");
  const std::vector<Action> actions = add_commands(app, named);
  std::vector<std::string> arguments(argv + std::min(argc, 2), argv + argc);
  if (named != nullptr && named->rewrite != nullptr) named->rewrite(arguments);
  if (argc > 1) arguments.insert(arguments.begin(), argv[1]);
  std::reverse(arguments.begin(), arguments.end());  // the order that CLI11 takes
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success& help) {  // --help, --version
    std::ostringstream text;
    app.exit(help, text, text);
    fmt::print("{}", text.str());
    return kDone;
  } catch (const CLI::ParseError& error) {
    if (!app.get_subcommands().empty()) set_command(app.get_subcommands().front()->get_name());
    return fail(kBadInput, usage_mistake(app, error));
  }
  for (const auto& [sub, action] : actions) {
    if (!sub->parsed()) continue;
    set_command(sub->get_name());
    const std::string mistake = kernel_environment_mistake();
    return mistake.empty() ? action() : fail(kBadInput, mistake);
  }
  return kBadInput;
}

}  // namespace

const std::vector<std::string>& program_arguments() {
  return arguments_behind_dashes;
}

}  // namespace incore::cli

int main(int argc, char** argv) {
  using namespace incore::cli;
  prepare_output();
  int code = kBadInput;
  try {
    code = incore::cli::main(argc, argv);
  } catch (const std::system_error& error) {
    if (!is_of_output(error)) fail(code, error.what());
  } catch (const std::exception& error) {
    fail(code, error.what());
  }
  return finish_output(code);
}
