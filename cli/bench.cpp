// `incore bench ALG...`: speeds. What can be measured is listed in benches.def.
#include "tools/bench/bench.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

#include "cli/command.h"
#include "cli/options/chip_options.h"
#include "cli/options/number_option.h"
#include "tools/base/sizes.h"
#include "tools/bench/bench_task.h"
#include "tools/bench/governor.h"
#include "tools/bench/peer.h"
#include "tools/samples/baes.h"
#include "tools/samples/open_chip.h"

namespace incore::cli {
namespace {

using Json = nlohmann::ordered_json;

#define X(name) &bench_##name,
const Bench* const kBenches[] = {
#include "tools/bench/benches.def"
};
#undef X

constexpr size_t kMaxSize = size_t{256} << 20;
constexpr uint64_t kMaxMessages = 1024;
constexpr unsigned kMaxTimeMs = 60'000;

struct Options {
  std::vector<std::string> names;
  std::string peers;
  std::optional<std::string> sizes;
  unsigned time_ms = 50;
  BenchOptions bench;
  bool json = false;
  bool baes = false;
  BaesOptions baes_options;
  ChipOptions chip;
};

std::string known_names() {
  std::string text;
  for (const Bench* bench : kBenches) text += (text.empty() ? "" : " ") + std::string(bench->name);
  return text;
}

struct Choice {
  const Bench* bench;
  std::vector<std::string> operations;  // only these; empty: all
};

bool has_operation(const Bench& bench, const std::string& name) {
  if (bench.family == nullptr) return false;
  const std::vector<Row> rows = bench.family->rows({});
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Row& row) { return names_operation(name, row.task.operation); });
}

// What the user named, benchmarks or operations; or all of the library.
int choose(const Options& options, std::vector<Choice>* out_chosen) {
  for (const std::string& name : options.names) {
    const size_t before = out_chosen->size();
    const bool is_family = std::any_of(std::begin(kBenches), std::end(kBenches),
                                       [&](const Bench* each) { return name == each->name; });
    for (const Bench* each : kBenches)
      if (name == each->name)
        out_chosen->push_back({each, {}});
      else if (!is_family && has_operation(*each, name))
        out_chosen->push_back({each, {name}});
    if (out_chosen->size() == before)
      return fail(kBadInput,
                  fmt::format("'{}' cannot be measured; accepted are: {}; and operations, such as "
                              "aes-128-ctr or sha256",
                              name, known_names()));
  }
  if (options.names.empty())
    for (const Bench* each : kBenches)
      if (each->family != nullptr) out_chosen->push_back({each, {}});
  return kDone;
}

// Whether what is measured depends on |option|.
bool reads(const Choice& choice, const std::string& option) {
  if (choice.bench->family == nullptr)
    return std::ranges::count(choice.bench->options, option) != 0;
  if (option != "--sizes" && option != "--messages") return option != "--table";
  const std::vector<Row> rows = choice.bench->family->rows({});
  return std::ranges::any_of(rows, [&](const Row& row) {
    return (option == "--sizes" ? row.bytes != 0 : row.task.messages > 1) &&
           is_chosen(choice.operations, row.task.operation);
  });
}

// The first option given that nothing chosen reads; empty: none.
std::string idle_option(const CLI::App& app, const std::vector<Choice>& chosen) {
  for (const char* const option : {"--vs", "--sizes", "--messages", "--time", "--table"})
    if (app.get_option(option)->count() != 0 &&
        std::ranges::none_of(chosen, [&](const Choice& each) { return reads(each, option); }))
      return option;
  return "";
}

// Whether no call has more than kMaxSize bytes.
bool fits(const BenchOptions& options) {
  for (const size_t size : options.sizes)
    for (const size_t messages : options.messages)
      if (size > kMaxSize / messages) return false;
  return true;
}

// `incore bench aes --baes`.
int bench_as_baes(Options& options) {
  if (options.names != std::vector<std::string>{"aes"})
    return fail(kBadInput, "--baes is a form of 'incore bench aes'");
  options.baes_options.json = options.json;
  const Chip chip = open_chip(options.chip, nullptr);
  const PinnedCpu pinned;
  return run_baes(chip ? *padlock_aes_engine(chip.get()) : *library_aes_engine(),
                  options.baes_options);
}

