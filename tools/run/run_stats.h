// What --stats of `incore run` prints.
#pragma once

#include <span>
#include <string>

#include "incore/run.h"

namespace incore::tools {

inline std::span<const incore_run_insn_counters> counters(const incore_run_report& report) {
  return {report.insns, report.num_insns};
}

std::string run_stats_text(const incore_run_report& report);
std::string run_stats_json(const incore_run_report& report);

}  // namespace incore::tools
