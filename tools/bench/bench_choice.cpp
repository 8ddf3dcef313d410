#include "tools/bench/bench_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tools/base/quote.h"
#include "tools/base/suggest.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {
namespace {

#define X(name) &bench_##name,
const Bench* const kBenches[] = {
#include "tools/bench/benches.def"
};
#undef X

bool has_operation(const Bench& bench, const std::string& name) {
  if (bench.family == nullptr) return false;
  const std::vector<Row> rows = bench.family->rows({});
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Row& row) { return names_operation(name, row.task.operation); });
}

std::string near(const std::string& name) {
  const std::string nearest = suggestion(name, measurable_names());
  return nearest.empty() ? "." : nearest;
}

// Whether what is measured depends on |option|.
bool reads(const BenchChoice& choice, const std::string& option) {
  if (choice.bench->family == nullptr)
    return std::ranges::count(choice.bench->options, option) != 0;
  if (option != "--sizes" && option != "--messages") return option != "--table";
  const std::vector<Row> rows = choice.bench->family->rows({});
  return std::ranges::any_of(rows, [&](const Row& row) {
    return (option == "--sizes" ? row.bytes != 0 : row.task.messages > 1) &&
           is_chosen(choice.operations, row.task.operation);
  });
}

}  // namespace

std::vector<std::string> bench_names() {
  std::vector<std::string> names;
  for (const Bench* bench : kBenches) names.push_back(bench->name);
  return names;
}

std::vector<std::string> measurable_names() {
  BenchOptions small;
  small.sizes = {16};
  std::vector<std::string> names = bench_names();
  for (const Bench* bench : kBenches)
    if (bench->family != nullptr)
      for (const Row& row : bench->family->rows(small))
        if (std::ranges::count(names, row.task.operation) == 0) names.push_back(row.task.operation);
  return names;
}

std::vector<BenchChoice> choose_benches(const std::vector<std::string>& names) {
  std::vector<BenchChoice> chosen;
  for (const std::string& name : names) {
    const size_t before = chosen.size();
    const bool is_family = std::any_of(std::begin(kBenches), std::end(kBenches),
                                       [&](const Bench* each) { return name == each->name; });
    for (const Bench* each : kBenches)
      if (name == each->name)
        chosen.push_back({each, {}});
      else if (!is_family && has_operation(*each, name))
        chosen.push_back({each, {name}});
    if (chosen.size() == before)
      throw std::invalid_argument(fmt::format(
          "{} cannot be measured{} Accepted: {}; and operations, such as aes-128-ctr or "
          "sha256",
          in_quotes(name), near(name), fmt::join(bench_names(), " ")));
  }
  if (names.empty())
    for (const Bench* each : kBenches)
      if (each->family != nullptr) chosen.push_back({each, {}});
  return chosen;
}

std::string idle_option(const std::vector<std::string>& given,
                        const std::vector<BenchChoice>& chosen) {
  for (const std::string& option : given)
    if (std::ranges::none_of(chosen, [&](const BenchChoice& each) { return reads(each, option); }))
      return option;
  return "";
}

}  // namespace incore::tools
