// `incore bench ALG...`: speeds. What can be measured is listed in benches.def.
#include "bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace incore::cli {
namespace {

using Json = nlohmann::ordered_json;

#define X(name) &bench_##name,
const Bench* const kBenches[] = {
#include "benches.def"
};
#undef X

struct Options {
  std::vector<std::string> names;
  BenchOptions bench;
  bool json = false;
};

std::string known_names() {
  std::string text;
  for (const Bench* bench : kBenches) text += (text.empty() ? "" : " ") + std::string(bench->name);
  return text;
}

int bench(const Options& options) {
  std::vector<const Bench*> chosen;
  for (const std::string& name : options.names) {
    const auto* const found = std::find_if(std::begin(kBenches), std::end(kBenches),
                                           [&](const Bench* b) { return name == b->name; });
    if (found == std::end(kBenches))
      return fail(kBadInput,
                  fmt::format("'{}' cannot be measured; accepted are: {}", name, known_names()));
    chosen.push_back(*found);
  }
  int code = kDone;
  Json reports = Json::object();
  for (const Bench* each : chosen) {
    std::string text;
    code = std::max(code, each->run(options.bench, &reports[each->name], &text));
    if (!options.json) fmt::print("{}", text);
  }
  if (options.json && code != kBadInput) fmt::print("{}\n", reports.dump(2));
  return code;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("ALG", options->names, "what to measure: " + known_names())->required();
  app.add_option("--table", options->bench.tables,
                 "padlock-model: only this table, such as guide-esther; repeatable")
      ->allow_extra_args(false);
  app.add_flag("--json", options->json, "print JSON");
  return [options] { return bench(*options); };
}

}  // namespace

extern const Command bench_command = {
    "bench",
    "speeds; and what PadLock's timing model says beside the printed figures",
    "padlock-model measures nothing: it compares the timing model with the performance figures of\n"
    "the PadLock guide and the Linux Journal article, and says the error of each.\n"
    "\n"
    "Example:\n"
    "  incore bench padlock-model\n"
    "  incore bench padlock-model --table linux-journal\n"
    "Exit code: 0 done, 2 for something unknown.",
    configure,
};

}  // namespace incore::cli
