// The table of sites: open addressing on the address. Readers take no lock; an entry, once made,
// keeps its address, and a site that is gone becomes `unknown` in place.
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

constexpr size_t kNumEntries = size_t{1}
                               << 15;  // a power of two; a program has tens to hundreds of sites

constexpr uint64_t kBorrowed =
    uint64_t{1} << 63;  // not an address of user space: marks entries of borrowed bytes

struct Entry {
  std::atomic<uint64_t> address;  // 0: free
  std::atomic<uint64_t> data;
  std::atomic<SiteState> state;
};
constinit Entry entries[kNumEntries] = {};

// The range in which there are sites at all, so that most changes of the address space cost nothing
// here.
constinit uint64_t lowest_address = ~uint64_t{0};
constinit uint64_t highest_address = 0;

size_t first_slot(uint64_t address) {
  return (address * 0x9E3779B97F4A7C15u) >> (64 - 15);
}

Entry* find_entry(uint64_t address) {
  size_t slot = first_slot(address);
  for (size_t i = 0; i < kNumEntries; ++i, slot = (slot + 1) % kNumEntries) {
    const uint64_t found = entries[slot].address.load(std::memory_order_acquire);
    if (found == address) return &entries[slot];
    if (found == 0) return nullptr;
  }
  return nullptr;
}

}  // namespace

SiteInfo find_site(uint64_t address) {
  const Entry* entry = find_entry(address);
  if (entry == nullptr) return {SiteState::unknown, 0};
  return {entry->state.load(std::memory_order_acquire),
          entry->data.load(std::memory_order_relaxed)};
}

bool set_site(uint64_t address, SiteState state, uint64_t data) {
  Entry* entry = find_entry(address);
  if (entry == nullptr) {
    size_t slot = first_slot(address);
    size_t tried = 0;
    while (entries[slot].address.load(std::memory_order_relaxed) != 0) {
      if (++tried == kNumEntries) return false;
      slot = (slot + 1) % kNumEntries;
    }
    entry = &entries[slot];
  }
  entry->data.store(data, std::memory_order_relaxed);
  entry->state.store(state, std::memory_order_release);
  entry->address.store(address, std::memory_order_release);
  const uint64_t place = address & ~kBorrowed;
  if (place < lowest_address) lowest_address = place;
  if (place > highest_address) highest_address = place;
  return true;
}

void forget_sites(uint64_t begin, uint64_t end) {
  if (end <= lowest_address || begin > highest_address) return;
  for (Entry& entry : entries) {
    const uint64_t address = entry.address.load(std::memory_order_relaxed) & ~kBorrowed;
    if (address >= begin && address < end)
      entry.state.store(SiteState::unknown, std::memory_order_release);
  }
}

bool borrow_byte(uint64_t address) {
  return set_site(address | kBorrowed, SiteState::unpatched);
}

void give_byte_back(uint64_t address) {
  set_site(address | kBorrowed, SiteState::unknown);
}

bool is_borrowed(uint64_t address) {
  return find_site(address | kBorrowed).state != SiteState::unknown;
}

}  // namespace incore::run
