#include "vemicry_counts.h"

#include <regex>
#include <set>

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

void on_function(void* context, const char* label, uint64_t entered, uint64_t instructions,
                 uint64_t return_instructions) {
  auto* const search = static_cast<Search*>(context);
  if (search->label != label || entered == 0) return;
  search->count = Count{instructions / entered, instructions / entered + kCall,
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

}  // namespace incore::cli
