// The C interface to printed and modelled figures of PadLock's performance.
#include "incore/padlock_model.h"

#include "padlock/published_speeds.h"

using namespace incore;
using padlock::FigureRow;
using padlock::FigureTable;

namespace {

// Calls |visit| with the row and column of each printed figure until it returns true.
template <class Visit>
void for_each_figure(const FigureTable& table, Visit visit) {
  for (size_t r = 0; r < table.num_rows; ++r)
    for (unsigned c = 0; c < padlock::kMaxFigureColumns; ++c)
      if (table.rows[r].printed[c] != 0 && visit(table.rows[r], c)) return;
}

size_t num_figures(const FigureTable& table) {
  size_t num = 0;
  for_each_figure(table, [&](const FigureRow&, unsigned) {
    ++num;
    return false;
  });
  return num;
}

}  // namespace

size_t incore_padlock_num_tables(void) {
  size_t num = 0;
  while (padlock::figure_table(num) != nullptr) ++num;
  return num;
}

incore_status incore_padlock_get_table(size_t table, incore_padlock_table* out_table) {
  if (out_table == nullptr) return INCORE_ERROR_NULL;
  const FigureTable* const t = padlock::figure_table(table);
  if (t == nullptr) return INCORE_ERROR_RANGE;
  *out_table = {t->key,       t->title, t->source,    t->terms,
                t->size_unit, t->unit,  t->clock_mhz, num_figures(*t)};
  return INCORE_OK;
}

incore_status incore_padlock_get_figure(size_t table, size_t figure,
                                        incore_padlock_figure* out_figure) {
  if (out_figure == nullptr) return INCORE_ERROR_NULL;
  const FigureTable* const t = padlock::figure_table(table);
  if (t == nullptr || figure >= num_figures(*t)) return INCORE_ERROR_RANGE;
  for_each_figure(*t, [&](const FigureRow& row, unsigned column) {
    if (figure-- != 0) return false;
    const double model = t->model(*t, row, column);
    const bool counts = model != 0 && padlock::counts_in_summary(*t, row);
    *out_figure = {t->columns[column], row.label,     row.size, row.printed[column], model,
                   model != 0 ? 1 : 0, counts ? 1 : 0};
    return true;
  });
  return INCORE_OK;
}
