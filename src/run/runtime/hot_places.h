// Counting at which places in the program something happens often.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace incore::run {

class HotPlaces {
 public:
  // True once, at the call after |before| others for |address|, unless another place that shares
  // its entry comes between.
  bool becomes_hot(uint64_t address, uint32_t before) {
    Count& count = counts_[address % kNumCounts];
    if (count.address.exchange(address, std::memory_order_relaxed) != address)
      count.calls.store(0, std::memory_order_relaxed);
    return count.calls.fetch_add(1, std::memory_order_relaxed) == before;
  }

 private:
  static constexpr size_t kNumCounts = 31;
  struct Count {
    std::atomic<uint64_t> address;
    std::atomic<uint32_t> calls;
  };
  Count counts_[kNumCounts] = {};
};

}  // namespace incore::run
