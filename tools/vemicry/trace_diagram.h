// A pipeline diagram in text: a row for each instruction, a column for each cycle.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "incore/vemicry.h"

namespace incore::tools {

class TraceDiagram {
 public:
  // Shows instructions number |from| to |to|, of these the last |num| at most.
  TraceDiagram(uint64_t from, uint64_t to, uint64_t num) : from_(from), to_(to), num_(num) {}

  void add(const incore_vemicry_traced& traced);

  // All lines, with a key; empty if there is nothing to show.
  std::string text() const;

  // Where cycles stand: the first one, and how many characters each has.
  struct Columns {
    uint64_t first_cycle;
    size_t len;
  };

 private:
  struct Row {
    std::string label;
    std::vector<incore_vemicry_stage> stages;
    bool writes_sbi;
    std::string waits;  // what for
  };
  void add_row(const Row& row, const Columns& columns, std::string* out_text) const;

  uint64_t from_, to_, num_;
  std::deque<Row> rows_;
};

}  // namespace incore::tools
