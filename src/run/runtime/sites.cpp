// The tables of sites: open addressing on the address. Readers take no lock; an entry, once made,
// keeps its address, and a site that is gone becomes `unknown` in place. Few programs fill the
// first table, so few touch the many pages of the second.
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

constexpr uint64_t kBorrowed =
    uint64_t{1} << 63;  // not an address of user space: marks entries of borrowed bytes

struct Entry {
  std::atomic<uint64_t> address;  // 0: free
  std::atomic<uint64_t> data;
  std::atomic<SiteState> state;
};

constexpr unsigned kFirstBits = 8, kSecondBits = 15;
constinit Entry first_entries[size_t{1} << kFirstBits] = {};
INCORE_LARGE constinit Entry second_entries[size_t{1} << kSecondBits] = {};

struct Table {
  Entry* entries;
  unsigned bits;                  // log2 of their number
  size_t most;                    // how many of them are used before the next table
  std::atomic<size_t> used = {};  // never fewer

  size_t size() const { return size_t{1} << bits; }
  bool is_full() const { return used.load(std::memory_order_acquire) == most; }
  size_t first_slot(uint64_t address) const {
    return (address * 0x9E3779B97F4A7C15u) >> (64 - bits);
  }
  // Where |address| is, or else a free entry; null: neither.
  Entry* find(uint64_t address) const {
    size_t slot = first_slot(address);
    for (size_t i = 0; i < size(); ++i, slot = (slot + 1) % size()) {
      const uint64_t found = entries[slot].address.load(std::memory_order_acquire);
      if (found == address || found == 0) return &entries[slot];
    }
    return nullptr;
  }
};
constinit Table tables[] = {{first_entries, kFirstBits, 3 << (kFirstBits - 2)},
                            {second_entries, kSecondBits, 1 << kSecondBits}};

// The range in which there are sites at all, so that most changes of the address space cost nothing
// here.
constinit uint64_t lowest_address = ~uint64_t{0};
constinit uint64_t highest_address = 0;

// Where |address| is or, with a free |entry|, may be. No |entry|: there is no room.
struct Place {
  Table* table;
  Entry* entry;

  bool holds(uint64_t address) const {
    return entry != nullptr && entry->address.load(std::memory_order_relaxed) == address;
  }
};
Place find_place(uint64_t address) {
  Place place = {};
  for (Table& table : tables) {
    place = {&table, table.find(address)};
    if (place.holds(address) || !table.is_full()) break;
  }
  return place;
}

}  // namespace

SiteInfo find_site(uint64_t address) {
  const Place place = find_place(address);
  if (!place.holds(address)) return {SiteState::unknown, 0};
  return {place.entry->state.load(std::memory_order_acquire),
          place.entry->data.load(std::memory_order_relaxed)};
}

bool set_site(uint64_t address, SiteState state, uint64_t data) {
  const auto [table, entry] = find_place(address);
  if (entry == nullptr) return false;
  const bool is_new = entry->address.load(std::memory_order_relaxed) == 0;
  entry->data.store(data, std::memory_order_relaxed);
  entry->state.store(state, std::memory_order_release);
  entry->address.store(address, std::memory_order_release);
  if (is_new) table->used.fetch_add(1, std::memory_order_release);
  const uint64_t place = address & ~kBorrowed;
  if (place < lowest_address) lowest_address = place;
  if (place > highest_address) highest_address = place;
  return true;
}

void forget_sites(uint64_t begin, uint64_t end) {
  if (end <= lowest_address || begin > highest_address) return;
  for (const Table& table : tables) {
    for (size_t i = 0; i < table.size(); ++i) {
      Entry& entry = table.entries[i];
      const uint64_t address = entry.address.load(std::memory_order_relaxed) & ~kBorrowed;
      if (address >= begin && address < end)
        entry.state.store(SiteState::unknown, std::memory_order_release);
    }
    if (!table.is_full()) break;
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
