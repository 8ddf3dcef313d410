#include "vemicry/profile.h"

#include <algorithm>
#include <map>

namespace incore::vemicry {

void Profile::select(uint32_t page_address) {
  auto found = pages_.find(page_address);
  if (found == pages_.end()) found = pages_.emplace(page_address, std::make_unique<Page>()).first;
  page_ = found->second.get();
  page_address_ = page_address;
}

template <class Each>
void Profile::for_each(Each each) const {
  std::map<uint32_t, const Page*> pages;
  for (const auto& [address, page] : pages_) pages[address] = page.get();
  for (const auto& [address, page] : pages)
    for (uint32_t i = 0; i < page->counts.size(); ++i)
      if (page->counts[i].instructions != 0) each(address * kPageLen + 4 * i, page->counts[i]);
}

std::vector<Profile::Row> Profile::functions(const Image& image) const {
  std::map<uint32_t, std::string> names;  // by the function's address
  for (const Symbol& symbol : image.symbols)
    if (symbol.is_function || entries_.count(symbol.address) != 0)
      names.emplace(symbol.address, symbol.name);
  std::map<uint32_t, Row> rows;
  for_each([&](uint32_t address, const Count& count) {
    const auto behind = names.upper_bound(address);
    const bool is_known = behind != names.begin();
    Row& row = rows[is_known ? std::prev(behind)->first : 0];
    if (is_known) row.name = std::prev(behind)->second;
    row.instructions += count.instructions;
    row.cycles += count.cycles;
  });
  std::vector<Row> list;
  for (auto& [address, row] : rows) list.push_back(std::move(row));
  return list;
}

std::vector<Profile::Row> Profile::lines(const Image& image) const {
  std::map<std::pair<std::string, uint32_t>, Row> rows;
  for_each([&](uint32_t address, const Count& count) {
    const SourcePlace* const place = image.place_of(address);
    const std::string name = place == nullptr ? "" : image.files[place->file];
    const uint32_t line = place == nullptr ? 0 : place->line;
    Row& row = rows[{name, line}];
    row.name = name;
    row.line = line;
    row.instructions += count.instructions;
    row.cycles += count.cycles;
  });
  std::vector<Row> list;
  for (auto& [place, row] : rows) list.push_back(std::move(row));
  return list;
}

}  // namespace incore::vemicry
