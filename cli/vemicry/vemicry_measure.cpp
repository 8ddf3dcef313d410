// `incore vemicry measure`: one of the programs that come with Incore, on a machine of your choice.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options/number_option.h"
#include "cli/vemicry/vemicry.h"
#include "tools/base/quote.h"

namespace incore::cli {
namespace {

struct Options {
  std::vector<std::string> workloads;
  uint64_t seed = 1;
  bool json = false;
};

std::vector<std::string> all_workloads() {
  std::vector<std::string> names;
  incore_vemicry_workload workload;
  for (size_t i = 0; incore_vemicry_get_workload(i, &workload) == INCORE_OK; ++i)
    names.push_back(workload.name);
  return names;
}

int measure(const Options& options, const incore_vemicry_config& config) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const std::vector<std::string> names =
      options.workloads.empty() ? all_workloads() : options.workloads;
  for (const std::string& name : names) {
    incore_vemicry_figures figures;
    char reason[512];
    const incore_status status = incore_vemicry_measure(name.c_str(), &config, options.seed,
                                                        &figures, reason, sizeof reason);
    if (status == INCORE_ERROR_RANGE && options.workloads.empty()) {  // not for such a machine
      if (!options.json) fmt::print("{:<32} {}\n", name, reason);
      continue;
    }
    if (status != INCORE_OK)
      return fail(status == INCORE_ERROR_FAULT ? kDiffers : kBadInput,
                  fmt::format("{}: {}", quoted_if_needed(name), reason));
    if (options.json)
      list.push_back({{"workload", name},
                      {"instructions", figures.instructions},
                      {"call_instructions", figures.call_instructions},
                      {"cycles", figures.cycles},
                      {"bytes", figures.num_bytes}});
    else
      fmt::print("{:<32} {:>10} instructions {:>10} cycles\n", name, figures.instructions,
                 figures.cycles);
  }
  if (options.json) fmt::print("{}\n", list.dump(2));
  return kDone;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("WORKLOAD", options->workloads, "what to run (all)");
  add_number_option(app, "--seed", &options->seed, 0, UINT64_MAX,
                    "input is made from this number (1)");
  app.add_flag("--json", options->json, "print JSON");
  const auto config = add_machine_options(app);
  add_latency_option(app, config.get());
  return [options, config] { return measure(*options, *config); };
}

}  // namespace

extern const Subcommand vemicry_measure_command = {
    "measure", "run programs that come with Incore, check what they leave, count",
    "Example:\n"
    "  incore vemicry measure\n"
    "  incore vemicry measure aes128-encrypt-16 --r 4\n"
    "Exit code: 0 done, 1 a result was wrong, 2 bad usage.",
    configure};

}  // namespace incore::cli
