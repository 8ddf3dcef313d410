// `incore vemicry run`: a program, or one function of it, on a machine of your choice.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/vemicry/machine_options.h"
#include "tools/base/json.h"
#include "tools/base/quote.h"
#include "tools/base/require_ok.h"
#include "tools/vemicry/gdb_server.h"
#include "tools/vemicry/run_report.h"
#include "tools/vemicry/vemicry_machine.h"

namespace incore::cli {
namespace {

struct Options {
  std::vector<std::string> files, arguments;
  uint64_t limit = 0;
  std::optional<uint16_t> debug_port;
  RunReport report;  // with the label of the function to call, if there is one
  bool json = false;
  incore_vemicry_config config = {};
};

int run(const Options& options) {
  const incore_vemicry_config& config = options.config;
  const std::string& label = options.report.label;
  const bool times = options.report.cycles || options.report.profile;
  const std::pair<const char*, uint32_t> timed_only[] = {
      {"--memory-latency", config.memory_latency},
      {"--banks", config.banks},
      {"--ports", config.ports}};
  for (const auto& [option, value] : timed_only)
    if (value != 0 && !times)
      return fail(kBadInput, fmt::format("{} needs --cycles or --profile", option));
  const ProgramHandle program = load_program(options.files, config);
  if (program == nullptr) return kBadInput;
  uint32_t address = 0;
  std::vector<uint32_t> arguments;
  if (!label.empty())
    if (const std::string mistake = find_function(*program, options.files[0], label, &address);
        !mistake.empty())
      return fail(kBadInput, "--call: " + mistake);
  if (const std::string mistake = read_arguments(options.arguments, *program, &arguments);
      !mistake.empty())
    return fail(kBadInput, mistake);
  const MachineHandle machine = make_machine(config, *program);
  if (machine == nullptr) return kBadInput;
  incore_vemicry_machine_count_instructions(machine.get(), options.report.stats ? 1 : 0);
  if (times)
    require_ok(incore_vemicry_machine_time(
        machine.get(), options.report.profile ? INCORE_VEMICRY_PROFILED : INCORE_VEMICRY_TIMED));

  if (!label.empty()) {
    const incore_status status = incore_vemicry_machine_begin_call(
        machine.get(), address, arguments.data(), arguments.size());
    if (status == INCORE_ERROR_RANGE) return fail(kBadInput, "--arg: accepted are 64 at most");
    require_ok(status);
  }
  incore_vemicry_outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  if (options.debug_port) {
    GdbMachine target(machine.get(), config,
                      incore_vemicry_program_is_little_endian(program.get()));
    const GdbServed served = serve_gdb(*options.debug_port, &target);
    if (!served.error.empty()) return fail(kBadInput, served.error);
    if (served.ended) return fail(kDiffers, "the debugger ended the program");
    outcome = target.outcome();
  } else {
    require_ok(incore_vemicry_machine_run(machine.get(), options.limit, &outcome));
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;

  const Json report = report_json(options.report, *machine, config, outcome, time.count());
  const std::string text = options.json ? json_text(report) : report_text(options.report, report);
  std::fputs(text.c_str(), label.empty() ? stderr : stdout);
  if (outcome.stop == INCORE_VEMICRY_TRAPPED) return fail(kDiffers, trap_text(*machine, outcome));
  if (outcome.stop == INCORE_VEMICRY_LIMIT)
    return fail(kDiffers, fmt::format("--limit: {} instructions were executed, and it goes on",
                                      outcome.instructions));
  return label.empty() ? static_cast<int>(outcome.value & 0xFF) : kDone;
}

}  // namespace

Command vemicry_run_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "run",
      .summary = "run a program, or one function of it",
      .options = joined(
          {{text("FILE", "", &o->files,
                 "an ELF executable for MIPS-I, or else assembly, in one file or several")
                .required(),
            text("--call", "LABEL", &o->report.label, "call the function at this label"),
            text("--arg", "VALUE", &o->arguments, "an argument for it, number or label; repeatable")
                .needs("--call"),
            number("--limit", "N", &o->limit, 1, UINT64_MAX, "stop after so many instructions")
                .usually("never"),
            number("--gdb", "PORT", &o->debug_port, 0, 65535,
                   "wait for GDB at 127.0.0.1:PORT; 0 is any free port")
                .excludes({"--limit"}),
            flag("--stats", &o->report.stats, "count the instructions that are executed"),
            flag("--cycles", &o->report.cycles,
                 "count cycles and what they wait for, by the pipeline model"),
            flag("--profile", &o->report.profile, "cycles by function and source line"),
            flag("--regs", &o->report.registers, "show the registers at the end"),
            flag("--json", &o->json, "report in JSON")},
           machine_options(&o->config),
           memory_options(&o->config)}),
      .about =
          "The program's standard input and output are ours; reports come on stderr, with "
          "--call on stdout.",
      .examples = {"incore vemicry run hello.s",
                   "incore vemicry run --stats --regs sort.elf < numbers",
                   "incore vemicry run main.s list.s",
                   "incore vemicry run --profile sort.elf < numbers",
                   "incore vemicry run --call gcd --arg 12 --arg 0x1e gcd.s"},
      .exit_codes = {{"1", "a trap or the --limit ended it"},
                     {"2", "bad usage"},
                     {"else", "the program's own, or 0 when --call returned"}},
      .run = [o] { return run(*o); },
  };
}

}  // namespace incore::cli
