// `incore vemicry measure`: one of the programs that come with Incore, on a machine of your choice.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/vemicry/machine_options.h"
#include "tools/base/json.h"
#include "tools/base/quote.h"

namespace incore::cli {
namespace {

struct Options {
  std::vector<std::string> workloads;
  uint64_t seed = 1;
  bool json = false;
  incore_vemicry_config config = {};
};

int measure(const Options& options) {
  Json list = Json::array();
  const std::vector<std::string> names =
      options.workloads.empty() ? workload_names() : options.workloads;
  for (const std::string& name : names) {
    incore_vemicry_figures figures;
    char reason[512];
    const incore_status status = incore_vemicry_measure(name.c_str(), &options.config, options.seed,
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
  if (options.json) fmt::print("{}", json_text(list));
  return kDone;
}

}  // namespace

Command vemicry_measure_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "measure",
      .summary = "run programs that come with Incore, check what they leave, count",
      .options = joined({{text("WORKLOAD", "", &o->workloads, "what to run, all if none is given")
                              .one_of(workload_names()),
                          number("--seed", "N", &o->seed, "input is made from this number"),
                          flag("--json", &o->json, "print JSON")},
                         machine_options(&o->config),
                         memory_options(&o->config)}),
      .examples = {"incore vemicry measure", "incore vemicry measure aes128-encrypt-16 --r 4"},
      .exit_codes = {{"0", "done"}, {"1", "a result was wrong"}, {"2", "bad usage"}},
      .run = [o] { return measure(*o); },
  };
}

}  // namespace incore::cli
