// Finding printed figures by name, and comparing them with the model.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "padlock/published_speeds.h"

namespace incore::padlock::test {

inline const FigureTable& table_called(const std::string& key) {
  for (size_t i = 0; figure_table(i) != nullptr; ++i)
    if (key == figure_table(i)->key) return *figure_table(i);
  throw std::out_of_range("no table " + key);
}

inline unsigned column_called(const FigureTable& table, const std::string& name) {
  for (unsigned column = 0; column < kMaxFigureColumns; ++column)
    if (table.columns[column] != nullptr && name == table.columns[column]) return column;
  throw std::out_of_range("no column " + name);
}

inline const FigureRow& row_of(const FigureTable& table, uint64_t size,
                               const std::string& label = "") {
  for (size_t r = 0; r < table.num_rows; ++r)
    if (table.rows[r].size == size && (label.empty() || label == table.rows[r].label))
      return table.rows[r];
  throw std::out_of_range(std::string(table.key) + " has no such row");
}

// Of the model, against what is printed.
inline double error_percent(const FigureTable& table, const FigureRow& row, unsigned column) {
  return 100 * (table.model(table, row, column) / row.printed[column] - 1);
}

inline double gbits_per_second(uint64_t bytes, double clock_mhz, uint64_t ticks) {
  return static_cast<double>(bytes) * 8 * clock_mhz / 1000 / clocks_of(ticks);
}

}  // namespace incore::padlock::test
