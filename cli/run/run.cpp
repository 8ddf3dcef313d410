// incore run: a program for PadLock or POWER8 on this machine.
#include "incore/run.h"

#include <fmt/format.h>

#include <optional>

#include "cli/command.h"
#include "incore/vemicry.h"
#include "tools/base/quote.h"
#include "tools/run/run_compare.h"
#include "tools/run/run_findings.h"
#include "tools/run/run_names.h"
#include "tools/run/run_reports.h"
#include "tools/run/run_stats.h"
#include "tools/vemicry/vemicry_machine.h"

namespace incore::cli {
namespace {

struct Options {
  std::optional<std::string> model;
  std::string stats;  // empty: none; "-": to stderr
  std::string check;  // the same
  std::string stale_key;
  std::string trace;  // as stats
  bool trace_secrets = false;
  std::string compare;  // as stats
  bool debug = false;
  std::vector<std::string> skipped_checks;
  std::string suppressions;
  std::vector<std::string> required;
  std::optional<uint64_t> rng_seed;
  bool verbose = false;
  bool list_cpus = false;
  std::vector<std::string> program;  // and its arguments
};

// A program for VeMICry, which is simulated: it has neither arguments nor crypto instructions of
// PadLock or POWER8.
int run_vemicry(const Options& options, const std::vector<std::string>& program) {
  const std::pair<bool, const char*> refused[] = {{options.model.has_value(), "--cpu"},
                                                  {!options.stats.empty(), "--stats"},
                                                  {!options.check.empty(), "--check"},
                                                  {!options.stale_key.empty(), "--stale-key"},
                                                  {!options.trace.empty(), "--trace"},
                                                  {!options.compare.empty(), "--compare"},
                                                  {options.debug, "--gdb"},
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

// Ended by null.
std::vector<const char*> c_strings(const std::vector<std::string>& strings) {
  std::vector<const char*> pointers;
  for (const std::string& string : strings) pointers.push_back(string.c_str());
  pointers.push_back(nullptr);
  return pointers;
}

int list_models(const Options& options) {
  if (!options.program.empty())
    return fail(kBadInput, fmt::format("{} takes no program",
                                       options.list_cpus ? "--list-cpus" : "--cpu list"));
  const std::string list = options.list_cpus ? run_models_json() : run_models_text();
  fmt::print("{}", list);
  return kDone;
}

int run(const Options& options) {
  const std::vector<std::string>& program = options.program;
  const bool list = options.model == "list";
  if (list || options.list_cpus) return list_models(options);
  if (program.empty()) return fail(kBadInput, "no program given (see 'incore run --help')");
  if (incore_vemicry_is_program(program[0].c_str()) != 0) return run_vemicry(options, program);
  RunReports reports({options.stats, options.check, options.trace, options.compare});
  if (const std::string error = reports.open(program[0]); !error.empty())
    return fail(kBadInput, error);

  Findings findings;
  if (!options.suppressions.empty())
    if (const std::string error = findings.suppressions.read(options.suppressions); !error.empty())
      return fail(kBadInput, error);
  const std::vector<const char*> argv = c_strings(program);
  const std::vector<const char*> skipped_checks = c_strings(options.skipped_checks);
  const incore_run_options run_options = {
      .model = options.model ? options.model->c_str() : nullptr,
      .verbose = options.verbose ? 1 : 0,
      .count_model_clocks = options.stats.empty() ? 0 : 1,
      .rng_seed = options.rng_seed ? &*options.rng_seed : nullptr,
      .on_finding = options.check.empty() ? nullptr : Findings::add,
      .finding_context = &findings,
      .skipped_checks = skipped_checks.data(),
      .emulate_stale_key = options.stale_key == "emulate" ? 1 : 0,
      .on_call = options.trace.empty() ? nullptr : RunTrace::add,
      .call_context = &reports.trace,
      .with_keys = options.trace_secrets ? 1 : 0,
      .on_memory = nullptr,
      .memory_context = nullptr,
      .debug = options.debug ? 1 : 0,
      .count_power_insns = !options.stats.empty() || !options.required.empty() ? 1 : 0,
      .repeatable = 0};
  incore_run_report report;
  RunComparison comparison;
  const bool compares = !options.compare.empty();
  if (compares) {
    if (const std::string error = comparison.run(run_options, argv.data()); !error.empty())
      return fail(kBadInput, error);
    report = comparison.first().report;
  } else if (incore_run(&run_options, argv.data(), &report) != INCORE_OK) {
    return fail(kBadInput, report.message);
  }
  if (report.message[0] != '\0') fail(kDiffers, report.message);
  // The program's own result stands, whatever the trace lacks.
  if (const std::string lacks = reports.trace.close(report.lost_calls); !lacks.empty())
    fail(kDiffers, "--trace: " + lacks);

  if (const std::string error =
          reports.tell(report, findings, compares ? &comparison.found() : nullptr);
      !error.empty())
    return fail(kBadInput, error);
  const Texts missing = never_ran(options.required, report);
  for (const std::string& mnemonic : missing)
    fail(kDiffers, "--require: " + mnemonic + " was never executed");
  const bool all_right = missing.empty() && findings.empty() && comparison.same();
  return report.exit_code == 0 && !all_right ? kDiffers : report.exit_code;
}

}  // namespace

Command run_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "run",
      .summary = "run a program with VIA PadLock, or a PowerPC program as on a POWER8",
      .options =
          {
              text("--cpu", "MODEL", &o->model,
                   fmt::format("processor model: {}; with fields changed: nano,stepping=10. For "
                               "PowerPC programs: {}",
                               fmt::join(padlock_models(), " "), fmt::join(power_models(), " ")))
                  .usually("nano, power8 for PowerPC programs")
                  .such_as(run_models()),
              flag_or_value("--stats", "FILE", &o->stats,
                            "count the crypto instructions that ran, of PadLock also their clocks "
                            "on the model; FILE gets JSON"),
              flag_or_value("--check", "FILE", &o->check,
                            "report what would fail on silicon or is undefined, and exit 1 for it; "
                            "FILE gets JSON"),
              text("--check-skip", "CHECK", &o->skipped_checks,
                   "let this check report nothing, such as keystream-reuse; repeatable")
                  .one_of(run_checks())
                  .needs("--check"),
              text("--check-suppress", "FILE", &o->suppressions,
                   "accept the findings that a line of FILE fits: CHECK FUNCTION MODULE REASON, "
                   "where * stands for anything")
                  .needs("--check"),
              text("--stale-key", "WHAT", &o->stale_key,
                   "what an XCRYPT does whose program has not asked for a reload of its key: "
                   "'reload' loads it, 'emulate' goes on with the old one, as silicon does")
                  .one_of({"reload", "emulate"})
                  .usually("reload"),
              flag_or_value("--trace", "FILE", &o->trace,
                            "show each PadLock instruction with key, vector, data and place; keys "
                            "and data as digests; FILE gets JSON lines"),
              flag("--trace-secrets", &o->trace_secrets, "show the keys themselves")
                  .needs("--trace"),
              flag_or_value("--compare", "FILE", &o->compare,
                            "run the program without PadLock too, report which output differs and "
                            "the first call whose result it never has then, and exit 1 for a "
                            "difference; FILE gets JSON")
                  .excludes({"--trace", "--gdb", "--verbose"}),
              flag("--gdb", &o->debug, "stop the program before it begins, and start gdb on it"),
              text(
                  "--require", "MNEMONIC", &o->required,
                  "exit 1 if this instruction never ran, such as xcrypt-cbc or vcipher; repeatable")
                  .one_of(run_mnemonics()),
              number("--rng-seed", "N", &o->rng_seed,
                     "XSTORE delivers repeatable noise that starts from this number"),
              flag("--list-cpus", &o->list_cpus,
                   "print the models as JSON and do nothing else; '--cpu list' prints them for "
                   "people"),
              flag("-v,--verbose", &o->verbose,
                   "say what happens: programs, patched sites, refused instructions, commands of "
                   "QEMU"),
          },
      .about =
          "PROGRAM is an x86 Linux program of 64 or 32 bits, one for 64-bit PowerPC (either byte "
          "order), which runs under QEMU, a script, or a program for VeMICry (an ELF executable "
          "for bare MIPS-I, or assembly, .s), which is simulated. When it has ended, reports come "
          "on stderr or, with FILE, in files.",
      .examples =
          {
              "incore run -- openssl engine -t padlock",
              "incore run --cpu list",
              "incore run --cpu esther --stats -- ./test-aes",
              "incore run --check -- ./test-aes",
              "incore run --rng-seed 1 -- ./test-rng",
              "incore run --require xcrypt-cbc -- openssl enc -engine padlock -aes-128-cbc -K $K "
              "-iv $IV -in a -out b",
              "incore run --require vcipher -- ./test-aes-ppc64le",
              "incore run --cpu power9 -- ./run-ppc64le-tests.sh",
          },
      .exit_codes = {{"1",
                      "the program's was 0, but --check, --compare or --require found something"},
                     {"2", "it could not be run"},
                     {"else", "the program's own, or 128 + the signal that ended it"}},
      .run = [o] { return run(*o); },
      .program = &o->program,
  };
}

}  // namespace incore::cli
