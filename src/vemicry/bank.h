// The memory banks of the lanes (VeMICry paper, section 4.2): each has four arrays of 1 KiB that
// are read at the same time, one for each byte of a word, so that VBYTELD takes one access.
//
//   lane 0          array 0     array 1     array 2     array 3      (byte 0 of a word is its most
//                 +-----------+-----------+-----------+-----------+   significant one)
//     slot 0      | 256 bytes | 256 bytes | 256 bytes | 256 bytes |
//     ...         |           |           |           |           |
//     slot 3      |           |           |           |           |
//   lane 1 ...
//
// A table of 256 bytes stands in one slot of all arrays of all lanes, and is known by its address
// in memory. The paper leaves open how tables get there. Here a loader puts a table into the banks
// when VBYTELD first names its address, if it was not placed before, and finds four slots; what
// memory holds later does not reach the banks unless it is placed anew.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace incore::vemicry {

class Banks {
 public:
  static constexpr uint32_t kNumArrays = 4, kArrayLen = 1024;
  static constexpr uint32_t kTableLen = 256, kNumSlots = kArrayLen / kTableLen;
  using Table = std::span<const uint8_t, kTableLen>;

  explicit Banks(uint32_t num_lanes);

  uint32_t num_lanes() const { return static_cast<uint32_t>(lanes_.size()); }

  // Puts |table|, whose address is |address|, into all arrays of all lanes, or of |lane| alone.
  // False: four other tables are there.
  bool place(uint32_t address, Table table);
  bool place_in_lane(uint32_t address, Table table, uint32_t lane);

  // The slot of the table at |address|; kNumSlots if it was not placed.
  uint32_t slot(uint32_t address) const;

  // |word| with every byte replaced by what it indexes in |slot|, byte by byte in its own array.
  uint32_t look_up(uint32_t lane, uint32_t slot, uint32_t word) const;

  // One array of a lane, as a whole.
  std::array<uint8_t, kArrayLen>& array(uint32_t lane, uint32_t number) {
    return lanes_[lane][number];
  }

  void clear();

 private:
  // The slot of the table at |address|, taken if there is none; kNumSlots: all are taken.
  uint32_t take_slot(uint32_t address);

  using Lane = std::array<std::array<uint8_t, kArrayLen>, kNumArrays>;
  std::vector<Lane> lanes_;
  uint32_t addresses_[kNumSlots] = {};  // of the tables in the slots
  uint32_t num_taken_ = 0;
};

}  // namespace incore::vemicry
