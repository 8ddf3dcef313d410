// A command as JSON: for manual pages, the tables of the documents, and other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/command.h"

namespace incore::cli {

// With its commands, and theirs. |path| is the name with those above it.
nlohmann::ordered_json describe(const Command& command, const std::string& path);

}  // namespace incore::cli
