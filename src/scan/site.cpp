#include "scan/site.h"

#include <algorithm>

namespace incore::scan {
namespace {

const Symbol* covering_symbol(const std::vector<Symbol>& symbols, uint64_t address) {
  constexpr int kMaxSteps = 8;
  auto next = std::upper_bound(symbols.begin(), symbols.end(), address,
                               [](uint64_t a, const Symbol& s) { return a < s.address; });
  const bool is_nearest_unsized = next != symbols.begin() && std::prev(next)->size == 0;
  const Symbol* nearest = is_nearest_unsized ? &*std::prev(next) : nullptr;
  for (int i = 0; i < kMaxSteps && next != symbols.begin(); ++i) {
    --next;
    if (address - next->address < next->size) return &*next;
  }
  return nearest;
}

}  // namespace

const char* proof_name(Proof proof) {
  switch (proof) {
    case Proof::none:
      return "none";
    case Proof::unwind_table:
      return "unwind table";
    case Proof::symbol:
      return "symbol";
    case Proof::control_flow:
      return "control flow";
  }
  return "unknown";
}

void name_place(const std::vector<Symbol>& symbols, Site& site) {
  const Symbol* const symbol = covering_symbol(symbols, site.address);
  if (symbol == nullptr) return;
  site.symbol = symbol->name;
  site.symbol_offset = site.address - symbol->address;
}

}  // namespace incore::scan
