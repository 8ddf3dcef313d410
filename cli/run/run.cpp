// incore run: a program for PadLock or POWER8 on this machine.
#include "incore/run.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "cli/command.h"
#include "cli/run/findings.h"
#include "cli/usage.h"
#include "incore/vemicry.h"
#include "tools/base/output_file.h"
#include "tools/base/quote.h"
#include "tools/base/same_file.h"
#include "tools/vemicry/vemicry_machine.h"

namespace incore::cli {
namespace {

struct Options {
  std::optional<std::string> model;
  std::string stats;  // empty: none; "-": to stderr
  std::string check;  // the same
  std::vector<std::string> required;
  std::optional<uint64_t> rng_seed;
  bool verbose = false;
};

constexpr char kOnStderr[] = "-";

std::string mnemonics() {
  std::string text;
  for (unsigned i = 0; incore_run_mnemonic(i) != nullptr; ++i)
    text += (i == 0 ? "" : " ") + std::string(incore_run_mnemonic(i));
  return text;
}

std::string models(bool of_power) {
  std::string text;
  for (unsigned i = 0; incore_run_model_name(i) != nullptr; ++i)
    if ((incore_run_model_is_power(i) != 0) == of_power)
      text += (text.empty() ? "" : " ") + std::string(incore_run_model_name(i));
  return text;
}

bool is_mnemonic(const std::string& text) {
  for (unsigned i = 0; incore_run_mnemonic(i) != nullptr; ++i)
    if (text == incore_run_mnemonic(i)) return true;
  return false;
}

std::span<const incore_run_insn_counters> counters(const incore_run_report& report) {
  return {report.insns, report.num_insns};
}

// Millions of bytes in a second on the modelled processor.
double model_rate(const incore_run_insn_counters& insn, const incore_run_report& report) {
  if (insn.model_clocks == 0) return 0;
  return static_cast<double>(insn.bytes) * report.clock_mhz /
         static_cast<double>(insn.model_clocks);
}

std::string power_stats_text(const incore_run_report& report) {
  std::string text =
      fmt::format("incore run: POWER8 crypto instructions executed, model {}\n", report.model);
  text += fmt::format("  {:<12} {:>12}\n", "mnemonic", "calls");
  bool any = false;
  for (const auto& insn : counters(report)) {
    if (insn.calls == 0) continue;
    any = true;
    text += fmt::format("  {:<12} {:>12}\n", insn.mnemonic, insn.calls);
  }
  if (!any) text += "  none\n";
  return text + fmt::format("  programs {}\n", report.images);
}

std::string stats_text(const incore_run_report& report) {
  if (report.is_power != 0) return power_stats_text(report);
  std::string text = fmt::format("incore run: PadLock instructions executed, model {} at {} MHz\n",
                                 report.model, report.clock_mhz);
  text += fmt::format("  {:<12} {:>12} {:>16} {:>8} {:>12} {:>8} {:>16} {:>10}\n", "mnemonic",
                      "calls", "bytes", "traps", "patched", "faults", "model clocks", "model MB/s");
  bool any = false;
  for (const auto& insn : counters(report)) {
    if (insn.calls + insn.traps == 0) continue;
    any = true;
    text += fmt::format("  {:<12} {:>12} {:>16} {:>8} {:>12} {:>8} {:>16} {:>10.1f}\n",
                        insn.mnemonic, insn.calls, insn.bytes, insn.traps, insn.patched_calls,
                        insn.faults, insn.model_clocks, model_rate(insn, report));
  }
  if (!any) text += "  none\n";
  text += fmt::format(
      "  sites patched {}, left to trap {}; CPUID replaced at {} sites, answered {} times; "
      "programs {}\n",
      report.sites_patched, report.sites_unpatched, report.cpuid_sites, report.cpuid_calls,
      report.images);
  return text;
}

std::string power_stats_json(const incore_run_report& report) {
  nlohmann::ordered_json insns = nlohmann::ordered_json::object();
  for (const auto& insn : counters(report)) insns[insn.mnemonic] = {{"calls", insn.calls}};
  const nlohmann::ordered_json stats = {{"model", report.model},
                                        {"exit_code", report.exit_code},
                                        {"instructions", insns},
                                        {"programs", report.images}};
  return stats.dump(2) + "\n";
}

std::string stats_json(const incore_run_report& report) {
  if (report.is_power != 0) return power_stats_json(report);
  nlohmann::ordered_json insns = nlohmann::ordered_json::object();
  for (const auto& insn : counters(report))
    insns[insn.mnemonic] = {{"calls", insn.calls},
                            {"bytes", insn.bytes},
                            {"traps", insn.traps},
                            {"patched_calls", insn.patched_calls},
                            {"faults", insn.faults},
                            {"model_clocks", insn.model_clocks},
                            {"model_mb_per_second", model_rate(insn, report)}};
  const nlohmann::ordered_json stats = {{"model", report.model},
                                        {"clock_mhz", report.clock_mhz},
                                        {"exit_code", report.exit_code},
                                        {"instructions", insns},
                                        {"sites_patched", report.sites_patched},
                                        {"sites_unpatched", report.sites_unpatched},
                                        {"cpuid_sites", report.cpuid_sites},
                                        {"cpuid_calls", report.cpuid_calls},
                                        {"programs", report.images}};
  return stats.dump(2) + "\n";
}

// A program for VeMICry, which is simulated: it has neither arguments nor crypto instructions of
// PadLock or POWER8.
int run_vemicry(const Options& options, const std::vector<std::string>& program) {
  const std::pair<bool, const char*> refused[] = {{options.model.has_value(), "--cpu"},
                                                  {!options.stats.empty(), "--stats"},
                                                  {!options.check.empty(), "--check"},
                                                  {!options.required.empty(), "--require"},
                                                  {options.rng_seed.has_value(), "--rng-seed"}};
  for (const auto& [given, option] : refused)
    if (given)
      return fail(kBadInput, fmt::format("{} is not for {}, a program for VeMICry; 'incore vemicry "
                                         "run' has options for it",
                                         option, in_quotes(program[0])));
  if (program.size() > 1)
    return fail(kBadInput,
                in_quotes(program[0]) + " is a program for VeMICry, which takes no arguments");
  if (options.verbose) fail(kDone, quoted_if_needed(program[0]) + " runs in the simulator");
  return run_simulated(program[0]);
}

int run(const Options& options, const std::vector<std::string>& program) {
  if (program.empty()) return fail(kBadInput, "no program given (see 'incore run --help')");
  if (incore_vemicry_is_program(program[0].c_str()) != 0) return run_vemicry(options, program);
  for (const std::string& mnemonic : options.required)
    if (!is_mnemonic(mnemonic))
      return fail(kBadInput,
                  fmt::format("--require: '{}' is not a crypto instruction; accepted are: {}",
                              mnemonic, mnemonics()));

  const bool stats_to_file = !options.stats.empty() && options.stats != kOnStderr;
  const bool checks = !options.check.empty(), check_to_file = checks && options.check != kOnStderr;
  std::vector<NamedFile> reports;
  if (stats_to_file) reports.push_back({"--stats", options.stats});
  if (check_to_file) reports.push_back({"--check", options.check});
  if (const std::string error = shared_file({{"PROGRAM", program[0]}}, reports); !error.empty())
    return fail(kBadInput, error);

  OutputFile stats_file;
  if (stats_to_file) {
    const std::string error = stats_file.open(options.stats);
    if (!error.empty()) return fail(kBadInput, "--stats: " + error);
  }

  OutputFile check_file;
  if (check_to_file) {
    const std::string error = check_file.open(options.check);
    if (!error.empty()) return fail(kBadInput, "--check: " + error);
  }

  std::vector<const char*> argv;
  for (const std::string& argument : program) argv.push_back(argument.c_str());
  argv.push_back(nullptr);
  Findings findings;
  const bool is_counted = !options.stats.empty() || !options.required.empty();
  const incore_run_options run_options = {
      .model = options.model ? options.model->c_str() : nullptr,
      .verbose = options.verbose ? 1 : 0,
      .count_model_clocks = options.stats.empty() ? 0 : 1,
      .rng_seed = options.rng_seed ? &*options.rng_seed : nullptr,
      .on_finding = checks ? Findings::add : nullptr,
      .finding_context = &findings,
      .count_power_insns = is_counted ? 1 : 0};
  incore_run_report report;
  if (incore_run(&run_options, argv.data(), &report) != INCORE_OK)
    return fail(kBadInput, report.message);

  if (report.message[0] != '\0') fail(kDiffers, report.message);

  if (options.stats == kOnStderr) {
    std::fputs(stats_text(report).c_str(), stderr);
  } else if (stats_to_file) {
    const std::string error = stats_file.commit(stats_json(report));
    if (!error.empty()) return fail(kBadInput, "--stats: " + error);
  }
  if (check_to_file) {
    const nlohmann::ordered_json found = {
        {"model", report.model}, {"exit_code", report.exit_code}, {"findings", findings.json()}};
    const std::string error = check_file.commit(found.dump(2) + "\n");
    if (!error.empty()) return fail(kBadInput, "--check: " + error);
  } else if (!findings.empty()) {
    std::fputs(findings.text().c_str(), stderr);
  }
  bool all_right = findings.empty();
  for (const std::string& mnemonic : options.required) {
    const auto all = counters(report);
    if (std::any_of(all.begin(), all.end(),
                    [&](const auto& insn) { return mnemonic == insn.mnemonic && insn.calls != 0; }))
      continue;
    fail(kDiffers, "--require: " + mnemonic + " was never executed");
    all_right = false;
  }
  return report.exit_code == 0 && !all_right ? kDiffers : report.exit_code;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--cpu", options->model,
                 "processor model, nano if not given: " + models(false) +
                     "; with fields changed: nano,stepping=10. For PowerPC programs, power8 if not "
                     "given: " +
                     models(true));
  app.add_flag("--stats{-}", options->stats,
               "count the crypto instructions that ran, of PadLock also their clocks on the model; "
               "FILE gets JSON");
  app.add_flag(
      "--check{-}", options->check,
      "report what would fail on silicon or is undefined, and exit 1 for it; FILE gets JSON");
  app.add_option("--require", options->required,
                 "exit 1 if this instruction never ran, such as xcrypt-cbc or vcipher; repeatable")
      ->allow_extra_args(false);
  app.add_option(
      "--rng-seed", options->rng_seed,
      "XSTORE delivers repeatable noise that starts from this number (decimal, or 0x...)");
  app.add_flag("-v,--verbose", options->verbose,
               "say what happens: programs, patched sites, refused instructions, commands of QEMU");
  app.prefix_command();
  return [&app, options] {
    // What the parser did not take is the program, unless "--" stood before that.
    const std::vector<std::string> rest = app.remaining();
    if (!rest.empty() && (rest[0].rfind("-", 0) == 0 || !program_arguments().empty()))
      return fail(kBadInput, unexpected_argument(app, rest[0]) + " (see 'incore run --help')");
    return run(*options, rest.empty() ? program_arguments() : rest);
  };
}

}  // namespace

