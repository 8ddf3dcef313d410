// What --stats of `incore run` prints.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "incore/run.h"

namespace incore::tools {

inline std::span<const incore_run_insn_counters> counters(const incore_run_report& report) {
  return {report.insns, report.num_insns};
}

// Which of |mnemonics| were never executed.
std::vector<std::string> never_ran(const std::vector<std::string>& mnemonics,
                                   const incore_run_report& report);

std::string run_stats_text(const incore_run_report& report);
std::string run_stats_json(const incore_run_report& report);

}  // namespace incore::tools
