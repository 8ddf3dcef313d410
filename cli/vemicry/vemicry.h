// What `incore vemicry` consists of: one file and one line in vemicry_commands.def for each
// command.
#pragma once

#include <memory>
#include <string>

#include "cli/command.h"
#include "tools/vemicry/vemicry_program.h"

namespace incore::cli {

#define X(name) extern const Subcommand vemicry_##name##_command;
#include "cli/vemicry/vemicry_commands.def"
#undef X

// The options of a machine that commands share: --q, --p, --r, --l and so on. The result is filled
// when the command line is parsed.
std::shared_ptr<incore_vemicry_config> add_machine_options(CLI::App& app);
// --memory-latency, where the pipeline is modelled.
void add_latency_option(CLI::App& app, incore_vemicry_config* out_config);
// Those that tell which words and registers there are: --q and --p.
void add_size_options(CLI::App& app, uint32_t* out_q, uint32_t* out_p);

inline constexpr uint32_t kMaxRegisters = 16, kMaxWords = 256;  // of --q and --p

// A number of 32 bits, or the address of a label of |program|: an argument of a function. Returns
// what is wrong, in words, or empty.
std::string read_argument(const std::string& text, const incore_vemicry_program& program,
                          uint32_t* out_value);

}  // namespace incore::cli
