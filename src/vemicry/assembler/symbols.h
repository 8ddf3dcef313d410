// The names of a program: labels and constants. Numeric labels (1: 1b 1f) are symbols too, with a
// name of their own for each definition.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace incore::vemicry {

// A number, or a place in a section whose address is not yet known.
inline constexpr int kAbsolute = -1;
struct Value {
  int section = kAbsolute;
  uint64_t number = 0;  // two's complement; in a section: offset
};

struct AsmSymbol {
  std::string name;
  bool defined = false;
  bool constant = false;  // by .set: may be defined anew
  Value value;
  size_t file = 0;
  uint32_t line = 0;  // where it was defined, or 0: before the first line
  bool is_global = false, is_function = false;
  bool is_elsewhere = false;  // another source defines it
  uint32_t len = 0;
};

class SymbolTable {
 public:
  // The symbol called |name|, undefined if it is new.
  AsmSymbol& get(std::string_view name) {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return *found->second;
    symbols_.emplace_back().name = name;
    by_name_.emplace(symbols_.back().name, &symbols_.back());
    return symbols_.back();
  }
  const AsmSymbol* find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  // The numeric label |digits| that was defined last, or that will be defined next.
  AsmSymbol& numeric(std::string_view digits, bool next) {
    const uint64_t count = counts_[std::string(digits)] + (next ? 1 : 0);
    return get(std::string(digits) + kNumericMark + std::to_string(count));
  }
  void begin_numeric(std::string_view digits) { ++counts_[std::string(digits)]; }
  static bool is_numeric(const AsmSymbol& symbol) {
    return symbol.name.find(kNumericMark) != std::string::npos;
  }
  const std::deque<AsmSymbol>& all() const { return symbols_; }
  std::deque<AsmSymbol>& all() { return symbols_; }

 private:
  static constexpr char kNumericMark = ' ';  // not in names
  std::deque<AsmSymbol> symbols_;            // in the order of their appearance
  std::unordered_map<std::string_view, AsmSymbol*> by_name_;
  std::unordered_map<std::string, uint64_t> counts_;
};

}  // namespace incore::vemicry
