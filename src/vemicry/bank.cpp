#include "vemicry/bank.h"

#include <algorithm>

namespace incore::vemicry {

Banks::Banks(uint32_t num_lanes) : lanes_(num_lanes) {}

uint32_t Banks::slot(uint32_t address) const {
  const uint32_t* const end = addresses_ + num_taken_;
  const uint32_t* const found = std::find(addresses_, end, address);
  return found == end ? kNumSlots : static_cast<uint32_t>(found - addresses_);
}

uint32_t Banks::take_slot(uint32_t address) {
  const uint32_t known = slot(address);
  if (known != kNumSlots || num_taken_ == kNumSlots) return known;
  addresses_[num_taken_] = address;
  return num_taken_++;
}

bool Banks::place(uint32_t address, Table table) {
  for (uint32_t lane = 0; lane < num_lanes(); ++lane)
    if (!place_in_lane(address, table, lane)) return false;
  return true;
}

bool Banks::place_in_lane(uint32_t address, Table table, uint32_t lane) {
  const uint32_t taken = take_slot(address);
  if (taken == kNumSlots) return false;
  for (std::array<uint8_t, kArrayLen>& bytes : lanes_[lane])
    std::copy(table.begin(), table.end(), bytes.begin() + taken * kTableLen);
  return true;
}

uint32_t Banks::look_up(uint32_t lane, uint32_t slot, uint32_t word) const {
  uint32_t out = 0;
  for (uint32_t j = 0; j < kNumArrays; ++j)
    out = out << 8 | lanes_[lane][j][slot * kTableLen + (word >> (24 - 8 * j) & 0xFF)];
  return out;
}

void Banks::clear() {
  std::fill(lanes_.begin(), lanes_.end(), Lane{});
  num_taken_ = 0;
}

}  // namespace incore::vemicry
