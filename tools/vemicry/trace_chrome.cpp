// vemicry.json: the pipeline in Chrome's trace event format, which Perfetto and chrome://tracing
// open. One cycle is a microsecond. A stage is a track, and so is a lane, which shows the words it
// works on in EXC.
#include <algorithm>
#include <string_view>

#include "tools/base/json.h"
#include "tools/vemicry/trace_writer.h"

namespace incore::tools {
namespace {

constexpr int kScalar = 1, kVector = 2, kLanes = 3;  // groups of tracks
constexpr const char* kScalarStages[] = {"IF", "ID", "EX", "DC", "WB"};
constexpr const char* kVectorStages[] = {"DF", "EXM", "EXC", "WB"};

class ChromeWriter : public TraceWriter {
  void begin(uint32_t num_lanes) override {
    lanes_ = num_lanes;
    write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    name_group(kScalar, "scalar pipeline", kScalarStages);
    name_group(kVector, "vector unit", kVectorStages);
    name("process_name", kLanes, 0, "lanes");
    for (uint32_t lane = 0; lane < lanes_; ++lane)
      name("thread_name", kLanes, lane, fmt::format("lane {}", lane));
  }

  void add(const incore_vemicry_traced& traced) override {
    text_ = Json(traced.text).line();
    for (size_t i = 0; i < traced.num_stages; ++i) {
      const incore_vemicry_stage& stage = traced.stages[i];
      if (stage.idle) continue;
      const bool in_lanes = i >= 2 && std::string_view(traced.class_name) != "scalar";
      event(in_lanes ? kVector : kScalar, track(in_lanes, stage.name), stage.first,
            stage.last - stage.first + 1, text_);
      print(",\"args\":{{\"number\":{},\"address\":\"{:08x}\"", traced.number, traced.address);
      if (in_lanes) print(",\"iteration\":{}", stage.iteration);
      if (traced.writes_sbi && std::string_view(stage.name) == "DF") write(",\"SBI\":\"written\"");
      write("}}");
      if (in_lanes && std::string_view(stage.name) == "EXC") add_words(traced, stage);
    }
    add_stalls(traced);
  }

  void finish(const incore_vemicry_trace_totals&) override { write("\n]}\n"); }

  void add_words(const incore_vemicry_traced& traced, const incore_vemicry_stage& stage) {
    for (uint32_t word = stage.first_word; word < stage.first_word + stage.num_words; ++word) {
      event(kLanes, word % lanes_, stage.last, 1, fmt::format("\"{}\"", traced.mnemonic));
      print(",\"args\":{{\"number\":{},\"word\":{}}}}}", traced.number, word);
    }
  }

  // Nested in what ID shows.
  void add_stalls(const incore_vemicry_traced& traced) {
    uint64_t cycle = traced.stages[1].first;
    for (size_t i = 0; i < INCORE_VEMICRY_NUM_STALLS; ++i) {
      const uint32_t cycles = traced.stall_cycles[i];
      if (cycles == 0) continue;
      event(kScalar, track(false, "ID"), cycle, cycles, "\"waits\"");
      print(",\"args\":{{\"for\":\"{}\"}}}}", incore_vemicry_stall_text(i));
      cycle += cycles;
    }
  }

  static int track(bool in_lanes, std::string_view stage) {
    if (in_lanes) return static_cast<int>(std::ranges::find(kVectorStages, stage) - kVectorStages);
    return static_cast<int>(std::ranges::find(kScalarStages, stage) - kScalarStages);
  }

  // Up to where arguments may follow; |name| is JSON.
  void event(int group, int64_t track, uint64_t cycle, uint64_t cycles, std::string_view name) {
    separate();
    print("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":{}", group, track,
          cycle, cycles, name);
  }

  template <size_t kNum>
  void name_group(int group, const char* text, const char* const (&stages)[kNum]) {
    name("process_name", group, 0, text);
    for (uint32_t i = 0; i < kNum; ++i) name("thread_name", group, i, stages[i]);
  }
  void name(const char* what, int group, uint32_t track, std::string_view text) {
    separate();
    print("{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{}\",\"args\":{{\"name\":\"{}\"}}}}",
          group, track, what, text);
  }
  void separate() {
    write(first_ ? "\n" : ",\n");
    first_ = false;
  }

  uint32_t lanes_ = 0;
  std::string text_;  // of the instruction, as JSON
  bool first_ = true;
};

}  // namespace

extern const TraceFile chrome_file = {
    "vemicry.json", "the pipeline, for Perfetto",
    [] { return std::unique_ptr<TraceWriter>(std::make_unique<ChromeWriter>()); }};

}  // namespace incore::tools
