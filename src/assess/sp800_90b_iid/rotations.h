// The rotations of a text in sorted order: the hard part of the Burrows-Wheeler transform.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace incore::assess::sp800_90b {

class Rotations {
 public:
  // Where each rotation of |text| begins, the least first; equal ones in any order. Symbols are
  // below |k|. The result lives until the next call.
  std::span<const uint32_t> sort(std::span<const uint16_t> text, unsigned k);

 private:
  struct Rotation {
    uint64_t key;  // its first symbols
    uint32_t begin;
  };
  struct Group {
    uint32_t begin, end;  // in the order: rotations that are equal as far as they were looked at
  };
  static void sort_by_key(std::span<Rotation> rotations);
  // Sorts by the symbols that a key holds, and finds the groups that are left.
  void sort_by_keys(std::span<const uint16_t> text, unsigned symbol_bits);
  // Sorts what is left: rotations that are equal in |known| symbols rank as the rotations do that
  // begin |known| further. Each round doubles what is known.
  void refine(uint64_t known);

  std::vector<uint64_t> keys_;
  std::vector<uint32_t> counts_, order_, rank_;
  std::vector<Rotation> rotations_;
  std::vector<Group> groups_, left_;
};

}  // namespace incore::assess::sp800_90b
