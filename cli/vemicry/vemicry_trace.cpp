// `incore vemicry trace`: what a program executes, and how it passes the pipeline.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options/number_option.h"
#include "cli/vemicry/vemicry.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/vemicry/trace_diagram.h"
#include "tools/vemicry/trace_writer.h"

namespace incore::cli {
namespace {

constexpr const TraceFile* kFiles[] = {&dasm_file, &pc_file, &stats_file, &kanata_file,
                                       &chrome_file};
constexpr uint64_t kDefaultLimit = 100'000;  // one or two kilobytes of files for each
constexpr uint64_t kDefaultRows = 16, kMaxRows = 10'000;

struct Options {
  std::string file, workload, function, folder;
  std::vector<std::string> arguments;
  uint64_t seed = 1, limit = 0, rows = 0, from = 0, to = UINT64_MAX;
  bool json = false;
};

// What gets the executed instructions.
struct Trace {
  std::vector<std::unique_ptr<TraceWriter>> writers;
  TraceDiagram diagram;
  Progress progress;
  bool shows_instructions = false;  // in files or as a diagram, not only totals
  uint64_t added = 0;
  std::string error;

  int add(const incore_vemicry_traced& traced) {
    for (const auto& writer : writers) {
      writer->add(traced);
      if (!writer->error().empty()) error = writer->error();
    }
    diagram.add(traced);
    if (++added % 1024 == 0) progress.update_count(added, "");
    return error.empty() ? 0 : 1;
  }
};

std::string open_files(const std::string& folder, const incore_vemicry_config& config,
                       Trace* out_trace) {
  const uint32_t words = config.p != 0 ? config.p : 8;
  const uint32_t num_lanes = config.r != 0 ? config.r : std::min(words, 8u);
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) return fmt::format("cannot make the folder {}: {}", in_quotes(folder), code.message());
  for (const TraceFile* file : kFiles) {
    out_trace->writers.push_back(file->make());
    if (std::string error = out_trace->writers.back()->open(folder + "/" + file->name);
        !error.empty())
      return error;
    out_trace->writers.back()->begin(num_lanes);
  }
  return "";
}

// Runs what |options| ask for.
incore_status run(const Options& options, const incore_vemicry_config& config, uint64_t limit,
                  const incore_vemicry_program* program, const std::vector<uint32_t>& arguments,
                  Trace* inout_trace, incore_vemicry_trace_totals* out_totals, char* reason,
                  size_t reason_len) {
  incore_vemicry_trace_options run_options = {&config, limit, nullptr, inout_trace};
  if (inout_trace->shows_instructions)
    run_options.visit = [](void* context, const incore_vemicry_traced* traced) {
      return static_cast<Trace*>(context)->add(*traced);
    };
  if (program == nullptr)
    return incore_vemicry_trace_workload(options.workload.c_str(), options.seed, &run_options,
                                         out_totals, reason, reason_len);
  return incore_vemicry_trace_program(
      program, options.function.empty() ? nullptr : options.function.c_str(), arguments.data(),
      arguments.size(), &run_options, out_totals, reason, reason_len);
}

void print_json(const incore_vemicry_trace_totals& totals) {
  nlohmann::ordered_json stalls = nlohmann::ordered_json::object();
  for (size_t i = 0; i < INCORE_VEMICRY_NUM_STALLS; ++i)
    if (totals.stall_cycles[i] != 0) stalls[incore_vemicry_stall_text(i)] = totals.stall_cycles[i];
  const nlohmann::ordered_json json = {
      {"instructions", totals.outcome.instructions}, {"cycles", totals.cycles}, {"stalls", stalls}};
  fmt::print("{}\n", json.dump(2));
}

void print_text(const incore_vemicry_trace_totals& totals) {
  fmt::print("{} instructions, {} cycles in the pipeline, of which {} are stalls\n",
             totals.outcome.instructions, totals.cycles,
             totals.cycles - totals.outcome.instructions);
  fmt::print("{}", stall_lines(totals));
}

int trace(const Options& options, const incore_vemicry_config& config) {
  ProgramHandle program = {nullptr, incore_vemicry_program_free};
  if (options.file.empty() == options.workload.empty())
    return fail(kBadInput, "give either a FILE or --workload (see 'incore vemicry trace --help')");
  if (options.to < options.from)
    return fail(kBadInput, fmt::format("--to is {}, and --from {}", options.to, options.from));
  if (!options.file.empty()) {
    program = load_program(options.file, config);
    if (program == nullptr) return kBadInput;
  }
  std::vector<uint32_t> arguments;
  for (const std::string& text : options.arguments) {
    arguments.emplace_back();
    if (const std::string mistake = read_argument(text, *program, &arguments.back());
        !mistake.empty())
      return fail(kBadInput, mistake);
  }
  const uint64_t limit = options.limit != 0 ? options.limit : kDefaultLimit;
  const bool some = options.from != 0 || options.to != UINT64_MAX;
  const bool quiet = options.json || !options.folder.empty();
  const uint64_t rows = options.rows != 0 ? options.rows
                        : some            ? kMaxRows
                        : quiet           ? 0
                                          : kDefaultRows;
  Trace trace = {{},
                 TraceDiagram(options.from, options.to, rows),
                 Progress("tracing", limit),
                 rows != 0 || !options.folder.empty(),
                 0,
                 ""};
  if (!options.folder.empty())
    if (const std::string error = open_files(options.folder, config, &trace); !error.empty())
      return fail(kBadInput, error);

  incore_vemicry_trace_totals totals = {};
  char reason[512] = "";
  const incore_status status =
      run(options, config, limit, program.get(), arguments, &trace, &totals, reason, sizeof reason);
  if (status != INCORE_OK && status != INCORE_ERROR_FAULT) return fail(kBadInput, reason);
  for (const auto& writer : trace.writers) {
    writer->finish(totals);
    if (trace.error.empty()) trace.error = writer->error();
  }
  for (const auto& writer : trace.writers)
    if (trace.error.empty()) trace.error = writer->commit();
  if (!trace.error.empty()) return fail(kBadInput, trace.error);

  fmt::print("{}", trace.diagram.text());
  options.json ? print_json(totals) : print_text(totals);
  if (totals.outcome.stop == INCORE_VEMICRY_TRAPPED)
    return fail(kDiffers,
                fmt::format("{} at {:08x}", totals.outcome.exception, totals.outcome.address));
  if (status == INCORE_ERROR_FAULT) return fail(kDiffers, reason);
  if (totals.outcome.stop == INCORE_VEMICRY_LIMIT && options.limit == 0)
    return fail(kDiffers,
                fmt::format("not at its end after {} instructions; --limit allows more", limit));
  return kDone;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "a program: assembly, or an ELF executable");
  CLI::Option* const workload =
      app.add_option("--workload", options->workload, "one of the programs that come with Incore");
  add_number_option(app, "--seed", &options->seed, 0, UINT64_MAX,
                    "a workload's input is made from this number (1)")
      ->needs(workload);
  CLI::Option* const call =
      app.add_option("--call", options->function, "the label of a function to call (the entry)")
          ->excludes(workload);
  app.add_option("--arg", options->arguments, "an argument for it, number or label; repeatable")
      ->allow_extra_args(false)
      ->needs(call);
  app.add_option("--out", options->folder, "folder to write the files of the trace to");
  CLI::Option* const json = app.add_flag("--json", options->json, "print figures as JSON, alone");
  add_number_option(app, "--diagram", &options->rows, 1, kMaxRows,
                    "show the last N instructions in the pipeline (16)")
      ->excludes(json);
  add_number_option(app, "--from", &options->from, 0, UINT64_MAX,
                    "of these, none before this number, counted from 0")
      ->excludes(json);
  add_number_option(app, "--to", &options->to, 0, UINT64_MAX, "and none behind this number")
      ->excludes(json);
  add_number_option(app, "--limit", &options->limit, 1, UINT64_MAX,
                    fmt::format("execute at most so many ({})", kDefaultLimit));
  const auto config = add_machine_options(app);
  add_latency_option(app, config.get());
  return [options, config] { return trace(*options, *config); };
}

}  // namespace

extern const Subcommand vemicry_trace_command = {
    "trace", "what a program executes, and how it passes the pipeline",
    "Example:\n"
    "  incore vemicry trace --workload xor-words\n"
    "  incore vemicry trace --workload xor-words --r 4 --out trace\n"
    "  incore vemicry trace program.s --call multiply --arg 6 --arg 7 --from 0 --to 20\n"
    "Files: vemicry.dasm, vemicry.trace, vemicry.stats, vemicry.kanata, vemicry.json.\n"
    "Exit code: 0 done, 1 the program failed or was cut short, 2 bad usage or input.",
    configure};

}  // namespace incore::cli
