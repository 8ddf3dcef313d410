// Counts of our workloads on the paper's machine, for `incore vemicry results`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace incore::cli {

// What a function takes, in instructions.
struct Count {
  uint64_t function = 0, with_call = 0;
  uint64_t body = 0;     // of the function, without its return
  uint64_t entered = 1;  // how often it was called; the others are of one call
};

// Runs workloads, each once, and remembers what went wrong.
class WorkloadCounter {
 public:
  // Nothing if the workload does not run or leaves a wrong result.
  std::optional<Count> of(const std::string& workload);
  // Of a function in the workload's program; null: the workload's own.
  std::optional<Count> of(const std::string& workload, const char* function);
  // How many vector registers the instructions name that |workload| executes.
  size_t registers_of(const std::string& workload);

  const std::vector<std::string>& mistakes() const { return mistakes_; }

 private:
  std::map<std::string, std::optional<Count>> counts_;
  std::vector<std::string> mistakes_;
};

}  // namespace incore::cli
