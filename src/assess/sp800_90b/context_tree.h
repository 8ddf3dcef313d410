// Contexts: the last 1, 2, ... symbols, and what followed them how often. A tree whose root has the
// contexts of one symbol as its children; a child's context is its parent's with one more symbol
// before it. Children and counts stand in hash tables of 8 bytes an entry.
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
  uint32_t child(uint32_t node, uint8_t symbol) const { return children_.get(node, symbol); }
  uint32_t add_child(uint32_t node, uint8_t symbol);

  // What followed most often, the greatest of equals, and how often; count 0: nothing is known.
  struct Best {
    uint32_t count;
    uint8_t symbol;
  };
  Best best(uint32_t node) const { return nodes_[node].best; }

  // Counts |symbol| after |node|. If it never followed before, this is done only if |may_add|.
  // Returns whether it is new.
  bool count(uint32_t node, uint8_t symbol, bool may_add);

 private:
  // Most contexts are followed by one symbol ever; its count stands in the node.
  struct Node {
    Best best = {0, 0};
    uint8_t first = 0;
    uint32_t first_count = 0;
  };
  std::vector<Node> nodes_ = std::vector<Node>(1);
  NodeTable children_, counts_;
};

}  // namespace incore::assess::sp800_90b
