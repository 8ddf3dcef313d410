// From the words of a command line to the options of a command.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "cli/command.h"

namespace incore::cli {

struct UsageMistake : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Wanted { work, help, list };

// Gives the options of |command| the |words| behind its name. Throws UsageMistake, which says what
// is wrong.
Wanted parse(const Command& command, std::vector<std::string> words);

}  // namespace incore::cli
