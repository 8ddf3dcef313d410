// Plain files of a trace: vemicry.dasm, vemicry.trace and vemicry.stats, as the paper (section 5.2)
// names them.
#include "tools/vemicry/trace_writer.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "tools/vemicry/pipeline_times.h"

namespace incore::tools {

void TraceWriter::flush() {
  if (error_.empty() && !buffer_.empty()) error_ = file_.write(buffer_.data(), buffer_.size());
  buffer_.clear();
}

std::string TraceWriter::commit() {
  flush();
  return error_.empty() ? file_.commit() : error_;
}

namespace {

class DasmWriter : public TraceWriter {
  void add(const incore_vemicry_traced& traced) override {
    print("{:08x}  {:08x}  {}\n", traced.address, traced.word, traced.text);
  }
};

class PcWriter : public TraceWriter {
  void add(const incore_vemicry_traced& traced) override { print("{:08x}\n", traced.address); }
};

class StatsWriter : public TraceWriter {
  void add(const incore_vemicry_traced& traced) override { ++occurrences_[traced.mnemonic]; }
  void finish(const incore_vemicry_trace_totals& totals) override {
    std::vector<std::pair<std::string, uint64_t>> sorted(occurrences_.begin(), occurrences_.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    write("Occurrences of each instruction\n");
    for (const auto& [mnemonic, number] : sorted) print("{:>10} {}\n", number, mnemonic);
    print("{:>10} cycles, one for each executed instruction\n\n", totals.outcome.instructions);
    write("Pipeline model\n");
    print("{:>10} cycles, of which {} are stalls\n", totals.cycles,
          totals.cycles - totals.outcome.instructions);
    write(stall_lines(times_json(totals)["stalls"]));
  }

  std::unordered_map<std::string, uint64_t> occurrences_;
};

template <class Writer>
std::unique_ptr<TraceWriter> make() {
  return std::make_unique<Writer>();
}

}  // namespace

extern const TraceFile dasm_file = {"vemicry.dasm", "executed instructions", make<DasmWriter>};
extern const TraceFile pc_file = {"vemicry.trace", "values of the program counter", make<PcWriter>};
extern const TraceFile stats_file = {"vemicry.stats", "how often each instruction ran",
                                     make<StatsWriter>};

}  // namespace incore::tools
