// vemicry.kanata: the pipeline in the Kanata format, version 4, which the viewer Konata opens. Its
// lines stand in the order of cycles, while an instruction is known with all its stages at once:
// lines wait in a heap until no earlier one can come.
//
// Kanata's "lanes" are layers of one instruction's row: 0 is IF, ID and what follows, with a vector
// instruction its first iteration; 1 shows where it waits; 2 and on are further iterations.
#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "tools/vemicry/trace_writer.h"

namespace incore::tools {
namespace {

class KanataWriter : public TraceWriter {
  // Of one cycle's lines, those that end something come first.
  enum Order { kEnd, kRetire, kBegin };
  struct Line {
    uint64_t cycle;
    Order order;
    uint64_t number;  // keeps the order of lines that are equal so far
    std::string text;
    bool operator<(const Line& other) const {  // the heap has the greatest on top
      return std::tie(other.cycle, other.order, other.number) < std::tie(cycle, order, number);
    }
  };

  void begin(uint32_t) override { write("Kanata\t0004\nC=\t0\n"); }

  void add(const incore_vemicry_traced& traced) override {
    const uint64_t fetch = traced.stages[0].first, id = traced.number;
    put_before(fetch);
    queue(fetch, kBegin, fmt::format("I\t{}\t{}\t0\n", id, id));
    queue(fetch, kBegin,
          fmt::format("L\t{}\t0\t{:08x} {}\n", id, traced.address, one_line(traced.text)));
    queue(fetch, kBegin, fmt::format("L\t{}\t1\t{}\n", id, details(traced)));
    uint64_t last = 0;
    for (size_t i = 0; i < traced.num_stages; ++i) {
      const incore_vemicry_stage& stage = traced.stages[i];
      add_stage(id, stage.iteration == 0 ? 0 : stage.iteration + 1, stage.name, stage.first,
                stage.last);
      last = std::max(last, stage.last);
    }
    const incore_vemicry_stage& decode = traced.stages[1];
    if (decode.first != decode.last) add_stage(id, 1, "wait", decode.first, decode.last - 1);
    for (size_t i = 0; i < traced.num_producers; ++i)
      queue(decode.last + 1, kBegin, fmt::format("W\t{}\t{}\t0\n", id, traced.producers[i]));
    queue(last + 1, kRetire, fmt::format("R\t{}\t{}\t0\n", id, id));
  }

  void finish(const incore_vemicry_trace_totals&) override {
    put_before(std::numeric_limits<uint64_t>::max());
  }

  // Labels may hold any character; tabs and ends of lines are the format's own.
  static std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
  }

  static std::string details(const incore_vemicry_traced& traced) {
    std::string text = traced.class_name;
    if (traced.writes_sbi) text += "; SBI written in DF";
    for (size_t i = 0; i < INCORE_VEMICRY_NUM_STALLS; ++i)
      if (traced.stall_cycles[i] != 0)
        text +=
            fmt::format("; waits {} for {}", traced.stall_cycles[i], incore_vemicry_stall_text(i));
    return text;
  }

  void add_stage(uint64_t id, uint32_t lane, const char* name, uint64_t first, uint64_t last) {
    queue(first, kBegin, fmt::format("S\t{}\t{}\t{}\n", id, lane, name));
    queue(last + 1, kEnd, fmt::format("E\t{}\t{}\t{}\n", id, lane, name));
  }

  void queue(uint64_t cycle, Order order, std::string text) {
    lines_.push({cycle, order, number_++, std::move(text)});
  }

  void put_before(uint64_t cycle) {
    for (; !lines_.empty() && lines_.top().cycle < cycle; lines_.pop()) {
      if (lines_.top().cycle != now_) print("C\t{}\n", lines_.top().cycle - now_);
      now_ = lines_.top().cycle;
      write(lines_.top().text);
    }
  }

  std::priority_queue<Line> lines_;
  uint64_t number_ = 0, now_ = 0;
};

}  // namespace

extern const TraceFile kanata_file = {
    "vemicry.kanata", "the pipeline, for Konata",
    [] { return std::unique_ptr<TraceWriter>(std::make_unique<KanataWriter>()); }};

}  // namespace incore::tools
