#include "tools/vemicry/profile_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/base/quote.h"
#include "tools/base/require_ok.h"

namespace incore::tools {
namespace {

constexpr size_t kMaxLines = 20;  // that are shown as text

struct Row {
  std::string name;
  uint32_t line;
  uint64_t instructions, cycles;
};

std::vector<Row> rows_of(const incore_vemicry_machine& machine, bool by_lines) {
  std::vector<Row> rows;
  require_ok(incore_vemicry_machine_profile(
      &machine, by_lines ? 1 : 0,
      [](void* context, const incore_vemicry_profile_row* row) {
        static_cast<std::vector<Row>*>(context)->push_back(
            {row->name, row->line, row->instructions, row->cycles});
      },
      &rows));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.cycles > b.cycles; });
  return rows;
}

Json json_of(const std::vector<Row>& rows, bool by_lines) {
  uint64_t all = 0;
  for (const Row& row : rows) all += row.cycles;
  Json list = Json::array();
  for (const Row& row : rows) {
    Json entry;
    if (!row.name.empty()) entry[by_lines ? "file" : "function"] = row.name;
    if (row.line != 0) entry["line"] = row.line;
    entry["instructions"] = row.instructions;
    entry["cycles"] = row.cycles;
    entry["stalls"] = row.cycles - row.instructions;
    entry["share"] = all == 0 ? 0 : static_cast<double>(row.cycles) / static_cast<double>(all);
    list.push_back(entry);
  }
  return list;
}

std::string table(const Json& rows, const char* heading, size_t max) {
  std::string text = fmt::format("{:>14} {:>14} {:>14} {:>7}  {}\n", "instructions", "cycles",
                                 "stalls", "share", heading);
  for (size_t i = 0; i < std::min(rows.size(), max); ++i) {
    const Json& row = rows[i];
    std::string name = "(not known)";
    if (row.contains("function")) name = quoted_if_needed(row["function"].text());
    if (row.contains("file"))
      name = fmt::format("{}:{}", quoted_if_needed(row["file"].text()), row["line"].natural());
    text += fmt::format("{:>14} {:>14} {:>14} {:>5.1f} %  {}\n", row["instructions"].natural(),
                        row["cycles"].natural(), row["stalls"].natural(), 100 * row["share"].real(),
                        name);
  }
  if (rows.size() > max)
    text += fmt::format("and {} lines more, which --json shows\n", rows.size() - max);
  return text;
}

}  // namespace

Json profile_json(const incore_vemicry_machine& machine) {
  return {{"functions", json_of(rows_of(machine, false), false)},
          {"lines", json_of(rows_of(machine, true), true)}};
}

std::string profile_text(const Json& profile) {
  const Json& lines = profile["lines"];
  std::string text = table(profile["functions"], "function", SIZE_MAX);
  // Without a table of lines there is one row at most, of code that nothing is known of.
  if (lines.size() > 1 || (lines.size() == 1 && lines[0].contains("file")))
    text += "\n" + table(lines, "source line", kMaxLines);
  return text;
}

}  // namespace incore::tools
