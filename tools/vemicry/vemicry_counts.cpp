#include "tools/vemicry/vemicry_counts.h"

#include <algorithm>
#include <regex>
#include <set>

#include "incore/vemicry.h"

namespace incore::tools {
namespace {

constexpr uint64_t kSeed = 1;
constexpr uint64_t kBlockLen = 16;

// The function that is looked for in a profile.
struct Search {
  std::string label;
  std::optional<Count> count;
};

void on_function(void* context, const char* label, uint64_t entered, uint64_t instructions,
                 uint64_t return_instructions) {
  auto* const search = static_cast<Search*>(context);
  if (search->label != label || entered == 0) return;
  search->count = Count{instructions / entered, std::nullopt,
                        (instructions - return_instructions) / entered, entered};
}

// Adds the registers v0, v1 and so on that an instruction names, but not the scalar $v0.
void add_vector_registers(const std::string& text, std::set<std::string>* inout_registers) {
  static const std::regex vector_register("(^|[^$\\w])(v\\d+)\\b");
  for (std::sregex_iterator i(text.begin(), text.end(), vector_register), end; i != end; ++i)
    inout_registers->insert((*i)[2]);
}

}  // namespace

std::optional<Count> WorkloadCounter::of(const std::string& workload) {
  const auto [place, is_new] = counts_.try_emplace(workload);
  if (!is_new) return place->second;
  incore_vemicry_figures figures;
  char reason[1024] = "";
  if (incore_vemicry_measure(workload.c_str(), nullptr, kSeed, &figures, reason, sizeof reason) ==
      INCORE_OK)
    place->second = Count{figures.instructions, figures.instructions + figures.call_instructions,
                          figures.instructions, 1};
  else
    mistakes_.push_back(workload + ": " + reason);
  return place->second;
}

std::optional<Count> WorkloadCounter::of(const std::string& workload, const char* function) {
  if (function == nullptr) return of(workload);
  Search search{function, {}};
  char reason[1024] = "";
  if (incore_vemicry_profile(workload.c_str(), nullptr, kSeed, on_function, &search, reason,
                             sizeof reason) != INCORE_OK)
    mistakes_.push_back(workload + ": " + reason);
  else if (!search.count)
    mistakes_.push_back(workload + " does not call " + function);
  return search.count;
}

std::vector<KeyedPair> WorkloadCounter::pairs_of_one_block() {
  std::vector<std::string> schedules, blocks;
  incore_vemicry_workload workload;
  for (size_t i = 0; incore_vemicry_get_workload(i, &workload) == INCORE_OK; ++i) {
    const std::string name = workload.name;
    if (name.starts_with("aes128-") && workload.makes_round_keys != 0) schedules.push_back(name);
    if (name.starts_with("aes128-encrypt-") && workload.takes_round_keys != 0)
      blocks.push_back(name);
  }
  std::vector<KeyedPair> pairs;
  for (const std::string& block : blocks) {
    std::optional<KeyedPair> best;
    for (const std::string& schedule : schedules) {
      incore_vemicry_figures of_keys, of_block;
      if (incore_vemicry_measure_with_keys(schedule.c_str(), block.c_str(), nullptr, kSeed,
                                           &of_keys, &of_block, nullptr, 0) != INCORE_OK ||
          of_block.num_bytes != kBlockLen)
        continue;  // they do not go together
      const KeyedPair pair = {schedule, block, of_keys.instructions, of_block.instructions};
      if (!best || pair.sum() < best->sum()) best = pair;
    }
    if (best) pairs.push_back(*best);
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const KeyedPair& a, const KeyedPair& b) { return a.sum() < b.sum(); });
  return pairs;
}

size_t WorkloadCounter::registers_of(const std::string& workload) {
  std::set<std::string> registers;
  incore_vemicry_trace_options options = {};
  options.context = &registers;
  options.visit = [](void* context, const incore_vemicry_traced* traced) {
    add_vector_registers(traced->text, static_cast<std::set<std::string>*>(context));
    return 0;
  };
  incore_vemicry_trace_totals totals;
  char reason[1024] = "";
  if (incore_vemicry_trace_workload(workload.c_str(), kSeed, &options, &totals, reason,
                                    sizeof reason) != INCORE_OK)
    mistakes_.push_back(workload + ": " + reason);
  return registers.size();
}

}  // namespace incore::tools
