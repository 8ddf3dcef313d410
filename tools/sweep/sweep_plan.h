// What `incore vemicry sweep` measures: a TOML file that lists machines, programs and seeds, and
// the points that come of it. docs/vemicry/sweeps.md describes the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "incore/vemicry.h"
#include "tools/vemicry/user_call.h"

namespace incore::tools {

struct SweepProgram {
  std::string name;  // as it is shown: the workload's, or that of the call
  UserCall call;     // of a program of the user's; without a file, |name| is a workload
};

// In the lists of r and l: as many as p. In that of banks: no fewer than lanes.
inline constexpr uint32_t kSameAsP = 0, kAsLanes = 0;
inline constexpr size_t kMaxSweepPoints = 1'000'000;
inline constexpr uint64_t kDefaultMaxInstructions = 100'000'000;  // some seconds

// The default is the paper's machine.
struct SweepPlan {
  std::string title;
  std::vector<SweepProgram> programs;
  // Without duplicates, in ascending order; kSameAsP comes first.
  std::vector<uint32_t> q = {8}, p = {8}, r = {kSameAsP}, l = {kSameAsP}, banks = {kAsLanes},
                        ports = {2}, memory_latency = {0};
  std::vector<uint64_t> seeds = {1};
  // A user's function that has executed so many is taken for one without end.
  uint64_t max_instructions = kDefaultMaxInstructions;
  // What a bit of the lanes' memory counts in areas, if it has one port.
  double gates_per_bit = 0;
};

// Reads |text|, called |name| in messages. A user's program is found from |folder|, that of the
// TOML file. Returns what is wrong, as "name:line:column: cause"; empty if nothing is.
std::string read_sweep_plan(const std::string& text, const std::string& name,
                            const std::string& folder, SweepPlan* out_plan);

// One measurement.
struct SweepPoint {
  size_t program = 0;  // in SweepPlan::programs
  uint32_t q = 0, p = 0, r = 0, l = 0, banks = 0, ports = 0, memory_latency = 0;
  uint64_t seed = 0;

  incore_vemicry_config config() const;
  bool operator==(const SweepPoint&) const = default;
};

// Why no machine has such sizes; empty if one has.
std::string impossible(const SweepPoint& point);

// All combinations, in the order of the plan; each is there once.
std::vector<SweepPoint> sweep_points(const SweepPlan& plan);

}  // namespace incore::tools
