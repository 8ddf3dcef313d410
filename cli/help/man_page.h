// Manual pages of commands, for man(1).
#pragma once

#include <string>

#include "cli/command.h"

namespace incore::cli {

// The page incore-rng-bytes(1) of "incore rng bytes".
std::string man_page(const Command& command, const std::string& path);

}  // namespace incore::cli
