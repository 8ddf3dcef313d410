#include "tools/vemicry/trace_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace incore::tools {
namespace {

constexpr size_t kMinCellLen = 4, kLabelLen = 46;
constexpr uint32_t kMaxIterations = 16;  // that have rows
constexpr const char* kKey =
    "In small letters: waits, or has nothing to do there. *: a scalar operand goes into SBI.\n";

std::string in_small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(c));
  return result;
}

// One row of cells, beginning at a cycle.
class Line {
 public:
  Line(const std::string& label, const TraceDiagram::Columns& columns)
      : text_(fmt::format("{:<{}}", label, kLabelLen)), columns_(columns) {}

  void put(uint64_t cycle, const std::string& cell) {
    const size_t column =
        kLabelLen + static_cast<size_t>(cycle - columns_.first_cycle) * columns_.len;
    if (text_.size() < column) text_.resize(column, ' ');
    text_ += fmt::format("{:<{}}", cell, columns_.len);
  }
  std::string text(const std::string& end) const {
    std::string line = text_ + end;
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
  }

 private:
  std::string text_;
  TraceDiagram::Columns columns_;
};

// What an instruction does in |cycle| of a stage.
std::string cell_of(const incore_vemicry_stage& stage, uint64_t cycle, bool writes_sbi) {
  const std::string_view name = stage.name;
  // In IF and ID, waiting is for going on; in the others, for memory.
  const bool waits = name == "IF" || name == "ID" ? cycle != stage.last : cycle != stage.first;
  if (waits || stage.idle) return in_small_letters(name);
  return std::string(name) + (writes_sbi && name == "DF" && stage.iteration == 0 ? "*" : "");
}

std::string words_of(const incore_vemicry_stage& stage) {
  return stage.num_words == 1 ? fmt::format("word {}", stage.first_word)
                              : fmt::format("words {} to {}", stage.first_word,
                                            stage.first_word + stage.num_words - 1);
}

}  // namespace

void TraceDiagram::add(const incore_vemicry_traced& traced) {
  if (traced.number < from_ || traced.number > to_) return;
  Row row;
  row.label = fmt::format("{:>6} {:08x}  {}", traced.number, traced.address, traced.text);
  row.label.resize(std::min(row.label.size(), kLabelLen - 1));
  row.stages.assign(traced.stages, traced.stages + traced.num_stages);
  row.writes_sbi = traced.writes_sbi != 0;
  for (size_t i = 0; i < INCORE_VEMICRY_NUM_STALLS; ++i)
    if (traced.stall_cycles[i] != 0)
      row.waits +=
          fmt::format("  waits {} for {}", traced.stall_cycles[i], incore_vemicry_stall_text(i));
  rows_.push_back(std::move(row));
  if (rows_.size() > num_) rows_.pop_front();
}

void TraceDiagram::add_row(const Row& row, const Columns& columns, std::string* out_text) const {
  uint32_t iteration = 0;
  Line line(row.label, columns);
  for (const incore_vemicry_stage& stage : row.stages) {
    if (stage.iteration != iteration) {
      *out_text += line.text(iteration == 0 ? row.waits : "");
      iteration = stage.iteration;
      if (iteration == kMaxIterations) {
        *out_text += fmt::format("{:>18}{} iterations more\n", "",
                                 row.stages.back().iteration + 1 - iteration);
        return;
      }
      line = Line(fmt::format("{:>18}{}", "", words_of(stage)), columns);
    }
    for (uint64_t cycle = stage.first; cycle <= stage.last; ++cycle)
      line.put(cycle, cell_of(stage, cycle, row.writes_sbi));
  }
  *out_text += line.text(iteration == 0 ? row.waits : "");
}

std::string TraceDiagram::text() const {
  if (rows_.empty()) return "";
  const uint64_t first_cycle = rows_.front().stages.front().first;
  uint64_t last_cycle = first_cycle;
  for (const Row& row : rows_)
    for (const incore_vemicry_stage& stage : row.stages)
      last_cycle = std::max(last_cycle, stage.last);
  const Columns columns = {first_cycle,
                           std::max(kMinCellLen, std::to_string(last_cycle).size() + 1)};
  Line head("number address   instruction         in cycle", columns);
  for (uint64_t cycle = first_cycle; cycle <= last_cycle; ++cycle)
    head.put(cycle, std::to_string(cycle));
  std::string text = head.text("");
  for (const Row& row : rows_) add_row(row, columns, &text);
  return text + kKey;
}

}  // namespace incore::tools
