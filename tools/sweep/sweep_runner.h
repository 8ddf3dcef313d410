// Measures the points of a sweep on all cores, keeps what it measures in a SweepStore, and stops
// when it is told to.
#pragma once

#include <atomic>
#include <string>

#include "tools/sweep/sweep_designs.h"

namespace incore::tools {

// What identifies what is measured, and what it is measured with: for each program of |plan| a hash
// of its file and of this program. Returns an error in words.
std::string sweep_fingerprints(const SweepPlan& plan, std::vector<std::string>* out_fingerprints);

// Reads the input and the expected output of the user's programs. Returns what is wrong, in words.
std::string read_sweep_files(SweepPlan* inout_plan);

// What is wrong with the user's programs, as "FILE: cause" or as the assembler reports it, or
// empty: each must have its function on one of the machines at least.
std::string sweep_program_mistake(const SweepPlan& plan);

// Measures what |store| does not have, on |jobs| threads (0: one for each core), until all is done
// or |stop| is set. |out_result| gets the plan and all that is known. Returns an error in words.
std::string run_sweep(const SweepPlan& plan, unsigned jobs, const std::atomic<bool>& stop,
                      SweepStore* store, SweepResult* out_result);

}  // namespace incore::tools
