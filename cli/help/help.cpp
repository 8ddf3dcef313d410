// `incore help`: the help of a command as text, manual page or JSON.
#include <fmt/format.h>

#include <memory>

#include "cli/find_command.h"
#include "cli/help/describe.h"
#include "cli/help/help_text.h"
#include "cli/help/man_page.h"
#include "tools/base/json.h"
#include "tools/base/quote.h"

namespace incore::cli {
namespace {

struct Options {
  std::vector<std::string> names;
  bool man = false, json = false;
};

int help(const Options& options) {
  // Behind a last word that is no command, find_command() stops there.
  std::vector<std::string> words = options.names;
  words.push_back("--help");
  const FoundCommand found = find_command(words);
  if (found.words.size() > 1)
    refuse(found, "there are no commands below it: " + in_quotes(found.words[0]));
  if (options.json)
    fmt::print("{}", json_text(describe(found.command, found.path)));
  else
    fmt::print("{}", (options.man ? man_page : help_text)(found.command, found.path));
  return kDone;
}

}  // namespace

Command help_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "help",
      .summary = "the help of a command as text, manual page or JSON",
      .options =
          {
              text("COMMAND", "", &o->names, "the command, such as hash, or rng bytes"),
              flag("--man", &o->man, "print a manual page for man(1)").excludes({"--json"}),
              flag("--json", &o->json,
                   "print options, examples and exit codes as JSON, with those "
                   "of the commands below"),
          },
      .examples = {"incore help rng bytes", "incore help --man hash | man -l -",
                   "incore help --json | jq '.commands[].command'"},
      .exit_codes = {{"0", "done"}, {"2", "there is no such command"}},
      .run = [o] { return help(*o); },
  };
}

}  // namespace incore::cli
