#include "tools/vemicry/pipeline_times.h"

#include <fmt/format.h>

namespace incore::tools {

Json times_json(const incore_vemicry_trace_totals& totals) {
  Json stalls = Json::object();
  for (size_t i = 0; i < INCORE_VEMICRY_NUM_STALLS; ++i)
    if (totals.stall_cycles[i] != 0) stalls[incore_vemicry_stall_text(i)] = totals.stall_cycles[i];
  return {
      {"instructions", totals.outcome.instructions}, {"cycles", totals.cycles}, {"stalls", stalls}};
}

std::string times_text(const Json& times) {
  const uint64_t instructions = times["instructions"].natural(), cycles = times["cycles"].natural();
  return fmt::format("{} instructions, {} cycles in the pipeline, of which {} are stalls\n",
                     instructions, cycles, cycles - instructions) +
         stall_lines(times["stalls"]);
}

std::string stall_lines(const Json& stalls) {
  std::string lines;
  for (const std::string& cause : stalls.names())
    lines += fmt::format("{:>10} waiting for {}\n", stalls[cause].natural(), cause);
  return lines;
}

}  // namespace incore::tools
