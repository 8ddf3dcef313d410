#include "assess/sp800_90b/context_tree.h"

#include <bit>

namespace incore::assess::sp800_90b {

NodeTable::NodeTable() : slots_(1024) {}

size_t NodeTable::find(uint32_t key) const {
  const size_t mask = slots_.size() - 1;
  // The upper bits of a product with an odd constant (Knuth's multiplicative hashing).
  size_t at = (key * 0x9E3779B97F4A7C15u) >> (64 - std::countr_zero(slots_.size()));
  while (slots_[at].value != 0 && slots_[at].key != key) at = (at + 1) & mask;
  return at;
}

uint32_t& NodeTable::at(uint32_t node, uint8_t symbol) {
  size_t at = find(key(node, symbol));
  if (slots_[at].value == 0) {
    if (2 * ++num_ > slots_.size()) {
      grow();
      at = find(key(node, symbol));
    }
    slots_[at].key = key(node, symbol);
  }
  return slots_[at].value;
}

void NodeTable::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old)
    if (slot.value != 0) slots_[find(slot.key)] = slot;
}

uint32_t ContextTree::add_child(uint32_t node, uint8_t symbol) {
  const auto child = static_cast<uint32_t>(nodes_.size());
  nodes_.emplace_back();
  Node& parent = nodes_[node];
  if (parent.first_child == kNone) {
    parent.first_child = child;
    parent.child_symbol = symbol;
  } else {
    parent.more_children = true;
    children_.at(node, symbol) = child;
  }
  return child;
}

bool ContextTree::count(uint32_t node, uint8_t symbol, bool may_add) {
  Node& known = nodes_[node];
  uint32_t count;
  if (known.first_count == 0) {
    if (!may_add) return false;
    known.first_symbol = symbol;
    count = known.first_count = 1;
  } else if (known.first_symbol == symbol) {
    count = ++known.first_count;
  } else {
    if (!may_add && (!known.more_counts || counts_.get(node, symbol) == 0)) return false;
    known.more_counts = true;
    count = ++counts_.at(node, symbol);
  }
  if (count > known.best_count || (count == known.best_count && symbol > known.best_symbol)) {
    known.best_count = count;
    known.best_symbol = symbol;
  }
  return count == 1;
}

}  // namespace incore::assess::sp800_90b
