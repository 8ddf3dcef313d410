// Options that say which PadLock processor a command works on.
#pragma once

#include <string>

#include "cli/command.h"
#include "tools/samples/open_chip.h"

namespace incore::cli {

// Adds --cpu; |group| is where --help lists it.
void add_chip_option(CLI::App& app, ChipOptions* options, const std::string& group = "Options");

// Adds --cpu, --seed of its noise, and --native.
void add_chip_or_native_options(CLI::App& app, ChipOptions* options, bool* native);

}  // namespace incore::cli
