#include "tools/vemicry/trace_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tools/base/json.h"
#include "tools/base/quote.h"

namespace incore::tools {
namespace {

constexpr const TraceFile* kFiles[] = {&dasm_file, &pc_file, &stats_file, &kanata_file,
                                       &chrome_file};

void print_json(const incore_vemicry_trace_totals& totals) {
  Json stalls = Json::object();
  for (size_t i = 0; i < INCORE_VEMICRY_NUM_STALLS; ++i)
    if (totals.stall_cycles[i] != 0) stalls[incore_vemicry_stall_text(i)] = totals.stall_cycles[i];
  const Json json = {
      {"instructions", totals.outcome.instructions}, {"cycles", totals.cycles}, {"stalls", stalls}};
  fmt::print("{}", json_text(json));
}

void print_text(const incore_vemicry_trace_totals& totals) {
  fmt::print("{} instructions, {} cycles in the pipeline, of which {} are stalls\n",
             totals.outcome.instructions, totals.cycles,
             totals.cycles - totals.outcome.instructions);
  fmt::print("{}", stall_lines(totals));
}

}  // namespace

std::string TraceOutput::open_files(const std::string& folder,
                                    const incore_vemicry_config& config) {
  const uint32_t words = config.p != 0 ? config.p : 8;
  const uint32_t num_lanes = config.r != 0 ? config.r : std::min(words, 8u);
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) return fmt::format("cannot make the folder {}: {}", in_quotes(folder), code.message());
  for (const TraceFile* file : kFiles) {
    writers.push_back(file->make());
    if (std::string mistake = writers.back()->open(folder + "/" + file->name); !mistake.empty())
      return mistake;
    writers.back()->begin(num_lanes);
  }
  return "";
}

std::string TraceOutput::finish(const incore_vemicry_trace_totals& totals) {
  for (const auto& writer : writers) {
    writer->finish(totals);
    if (error.empty()) error = writer->error();
  }
  for (const auto& writer : writers)
    if (error.empty()) error = writer->commit();
  return error;
}

void print_totals(const incore_vemicry_trace_totals& totals, bool json) {
  json ? print_json(totals) : print_text(totals);
}

}  // namespace incore::tools
