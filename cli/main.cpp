// The command line: finds the command, reads its options, does its work.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.h"
#include "cli/cpu/kernel_environment.h"
#include "cli/find_command.h"
#include "cli/help/help_text.h"
#include "cli/parser.h"
#include "incore/version.h"
#include "tools/base/output.h"

namespace incore::cli {
namespace {

int main(const std::vector<std::string>& words) try {
  const FoundCommand found = find_command(words);
  if (words.size() > 0 && words[0] == "--version") {
    fmt::print("incore {}\n", incore_version());
    return kDone;
  }
  try {
    const Wanted wanted = parse(found.command, found.words);
    if (wanted != Wanted::work) {
      fmt::print("{}", wanted == Wanted::list ? list_text(found.command)
                                              : help_text(found.command, found.path));
      return kDone;
    }
  } catch (const UsageMistake& mistake) {
    refuse(found, mistake.what());
  }
  if (!found.command.run) refuse_no_command(found);
  const std::string mistake = kernel_environment_mistake();
  return mistake.empty() ? found.command.run() : fail(kBadInput, mistake);
} catch (const UsageMistake& mistake) {
  return fail(kBadInput, mistake.what());
}

}  // namespace
}  // namespace incore::cli

int main(int argc, char** argv) {
  using namespace incore::cli;
  prepare_output();
  int code = kBadInput;
  try {
    code = incore::cli::main({argv + std::min(argc, 1), argv + argc});
  } catch (const std::system_error& error) {
    if (!is_of_output(error)) fail(code, error.what());
  } catch (const std::exception& error) {
    fail(code, error.what());
  }
  return finish_output(code);
}
