// incore run: a PadLock program on this machine.
#include "incore/run.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "command.h"
#include "output_file.h"

namespace incore::cli {
namespace {

struct Options {
  std::string model = "nano";
  std::string stats;  // empty: none; "-": to stderr
  std::vector<std::string> required;
  bool verbose = false;
};

constexpr char kStatsOnStderr[] = "-";

std::string names(const char* (*name)(unsigned)) {
  std::string text;
  for (unsigned i = 0; name(i) != nullptr; ++i) text += (i == 0 ? "" : " ") + std::string(name(i));
  return text;
}

bool is_mnemonic(const std::string& text) {
  for (unsigned i = 0; incore_run_mnemonic(i) != nullptr; ++i)
    if (text == incore_run_mnemonic(i)) return true;
  return false;
}

std::string stats_text(const incore_run_report& report, const std::string& model) {
  std::string text = fmt::format("incore run: PadLock instructions executed, model {}\n", model);
  text += fmt::format("  {:<12} {:>12} {:>16} {:>8} {:>12} {:>8}\n", "mnemonic", "calls", "bytes",
                      "traps", "patched", "faults");
  bool any = false;
  for (const auto& insn : report.insns) {
    if (insn.calls + insn.traps == 0) continue;
    any = true;
    text += fmt::format("  {:<12} {:>12} {:>16} {:>8} {:>12} {:>8}\n", insn.mnemonic, insn.calls,
                        insn.bytes, insn.traps, insn.patched_calls, insn.faults);
  }
  if (!any) text += "  none\n";
  text += fmt::format(
      "  sites patched {}, left to trap {}; CPUID replaced at {} sites, answered {} times; "
      "programs {}\n",
      report.sites_patched, report.sites_unpatched, report.cpuid_sites, report.cpuid_calls,
      report.images);
  return text;
}

std::string stats_json(const incore_run_report& report, const std::string& model) {
  nlohmann::ordered_json insns = nlohmann::ordered_json::object();
  for (const auto& insn : report.insns)
    insns[insn.mnemonic] = {{"calls", insn.calls},
                            {"bytes", insn.bytes},
                            {"traps", insn.traps},
                            {"patched_calls", insn.patched_calls},
                            {"faults", insn.faults}};
  const nlohmann::ordered_json stats = {{"model", model},
                                        {"exit_code", report.exit_code},
                                        {"instructions", insns},
                                        {"sites_patched", report.sites_patched},
                                        {"sites_unpatched", report.sites_unpatched},
                                        {"cpuid_sites", report.cpuid_sites},
                                        {"cpuid_calls", report.cpuid_calls},
                                        {"programs", report.images}};
  return stats.dump(2) + "\n";
}

int run(const Options& options, const std::vector<std::string>& program) {
  if (program.empty()) return fail(kBadInput, "no program given (see 'incore run --help')");
  for (const std::string& mnemonic : options.required)
    if (!is_mnemonic(mnemonic))
      return fail(kBadInput,
                  fmt::format("--require: '{}' is not a PadLock instruction; accepted are: {}",
                              mnemonic, names(incore_run_mnemonic)));

  OutputFile stats_file;
  const bool stats_to_file = !options.stats.empty() && options.stats != kStatsOnStderr;
  if (stats_to_file) {
    const std::string error = stats_file.open(options.stats);
    if (!error.empty()) return fail(kBadInput, "--stats: " + error);
  }

  std::vector<const char*> argv;
  for (const std::string& argument : program) argv.push_back(argument.c_str());
  argv.push_back(nullptr);
  const incore_run_options run_options = {options.model.c_str(), options.verbose ? 1 : 0};
  incore_run_report report;
  if (incore_run(&run_options, argv.data(), &report) != INCORE_OK)
    return fail(kBadInput, report.message);

  if (options.stats == kStatsOnStderr) {
    std::fputs(stats_text(report, options.model).c_str(), stderr);
  } else if (stats_to_file) {
    const std::string error = stats_file.commit(stats_json(report, options.model));
    if (!error.empty()) return fail(kBadInput, "--stats: " + error);
  }
  bool all_ran = true;
  for (const std::string& mnemonic : options.required)
    for (const auto& insn : report.insns)
      if (mnemonic == insn.mnemonic && insn.calls == 0) {
        fail(kDiffers, "--require: " + mnemonic + " was never executed");
        all_ran = false;
      }
  return report.exit_code == 0 && !all_ran ? kDiffers : report.exit_code;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--cpu", options->model,
                 "processor model: " + names(incore_run_model_name) +
                     "; fields can be changed: nano,stepping=10")
      ->capture_default_str();
  app.add_flag(
      "--stats{-}", options->stats,
      "count the PadLock instructions that ran, on stderr; --stats=FILE writes JSON to FILE");
  app.add_option("--require", options->required,
                 "exit 1 if this instruction never ran, such as xcrypt-cbc; repeatable")
      ->allow_extra_args(false);
  app.add_flag("-v,--verbose", options->verbose,
               "say what happens: programs, patched sites, refused instructions");
  app.prefix_command();
  return [&app, options] {
    // What the parser did not take is the program, unless "--" stood before that.
    const std::vector<std::string> rest = app.remaining();
    if (!rest.empty() && (rest[0].rfind("-", 0) == 0 || !program_arguments().empty()))
      return fail(kBadInput,
                  fmt::format("unexpected argument '{}' (see 'incore run --help')", rest[0]));
    return run(*options, rest.empty() ? program_arguments() : rest);
  };
}

}  // namespace

const Command run_command = {
    "run",
    "run a program with VIA PadLock present",
    "Usage: incore run [OPTIONS] [--] PROGRAM [ARGS...]\n"
    "PROGRAM is an x86 Linux program of 64 or 32 bits, or a script.\n"
    "The exit code is the program's own, or 128 + the signal that ended it; 2 if it could not be "
    "run.\n"
    "Examples:\n"
    "  incore run -- openssl engine -t padlock\n"
    "  incore run --cpu esther --stats -- ./test-aes\n"
    "  incore run --require xcrypt-cbc -- openssl enc -engine padlock -aes-128-cbc -K $K -iv $IV "
    "-in a -out b",
    configure,
    true,
};

}  // namespace incore::cli
