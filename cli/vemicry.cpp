// `incore vemicry`: tools for a MIPS with a vector unit for cryptography.
#include "vemicry.h"

#include "command.h"

namespace incore::cli {
namespace {

constexpr const Subcommand* kCommands[] = {
#define X(name) &vemicry_##name##_command,
#include "vemicry_commands.def"
#undef X
};

std::function<int()> configure(CLI::App& app) {
  return configure_subcommands(app, kCommands);
}

}  // namespace

std::shared_ptr<incore_vemicry_config> add_machine_options(CLI::App& app) {
  auto config = std::make_shared<incore_vemicry_config>();
  app.add_option("--q", config->q, "vector registers, 1 to 16 (8)");
  app.add_option("--p", config->p, "words of 32 bits in a vector register, 1 to 256 (8)");
  app.add_option("--r", config->r, "lanes, 1 to p (8, or p if that is less)");
  app.add_option("--l", config->l, "vector length at the start, 1 to p (p)");
  app.add_option("--memory-latency", config->memory_latency,
                 "cycles that memory needs beyond one, 0 to 1000 (0)");
  app.add_flag("--little-endian", config->little_endian, "words begin with their least byte");
  app.add_flag("--load-delay", config->load_delay,
               "the instruction behind a load sees the old value, as on MIPS-I hardware");
  app.add_flag("--banked", config->banked, "every lane has memory of its own for VBYTELD");
  app.add_flag("--car-accumulates", config->car_accumulates,
               "products are added to CAR, and VWSHR clears it");
  app.add_option_function<uint64_t>(
      "--junk",
      [config](uint64_t seed) {
        config->junk = 1;
        config->junk_seed = seed;
      },
      "registers and stack hold junk at the start, made from this number");
  return config;
}

int fail_with_lines(int code, std::string_view lines) {
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    fail(code, std::string(lines.substr(0, end)));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return code;
}

ProgramHandle load_program(const std::string& path, const incore_vemicry_config& config) {
  std::string reason(kReasonLen, '\0');
  incore_vemicry_program* program = nullptr;
  if (incore_vemicry_load_file(path.c_str(), &config, &program, reason.data(), reason.size()) !=
      INCORE_OK)
    fail_with_lines(kBadInput, reason.c_str());
  return {program, incore_vemicry_program_free};
}

extern const Command vemicry_command = {
    "vemicry",
    "assembler, simulator and pipeline model of a MIPS with a vector unit for cryptography",
    "Run 'incore vemicry COMMAND --help' for a command's options and examples.", configure};

}  // namespace incore::cli
