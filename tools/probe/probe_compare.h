// Where a recorded processor and a model differ. The model's side comes from running the same probe
// on it.
#pragma once

#include <string>
#include <vector>

#include "tools/base/json.h"
#include "tools/probe/probe_facts.h"

namespace incore::tools {

struct ProbeDifference {
  std::string clause;                 // such as "PLK-ACE-057"; of other leaves of CPUID "CPUID"
  std::string name;                   // of the experiment, or the leaf
  std::vector<FactDifference> facts;  // at least one
};

struct ProbeGap {
  std::string clause, name, reason;
};

struct ProbeBehaviour {
  std::vector<ProbeDifference> differences;
  std::vector<ProbeGap> not_compared;
  std::vector<ProbeGap> unsteady;  // |reason|: how often which outcome came, on silicon
  size_t num_experiments = 0;      // that were compared
  size_t num_leaves = 0;           // of CPUID, with their subleaves
  size_t num_limited = 0;  // CPUID registers where the run shows less than the model: see quirks.md
};

// |silicon| and |model_run| are documents; |model| is what |model_run| ran on, as --cpu has it.
ProbeBehaviour compare_behaviour(const Json& silicon, const Json& model_run,
                                 const std::string& model);

// A document as the model makes it, for comparison with |silicon|. Returns what is wrong, in words,
// or nothing. |*out_reloads|: it ran with its keys loaded anew each time, as |silicon| did, which
// incore run has recorded so.
std::string probe_model_like(const Json& silicon, const std::string& model, Json* out,
                             bool* out_reloads);

}  // namespace incore::tools
