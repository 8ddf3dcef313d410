#include "tools/vemicry/trace_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tools/base/json.h"
#include "tools/base/quote.h"
#include "tools/vemicry/pipeline_times.h"

namespace incore::tools {
namespace {

constexpr const TraceFile* kFiles[] = {&dasm_file, &pc_file, &stats_file, &kanata_file,
                                       &chrome_file};

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
  const Json times = times_json(totals);
  fmt::print("{}", json ? json_text(times) : times_text(times));
}

}  // namespace incore::tools
