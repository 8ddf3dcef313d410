// `incore vemicry`: tools for a MIPS with a vector unit for cryptography.
#include "cli/vemicry/vemicry.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/options/number_option.h"
#include "tools/base/quote.h"

namespace incore::cli {
namespace {

constexpr const Subcommand* kCommands[] = {
#define X(name) &vemicry_##name##_command,
#include "cli/vemicry/vemicry_commands.def"
#undef X
};

std::function<int()> configure(CLI::App& app) {
  return configure_subcommands(app, kCommands);
}

}  // namespace

std::shared_ptr<incore_vemicry_config> add_machine_options(CLI::App& app) {
  auto config = std::make_shared<incore_vemicry_config>();
  add_size_options(app, &config->q, &config->p);
  add_number_option(app, "--r", &config->r, 1, kMaxWords,
                    "lanes, 1 to p (8, or p if that is less)");
  add_number_option(app, "--l", &config->l, 1, kMaxWords, "vector length at the start, 1 to p (p)");
  app.add_flag("--little-endian", config->little_endian, "words begin with their least byte");
  app.add_flag("--load-delay", config->load_delay,
               "the instruction behind a load sees the old value, as on MIPS-I hardware");
  app.add_flag("--banked", config->banked, "every lane has memory of its own for VBYTELD");
  app.add_flag("--car-accumulates", config->car_accumulates,
               "products are added to CAR, and VWSHR clears it");
  add_number_option(app, "--junk", &config->junk_seed, 0, UINT64_MAX,
                    "registers and stack hold junk at the start, made from this number")
      ->each([config](const std::string&) { config->junk = 1; });
  return config;
}

void add_latency_option(CLI::App& app, incore_vemicry_config* out_config) {
  add_number_option(app, "--memory-latency", &out_config->memory_latency, 0, 1000,
                    "cycles that memory needs beyond one, 0 to 1000 (0)");
}

void add_size_options(CLI::App& app, uint32_t* out_q, uint32_t* out_p) {
  add_number_option(app, "--q", out_q, 1, kMaxRegisters, "vector registers, 1 to 16 (8)");
  add_number_option(app, "--p", out_p, 1, kMaxWords,
                    "words of 32 bits in a vector register, 1 to 256 (8)");
}

std::string read_argument(const std::string& text, const incore_vemicry_program& program,
                          uint32_t* out_value) {
  if (incore_vemicry_program_symbol(&program, text.c_str(), out_value) == INCORE_OK) return "";
  const std::optional<uint32_t> number = word_number(text);
  if (!number)
    return fmt::format(
        "--arg: {} is no label, and no number of 32 bits (decimal, or 0x and hexadecimal)",
        in_quotes(text));
  *out_value = *number;
  return "";
}

extern const Command vemicry_command = {
    "vemicry",
    "assembler, simulator and pipeline model of a MIPS with a vector unit for cryptography",
    "Run 'incore vemicry COMMAND --help' for a command's options and examples.", configure};

}  // namespace incore::cli
