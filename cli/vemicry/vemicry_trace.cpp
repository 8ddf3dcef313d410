// `incore vemicry trace`: what a program executes, and how it passes the pipeline.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/vemicry/machine_options.h"
#include "tools/base/quote.h"
#include "tools/vemicry/trace_output.h"

namespace incore::cli {
namespace {

constexpr uint64_t kDefaultLimit = 100'000;  // one or two kilobytes of files for each
constexpr uint64_t kDefaultRows = 16, kMaxRows = 10'000;

struct Options {
  std::string workload, function, folder;
  std::vector<std::string> files, arguments;
  uint64_t seed = 1, limit = 0, rows = 0, from = 0, to = UINT64_MAX;
  bool json = false;
  incore_vemicry_config config = {};
};

// Runs what |options| ask for.
incore_status run(const Options& options, const incore_vemicry_config& config, uint64_t limit,
                  const incore_vemicry_program* program, const std::vector<uint32_t>& arguments,
                  TraceOutput* inout_trace, incore_vemicry_trace_totals* out_totals, char* reason,
                  size_t reason_len) {
  incore_vemicry_trace_options run_options = {&config, limit, nullptr, inout_trace};
  if (inout_trace->shows_instructions)
    run_options.visit = [](void* context, const incore_vemicry_traced* traced) {
      return static_cast<TraceOutput*>(context)->add(*traced);
    };
  if (program == nullptr)
    return incore_vemicry_trace_workload(options.workload.c_str(), options.seed, &run_options,
                                         out_totals, reason, reason_len);
  return incore_vemicry_trace_program(
      program, options.function.empty() ? nullptr : options.function.c_str(), arguments.data(),
      arguments.size(), &run_options, out_totals, reason, reason_len);
}

int trace(const Options& options) {
  const incore_vemicry_config& config = options.config;
  ProgramHandle program = {nullptr, incore_vemicry_program_free};
  if (options.files.empty() == options.workload.empty())
    return fail(kBadInput, "give either a FILE or --workload (see 'incore vemicry trace --help')");
  if (options.to < options.from)
    return fail(kBadInput, fmt::format("--to is {}, and --from {}", options.to, options.from));
  if (!options.files.empty()) {
    program = load_program(options.files, config);
    if (program == nullptr) return kBadInput;
  }
  std::vector<uint32_t> arguments;
  if (!options.arguments.empty())
    if (const std::string mistake = read_arguments(options.arguments, *program, &arguments);
        !mistake.empty())
      return fail(kBadInput, mistake);
  const uint64_t limit = options.limit != 0 ? options.limit : kDefaultLimit;
  const bool some = options.from != 0 || options.to != UINT64_MAX;
  const bool quiet = options.json || !options.folder.empty();
  const uint64_t rows = options.rows != 0 ? options.rows
                        : some            ? kMaxRows
                        : quiet           ? 0
                                          : kDefaultRows;
  TraceOutput trace = {{},
                       TraceDiagram(options.from, options.to, rows),
                       Progress("tracing", limit),
                       rows != 0 || !options.folder.empty(),
                       0,
                       ""};
  if (!options.folder.empty())
    if (const std::string error = trace.open_files(options.folder, config); !error.empty())
      return fail(kBadInput, error);

  incore_vemicry_trace_totals totals = {};
  char reason[512] = "";
  const incore_status status =
      run(options, config, limit, program.get(), arguments, &trace, &totals, reason, sizeof reason);
  if (status != INCORE_OK && status != INCORE_ERROR_FAULT) return fail(kBadInput, reason);
  if (const std::string error = trace.finish(totals); !error.empty()) return fail(kBadInput, error);

  fmt::print("{}", trace.diagram.text());
  print_totals(totals, options.json);
  if (totals.outcome.stop == INCORE_VEMICRY_TRAPPED)
    return fail(kDiffers,
                fmt::format("{} at {:08x}", totals.outcome.exception, totals.outcome.address));
  if (status == INCORE_ERROR_FAULT) return fail(kDiffers, reason);
  if (totals.outcome.stop == INCORE_VEMICRY_LIMIT && options.limit == 0)
    return fail(kDiffers,
                fmt::format("not at its end after {} instructions; --limit allows more", limit));
  return kDone;
}

}  // namespace

Command vemicry_trace_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "trace",
      .summary = "what a program executes, and how it passes the pipeline",
      .options = joined(
          {{text("FILE", "", &o->files,
                 "a program: an ELF executable, or assembly in one file or several"),
            text("--workload", "WORKLOAD", &o->workload,
                 "one of the programs that come with Incore")
                .one_of(workload_names()),
            number("--seed", "N", &o->seed, "a workload's input is made from this number")
                .needs("--workload"),
            text("--call", "LABEL", &o->function, "the label of a function to call")
                .excludes({"--workload"})
                .usually("the entry"),
            text("--arg", "VALUE", &o->arguments, "an argument for it, number or label; repeatable")
                .needs("--call"),
            text("--out", "DIR", &o->folder, "folder to write the files of the trace to"),
            flag("--json", &o->json, "print figures as JSON, alone"),
            number("--diagram", "N", &o->rows, 1, kMaxRows,
                   "show the last N instructions in the pipeline")
                .usually("16")
                .excludes({"--json"}),
            number("--from", "N", &o->from, "of these, none before this number, counted from 0")
                .excludes({"--json"}),
            number("--to", "N", &o->to, "and none behind this number")
                .usually("")
                .excludes({"--json"}),
            number("--limit", "N", &o->limit, 1, UINT64_MAX, "execute at most so many")
                .usually(std::to_string(kDefaultLimit))},
           machine_options(&o->config),
           memory_options(&o->config)}),
      .about = "Files: vemicry.dasm, vemicry.trace, vemicry.stats, vemicry.kanata, vemicry.json.",
      .examples =
          {"incore vemicry trace --workload xor-words",
           "incore vemicry trace --workload xor-words --r 4 --out trace",
           "incore vemicry trace program.s --call multiply --arg 6 --arg 7 --from 0 --to 20"},
      .exit_codes = {{"0", "done"},
                     {"1", "the program failed or was cut short"},
                     {"2", "bad usage or input"}},
      .run = [o] { return trace(*o); },
  };
}

}  // namespace incore::cli
