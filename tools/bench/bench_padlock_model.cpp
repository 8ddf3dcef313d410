// `incore bench padlock-model`: printed figures of PadLock's performance beside the timing model's.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "incore/padlock_model.h"
#include "tools/base/json.h"
#include "tools/bench/bench.h"

namespace incore::tools {
namespace {

struct Table {
  incore_padlock_table about;
  std::vector<incore_padlock_figure> figures;
};

double error_percent(const incore_padlock_figure& figure) {
  return 100 * (figure.model - figure.printed) / figure.printed;
}

std::vector<Table> read_tables() {
  std::vector<Table> tables(incore_padlock_num_tables());
  for (size_t t = 0; t < tables.size(); ++t) {
    if (incore_padlock_get_table(t, &tables[t].about) != INCORE_OK) continue;
    tables[t].figures.resize(tables[t].about.num_figures);
    for (size_t f = 0; f < tables[t].figures.size(); ++f)
      if (incore_padlock_get_figure(t, f, &tables[t].figures[f]) != INCORE_OK) break;
  }
  return tables;
}

// The absolute errors of the figures by which the model is judged, sorted.
std::vector<double> judged_errors(const std::vector<Table>& tables) {
  std::vector<double> errors;
  for (const Table& table : tables)
    for (const incore_padlock_figure& figure : table.figures)
      if (figure.counts != 0) errors.push_back(std::abs(error_percent(figure)));
  std::sort(errors.begin(), errors.end());
  return errors;
}

double median(const std::vector<double>& sorted) {
  const size_t n = sorted.size();
  return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

std::string decimal(double value) {
  const int digits = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 1 ? 2 : 3;
  return fmt::format("{:.{}f}", value, digits);
}

std::string table_text(const Table& table) {
  const incore_padlock_table& about = table.about;
  std::string text = fmt::format("{}: {}\n  {}, {} MHz, {}; added: {}\n", about.key, about.title,
                                 about.source, about.clock_mhz, about.unit, about.terms);
  text += fmt::format("  {:>10}  {:<14} {:<16} {:>11} {:>11} {:>8}\n", about.size_unit, "what", "",
                      "printed", "model", "error");
  for (const incore_padlock_figure& figure : table.figures) {
    text += fmt::format("  {:>10}  {:<14} {:<16} {:>11.9g} ", figure.size, figure.column,
                        figure.label, figure.printed);
    if (figure.modelled != 0)
      text += fmt::format("{:>11} {:>+7.1f}%\n", decimal(figure.model), error_percent(figure));
    else
      text += fmt::format("{:>11} {:>8}\n", "-", "-");
  }
  return text + "\n";
}

Json table_json(const Table& table) {
  const incore_padlock_table& about = table.about;
  Json figures = Json::array();
  for (const incore_padlock_figure& figure : table.figures) {
    Json entry = {{"what", figure.column}, {"size", figure.size}, {"printed", figure.printed}};
    if (*figure.label != '\0') entry["label"] = figure.label;
    if (figure.modelled != 0) {
      entry["model"] = figure.model;
      entry["error_percent"] = error_percent(figure);
    }
    entry["counts"] = figure.counts != 0;
    figures.push_back(entry);
  }
  return {{"key", about.key},
          {"title", about.title},
          {"source", about.source},
          {"added", about.terms},
          {"clock_mhz", about.clock_mhz},
          {"size_unit", about.size_unit},
          {"unit", about.unit},
          {"figures", figures}};
}

// Leaves those that the user named; false if one of them does not exist.
bool select(const std::vector<std::string>& names, std::vector<Table>* tables) {
  std::string known;
  for (const Table& table : *tables)
    known += (known.empty() ? "" : " ") + std::string(table.about.key);
  for (const std::string& name : names) {
    const bool exists = std::any_of(tables->begin(), tables->end(),
                                    [&](const Table& t) { return name == t.about.key; });
    if (!exists) {
      fail(kBadInput, fmt::format("--table: no table '{}'; accepted are: {}", name, known));
      return false;
    }
  }
  if (names.empty()) return true;
  std::erase_if(*tables, [&](const Table& t) {
    return std::find(names.begin(), names.end(), t.about.key) == names.end();
  });
  return true;
}

int run(const BenchOptions& options, Json* out_json, std::string* out_text) {
  std::vector<Table> tables = read_tables();
  if (!select(options.tables, &tables)) return kBadInput;
  Json list = Json::array();
  for (const Table& table : tables) {
    *out_text += table_text(table);
    list.push_back(table_json(table));
  }
  (*out_json)["tables"] = list;
  const std::vector<double> errors = judged_errors(tables);
  if (errors.empty()) return kDone;
  *out_text += fmt::format(
      "{} throughputs from 64 B to 16 KB: absolute error {:.1f}% in the median, {:.1f}% at most\n",
      errors.size(), median(errors), errors.back());
  (*out_json)["summary"] = {{"figures", errors.size()},
                            {"median_absolute_error_percent", median(errors)},
                            {"largest_absolute_error_percent", errors.back()}};
  return kDone;
}

}  // namespace

extern const Bench bench_padlock_model = {
    "padlock-model",
    "the PadLock timing model beside the figures that the documents print",
    run,
    nullptr,
    {"--table"}};

}  // namespace incore::tools