int bench(const CLI::App& app, Options& options) {
  std::vector<Choice> chosen;
  int code = choose(options, &chosen);
  if (code != kDone) return code;
  if (const std::string idle = idle_option(app, chosen); !idle.empty())
    return fail(kBadInput,
                fmt::format("{} has no effect on {}", idle, fmt::join(options.names, ", ")));
  if (options.sizes) options.bench.sizes = parse_sizes(*options.sizes, kMaxSize);
  if (!fits(options.bench))
    return fail(kBadInput,
                fmt::format("--messages by --sizes is more than {} MiB", kMaxSize >> 20));
  options.bench.peers = open_peers(options.peers);
  options.bench.time = std::chrono::milliseconds(options.time_ms);
  options.bench.brief = options.names.empty();
  Json reports = Json::object();
  std::set<std::string> warnings;
  for (const Choice& choice : chosen) {
    const Bench& each = *choice.bench;
    options.bench.operations = choice.operations;
    std::string text;
    Json report;
    code = std::max(code, each.family != nullptr ? run_tasks(each, options.bench, &report, &text)
                                                 : each.run(options.bench, &report, &text));
    if (report.contains("governor"))
      warnings.insert(governor_warning(report["governor"], report["cpu"]));
    // One family may be asked for by several of its operations.
    Json& all = reports[each.name];
    if (all.contains("rows"))
      all["rows"].insert(all["rows"].end(), report["rows"].begin(), report["rows"].end());
    else
      all = report;
    if (!options.json) fmt::print("{}", text);
  }
  if (options.json && code != kBadInput) fmt::print("{}\n", reports.dump(2));
  for (const std::string& warning : warnings)
    if (!warning.empty()) fail(kDone, warning);
  return code;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("ALG", options->names, "what to measure: " + known_names());
  app.add_option("--vs", options->peers,
                 "measure other libraries beside us: a list of " + peer_names(", "));
  app.add_option("--sizes", options->sizes,
                 "bytes of data in a call: a list such as 16,1k,8K,64KiB");
  app.add_option("--messages", options->bench.messages,
                 "aes, sha: messages side by side in a call: a list such as 1,2,32 (1,32)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(whole_number(1, kMaxMessages));
  app.add_option("--time", options->time_ms, "milliseconds for each figure (50)")
      ->transform(whole_number(1, kMaxTimeMs));
  app.add_option("--table", options->bench.tables,
                 "padlock-model: only this table, such as guide-esther; repeatable")
      ->allow_extra_args(false);
  const std::string baes = "In the form of the guide's sample BAES";
  app.add_flag("--baes", options->baes, "aes: the sample's rates, by PadLock where there is one")
      ->group(baes);
  app.add_option("--rep", options->baes_options.repetitions, "calls for each rate (100000)")
      ->group(baes)
      ->transform(whole_number(1, 1'000'000'000));
  app.add_option("--buffer", options->baes_options.blocks,
                 "blocks of 16 bytes in a call, at most 2097152 (512)")
      ->group(baes)
      ->transform(whole_number(1));
  app.add_flag("--mc", options->baes_options.monte_carlo, "Monte Carlo tests first")->group(baes);
  add_chip_option(app, &options->chip, baes);
  for (const char* option : {"--rep", "--buffer", "--mc", "--cpu"})
    app.get_option(option)->needs("--baes");
  for (const char* option : {"--vs", "--sizes", "--messages", "--time", "--table"})
    app.get_option(option)->excludes("--baes");
  app.add_option("--sysfs", options->bench.sysfs)->group("");  // not shown: for tests
  app.add_flag("--json", options->json, "print JSON");
  return [&app, options] {
    try {
      return options->baes ? bench_as_baes(*options) : bench(app, *options);
    } catch (const std::invalid_argument& wrong) {
      return fail(kBadInput, wrong.what());
    }
  };
}

}  // namespace

extern const Command bench_command = {
    "bench",
    "how fast the library is here, beside other libraries; known answers come first",
    "Each operation is checked against published results, and with --vs also against the other\n"
    "library, before its speed is shown. Cycles are the core's own. Without ALG: the whole "
    "library,\n"
    "briefly.\n"
    "padlock-model measures nothing: it compares the timing model with the performance figures of\n"
    "the PadLock guide and the Linux Journal article, and says the error of each.\n"
    "\n"
    "Examples:\n"
    "  incore bench --vs openssl\n"
    "  incore bench aes sha256 --sizes 16,1k,64KiB --json\n"
    "  incore bench aes-128-cbc-encrypt --sizes 16,256 --messages 1,2,4,32\n"
    "  INCORE_KERNEL=aes:portable incore bench aes-128-ctr\n"
    "  incore bench padlock-model --table linux-journal\n"
    "  incore bench aes --baes --cpu esther --rep 1000 --mc\n"
    "Exit code: 0 done, 1 if a result is wrong, 2 for something unknown.",
    configure,
};

}  // namespace incore::cli
