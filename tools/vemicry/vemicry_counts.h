// Counts of our workloads on the paper's machine, for `incore vemicry results`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace incore::tools {

// What a function takes, in instructions.
struct Count {
  uint64_t function = 0;
  std::optional<uint64_t> with_call;  // as a caller executed it; none: part of a program
  uint64_t body = 0;                  // of the function, without its return
  uint64_t entered = 1;               // how often it was called; the others are of one call
};

// A key schedule and an encryption that takes the round keys it makes, in instructions.
struct KeyedPair {
  std::string keys, block;  // workloads
  uint64_t keys_instructions = 0, block_instructions = 0;
  uint64_t sum() const { return keys_instructions + block_instructions; }
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

  // For each vector program that encrypts one block, the shortest key schedule whose round keys it
  // takes, both executed one behind the other; by their sum.
  std::vector<KeyedPair> pairs_of_one_block();

  const std::vector<std::string>& mistakes() const { return mistakes_; }

 private:
  std::map<std::string, std::optional<Count>> counts_;
  std::vector<std::string> mistakes_;
};

}  // namespace incore::tools
