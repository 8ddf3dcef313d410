// `incore vemicry sweep`: programs measured on many machines, and what the figures say.
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <filesystem>

#include <memory>
#include "cli/command.h"
#include "cli/vemicry/machine_options.h"
#include "tools/base/input_file.h"
#include "tools/base/output_file.h"
#include "tools/base/quote.h"
#include "tools/sweep/sweep_page.h"
#include "tools/sweep/sweep_runner.h"
#include "tools/sweep/sweep_tables.h"

namespace incore::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string file, out;
  unsigned jobs = 0;
  bool csv = false, json = false, html = false;
};

std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // the handler may set it

// The first signal asks the sweep to stop behind what it measures now; a second one ends it.
void stop_on(std::initializer_list<int> signals) {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop_asked = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : signals) sigaction(signal, &action, nullptr);
}

int report(const Options& options, const SweepResult& result) {
  const fs::path out(options.out);
  const std::string csv = sweep_csv(result), json = sweep_json(result), html = html_report(result);
  for (const auto& [name, content] :
       {std::pair{"results.csv", &csv}, std::pair{"results.json", &json},
        std::pair{"report.html", &html}})
    if (const std::string error = write_file(out / name, *content); !error.empty())
      return fail(kBadInput, error);
  if (options.csv || options.json || options.html)
    fmt::print("{}", options.csv ? csv : options.json ? json : html);
  else
    fmt::print("{}report: {}\n", sweep_text(result),
               quoted_if_needed((out / "report.html").string()));

  int code = kDone;
  if (!result.failed.empty()) {
    const SweepGap& gap = result.failed.front();
    code = fail(kDiffers, fmt::format("{}, {}: {}{}", result.plan.programs[gap.point.program].name,
                                      design_name(result.plan, gap.point), gap.reason,
                                      result.failed.size() == 1
                                          ? ""
                                          : fmt::format(" (and {} more, see results.json)",
                                                        result.failed.size() - 1)));
  }
  const size_t done = result.rows.size() + result.skipped.size() + result.failed.size();
  if (done < result.num_points)
    code = fail(kDiffers, fmt::format("stopped with {} of {} done; to go on: incore vemicry sweep "
                                      "{} --out {}",
                                      done, result.num_points, quoted_if_needed(options.file),
                                      quoted_if_needed(options.out)));
  return code;
}

int sweep(Options options) {
  std::string text;
  if (const std::string error = read_input_file(options.file, &text); !error.empty())
    return fail(kBadInput, fmt::format("{}: {}", quoted_if_needed(options.file), error));
  SweepPlan plan;
  if (const std::string mistake =
          read_sweep_plan(text, quoted_if_needed(options.file),
                          fs::path(options.file).parent_path().string(), &plan);
      !mistake.empty())
    return fail(kBadInput, mistake);
  if (const std::string mistake = read_sweep_files(&plan); !mistake.empty())
    return fail(kBadInput, mistake);
  if (const std::string mistake = sweep_program_mistake(plan); !mistake.empty())
    return fail_with_lines(kBadInput, mistake);
  if (options.out.empty()) options.out = fs::path(options.file).stem().string() + "-sweep";
  std::error_code error;
  fs::create_directories(options.out, error);
  if (error)
    return fail(kBadInput,
                fmt::format("cannot make {}: {}", in_quotes(options.out), error.message()));
  SweepStore store;
  if (const std::string mistake = store.open((fs::path(options.out) / "measured.jsonl").string());
      !mistake.empty())
    return fail(kBadInput, mistake);
  stop_on({SIGINT, SIGTERM, SIGHUP});
  SweepResult result;
  if (const std::string mistake = run_sweep(plan, options.jobs, stop_asked, &store, &result);
      !mistake.empty())
    return fail(kBadInput, mistake);
  return report(options, result);
}

}  // namespace

Command vemicry_sweep_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "sweep",
      .summary = "measure programs on many machines, with tables and plots",
      .options = {text("FILE", "", &o->file, "what to measure, in TOML").required(),
                  text("--out", "DIR", &o->out,
                       "folder for results.csv, results.json and report.html, and for "
                       "measured.jsonl, from which a sweep that was stopped goes on")
                      .usually("FILE's name with -sweep"),
                  number("--jobs", "N", &o->jobs, 1, 1024, "threads").usually("one for each core"),
                  flag("--csv", &o->csv, "print results.csv").excludes({"--json", "--html"}),
                  flag("--json", &o->json, "print results.json").excludes({"--html"}),
                  flag("--html", &o->html, "print report.html")},
      .about =
          "Keys of the file:\n"
          "  programs = [\"aes128-encrypt-16\", { file = \"my.s\", function = \"f\" }]\n"
          "      and in these braces: arguments = [\"data\", 4], input = { data = \"IN\" },\n"
          "      expected = { data = \"OUT\" }, bytes = 64\n"
          "  q, p, r, l, banks, ports, memory_latency, seeds = 8, [4, 8] or\n"
          "      { from = 1, to = 8, factor = 2 }\n"
          "  gates_per_bit = 1.0, what a bit of the lanes' memory counts in areas\n"
          "  title = \"of the report\"\n"
          "  max_instructions = 100000000, after which a function of yours is given up",
      .examples = {"incore vemicry sweep examples/vemicry/lanes.toml",
                   "incore vemicry sweep lanes.toml --out /tmp/lanes --csv"},
      .exit_codes = {{"0", "done"},
                     {"1", "a result was wrong or the sweep was stopped"},
                     {"2", "bad usage"}},
      .run = [o] { return sweep(*o); },
  };
}

}  // namespace incore::cli
