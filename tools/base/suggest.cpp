#include "tools/base/suggest.h"

#include <algorithm>
#include <cstdint>

namespace incore::tools {
namespace {

constexpr size_t kLettersForMistake = 3;

// Mistakes between |a| and |b|: optimal string alignment.
size_t distance(const std::string& a, const std::string& b) {
  // Rows of the table for what a begins with: two letters less, one less, and all so far.
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before = last;
    last = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t wrong = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + wrong});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(const std::string& wrong, const std::vector<std::string>& names) {
  std::string nearest;
  size_t least = SIZE_MAX;
  for (const std::string& name : names) {
    const size_t most = name.size() / kLettersForMistake;  // none for -h
    if (wrong.size() > name.size() + most) continue;       // also: do not compare what is very long
    const size_t mistakes = distance(wrong, name);
    if (mistakes > most || mistakes >= least) continue;
    least = mistakes;
    nearest = name;
  }
  return nearest;
}

std::string suggestion(const std::string& wrong, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(wrong, names);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace incore::tools
