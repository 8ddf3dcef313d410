// A command as JSON: for manual pages, the tables of the documents, and other programs.
#pragma once

#include <string>

#include "cli/command.h"
#include "tools/base/json.h"

namespace incore::cli {

// With its commands, and theirs. |path| is the name with those above it.
Json describe(const Command& command, const std::string& path);

}  // namespace incore::cli
