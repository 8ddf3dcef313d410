// Contexts: the last 1, 2, ... symbols, and what followed them how often. A tree whose root has the
// contexts of one symbol as its children; a child's context is its parent's with one more symbol
// before it. A node takes 16 bytes, each child and each count but the first 8 to 32 in a hash
// table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace incore::assess::sp800_90b {

// From (node, symbol) to a number other than 0.
class NodeTable {
 public:
  NodeTable();
  uint32_t get(uint32_t node, uint8_t symbol) const {
    return slots_[find(key(node, symbol))].value;
  }
  // The number, for change; 0 if it is new.
  uint32_t& at(uint32_t node, uint8_t symbol);

 private:
  struct Slot {
    uint32_t key;
    uint32_t value;  // 0: the slot is empty
  };
  static uint32_t key(uint32_t node, uint8_t symbol) { return node << 8 | symbol; }
  size_t find(uint32_t key) const;
  void grow();

  std::vector<Slot> slots_;
  size_t num_ = 0;
};

class ContextTree {
 public:
  static constexpr uint32_t kRoot = 0, kNone = 0;

  // The context |node| with |symbol| before it, or kNone.
  uint32_t child(uint32_t node, uint8_t symbol) const {
    const Node& known = nodes_[node];
    if (known.first_child != kNone && known.child_symbol == symbol) return known.first_child;
    return known.more_children ? children_.get(node, symbol) : kNone;
  }
  uint32_t add_child(uint32_t node, uint8_t symbol);

  // What followed most often, the greatest of equals, and how often; count 0: nothing is known.
  struct Best {
    uint32_t count;
    uint8_t symbol;
  };
  Best best(uint32_t node) const { return {nodes_[node].best_count, nodes_[node].best_symbol}; }

  // Counts |symbol| after |node|. If it never followed before, this is done only if |may_add|.
  // Returns whether it is new.
  bool count(uint32_t node, uint8_t symbol, bool may_add);

 private:
  // Most contexts have one child, and are followed by one symbol ever; these stand in the node.
  struct Node {
    uint32_t best_count = 0, first_count = 0, first_child = kNone;
    uint8_t best_symbol = 0, first_symbol = 0, child_symbol = 0;
    bool more_children : 1 = false, more_counts : 1 = false;
  };
  std::vector<Node> nodes_ = std::vector<Node>(1);
  NodeTable children_, counts_;
};

}  // namespace incore::assess::sp800_90b
