// Where the executed instructions of a trace go: to files, to a diagram, to totals.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/base/progress.h"
#include "tools/vemicry/trace_diagram.h"
#include "tools/vemicry/trace_writer.h"

namespace incore::tools {

// What gets the executed instructions.
struct TraceOutput {
  std::vector<std::unique_ptr<TraceWriter>> writers;
  TraceDiagram diagram;
  Progress progress;
  bool shows_instructions = false;  // in files or as a diagram, not only totals
  uint64_t added = 0;
  std::string error;

  int add(const incore_vemicry_traced& traced) {
    for (const auto& writer : writers) {
      writer->add(traced);
      if (!writer->error().empty()) error = writer->error();
    }
    diagram.add(traced);
    if (++added % 1024 == 0) progress.update_count(added, "");
    return error.empty() ? 0 : 1;
  }

  // Begins the files of a trace in |folder|. Returns what is wrong, in words, or empty.
  std::string open_files(const std::string& folder, const incore_vemicry_config& config);
  // Ends and commits the files. Returns what is wrong, in words, or empty.
  std::string finish(const incore_vemicry_trace_totals& totals);
};

void print_totals(const incore_vemicry_trace_totals& totals, bool json);

}  // namespace incore::tools
