#include "vemicry_counts.h"

#include "incore/vemicry.h"

namespace incore::cli {
namespace {

constexpr uint64_t kSeed = 1;
constexpr uint64_t kCall = 2;  // jal and its delay slot

// The function that is looked for in a profile.
struct Search {
  std::string label;
  std::optional<Count> count;
};

void on_function(void* context, const char* label, uint64_t entered, uint64_t instructions) {
  auto* const search = static_cast<Search*>(context);
  if (search->label != label || entered == 0) return;
  search->count = Count{instructions / entered, instructions / entered + kCall, entered};
}

}  // namespace

std::optional<Count> WorkloadCounter::of(const std::string& workload) {
  const auto [place, is_new] = counts_.try_emplace(workload);
  if (!is_new) return place->second;
  incore_vemicry_figures figures;
  char reason[1024] = "";
  if (incore_vemicry_measure(workload.c_str(), nullptr, kSeed, &figures, reason, sizeof reason) ==
      INCORE_OK)
    place->second =
        Count{figures.instructions, figures.instructions + figures.call_instructions, 1};
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

uint32_t WorkloadCounter::registers_of(const std::string& workload) const {
  incore_vemicry_config config = {};
  incore_vemicry_figures figures;
  for (config.q = 1; config.q <= 16; ++config.q)
    if (incore_vemicry_measure(workload.c_str(), &config, kSeed, &figures, nullptr, 0) == INCORE_OK)
      return config.q;
  return 0;
}

}  // namespace incore::cli