const Command run_command = {
    "run",
    "run a program with VIA PadLock, or a PowerPC program as on a POWER8",
    "Usage: incore run [OPTIONS] [--] PROGRAM [ARGS...]\n"
    "PROGRAM is an x86 Linux program of 64 or 32 bits, one for 64-bit PowerPC (either byte "
    "order),\n"
    "which runs under QEMU, a script, or a program for VeMICry (an ELF executable for bare MIPS-I, "
    "or\n"
    "assembly, .s), which is simulated. When it has ended, reports come on stderr or, with\n"
    "--stats=FILE and --check=FILE, in files.\n"
    "The exit code is the program's own, or 128 + the signal that ended it. 1: that was 0, but\n"
    "--check or --require found something. 2: it could not be run.\n"
    "Examples:\n"
    "  incore run -- openssl engine -t padlock\n"
    "  incore run --cpu esther --stats -- ./test-aes\n"
    "  incore run --check -- ./test-aes\n"
    "  incore run --rng-seed 1 -- ./test-rng\n"
    "  incore run --require xcrypt-cbc -- openssl enc -engine padlock -aes-128-cbc -K $K -iv $IV "
    "-in a -out b\n"
    "  incore run --require vcipher -- ./test-aes-ppc64le\n"
    "  incore run --cpu power9 -- ./run-ppc64le-tests.sh",
    configure,
    true,
};

}  // namespace incore::cli
