// Performance figures that the documents print, beside what the timing model says of the same work:
// PadLock guide 1.66, sections 2.3, 3.3, 4.2, 5.2 and chapter 6, Table 1 of the Linux Journal
// article, and section D of Gladman's note. Figures are as printed; where the print is damaged, as
// the clauses PLK-TIME and LJ correct it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "padlock/timing.h"

namespace incore::padlock {

inline constexpr unsigned kMaxFigureColumns = 5;

struct FigureRow {
  uint64_t size;                      // in the table's size_unit
  double printed[kMaxFigureColumns];  // 0: the document has none here
  const char* label = "";             // tells rows of one size apart
};

struct FigureTable {
  const char* key;  // as users name it
  const char* title;
  const char* source;
  const char* terms;  // what the model adds for the program around the instruction, in words
  TimingCore core;
  uint32_t clock_mhz;
  DataPath path;
  const char* size_unit;
  const char* unit;
  bool throughput;                         // of bytes: rows from 64 B to 16 KB count in the summary
  const char* columns[kMaxFigureColumns];  // unused ones are null
  const FigureRow* rows;
  size_t num_rows;
  // What the model says instead of the printed figure; 0: not PadLock's, but there to compare with.
  double (*model)(const FigureTable& table, const FigureRow& row, unsigned column);
};

// Table number |index|, null behind the last: those of published_speeds_ace.cpp, _gladman.cpp and
// _other.cpp.
const FigureTable* figure_table(size_t index);
const FigureTable* ace_figure_table(size_t index);
const FigureTable* gladman_figure_table(size_t index);
const FigureTable* other_figure_table(size_t index);

// Whether a figure of |row| is one by which the model is judged: a throughput from 64 B to 16 KB.
bool counts_in_summary(const FigureTable& table, const FigureRow& row);

}  // namespace incore::padlock
