// The guest's memory through its page tables: each kind of tables, what they forbid, and what a
// walk leaves in them (Intel SDM volume 3, chapter 4).
#include "tools/boot/guest_memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace incore::tools {
namespace {

constexpr uint64_t kPg = uint64_t{1} << 31 | 1, kWp = 1u << 16;
constexpr uint64_t kPse = 1u << 4, kPae = 1u << 5, kLa57 = 1u << 12, kSmap = 1u << 21;
constexpr uint64_t kLma = 1u << 10;
constexpr uint64_t kPresent = 1, kWritable = 2, kUser = 4, kAccessed = 32, kDirty = 64,
                   kLarge = 128;
constexpr uint64_t kAll = kPresent | kWritable | kUser;
constexpr uint64_t kPageLen = 4096;

// Tables from 1 MiB on, a page each, and the page at 2 MiB that they lead to.
struct Tables {
  static constexpr uint64_t kRoot = 0x100000, kPage = 0x200000;

  GuestRam ram{16u << 20};
  Paging paging;

  template <class Entry>
  void put(uint64_t table, uint64_t index, Entry entry) {
    std::memcpy(ram.at(table + index * sizeof entry, sizeof entry), &entry, sizeof entry);
  }
  uint64_t entry(uint64_t table, uint64_t index, size_t size) {
    uint64_t value = 0;
    std::memcpy(&value, ram.at(table + index * size, size), size);
    return value;
  }

  // Tables of 8-byte entries for |address|, by |num_levels| of them.
  void map_wide(uint64_t address, unsigned num_levels, uint64_t flags) {
    paging.cr3 = kRoot;
    uint64_t table = kRoot;
    for (unsigned level = num_levels; level-- != 0;) {
      const uint64_t index = address >> (12 + 9 * level) & 0x1FF;
      const uint64_t next = level == 0 ? kPage : table + kPageLen;
      const bool is_pointer = num_levels == 3 && level == 2;  // PAE's own level has no other flags
      put<uint64_t>(table, index, next | (is_pointer ? kPresent : level == 0 ? flags : kAll));
      table = next;
    }
  }

  // What reading (writing) a byte there raises; 0: nothing.
  int access(uint64_t address, bool write, uint32_t* out_error = nullptr) {
    GuestMemory memory(ram, paging);
    const incore_processor_machine m = memory.machine();
    incore_processor_trap trap = {};
    uint8_t byte = 0x5A;
    const int failed = write ? m.write(m.context, address, &byte, 1, &trap)
                             : m.read(m.context, address, &byte, 1, &trap);
    if (failed != 0) {
      EXPECT_EQ(trap.vector, 14);
      EXPECT_EQ(trap.address, address);
      if (out_error != nullptr) *out_error = trap.error_code;
    }
    return failed;
  }
};

TEST(boot_guest_memory, without_paging_addresses_are_physical) {
  Tables t;
  *t.ram.at(0x12345, 1) = 7;
  GuestMemory memory(t.ram, t.paging);
  uint8_t byte = 0;
  EXPECT_TRUE(memory.read(0x12345, &byte, 1));
  EXPECT_EQ(byte, 7);
  EXPECT_FALSE(memory.read(16u << 20, &byte, 1));  // behind the RAM
  EXPECT_FALSE(memory.read(0xA0000, &byte, 1));    // video memory
}

TEST(boot_guest_memory, wide_tables_of_each_depth_lead_to_the_page) {
  struct {
    unsigned num_levels;
    uint64_t cr4, efer, address;
  } kinds[] = {{3, kPae, 0, 0xC0201123},
               {4, kPae, kLma, 0xFFFF888000201123},
               {5, kPae | kLa57, kLma, 0xFF11000000201123}};
  for (const auto& kind : kinds) {
    Tables t;
    t.paging = {kPg | kWp, 0, kind.cr4, kind.efer, false, false};
    t.map_wide(kind.address, kind.num_levels, kAll);
    *t.ram.at(Tables::kPage + 0x123, 1) = 0x42;
    GuestMemory memory(t.ram, t.paging);
    uint8_t byte = 0;
    EXPECT_TRUE(memory.read(kind.address, &byte, 1)) << kind.num_levels;
    EXPECT_EQ(byte, 0x42);
    EXPECT_EQ(t.access(kind.address, true), 0);
    EXPECT_EQ(*t.ram.at(Tables::kPage + 0x123, 1), 0x5A);
    EXPECT_EQ(t.access(kind.address + kPageLen, false), 1);
  }
}

TEST(boot_guest_memory, narrow_tables_and_large_pages) {
  Tables t;
  t.paging = {kPg, Tables::kRoot, kPse, 0, false, false};
  constexpr uint32_t kAddress = 0x08001123;
  t.put<uint32_t>(Tables::kRoot, kAddress >> 22, (Tables::kRoot + kPageLen) | kAll);
  t.put<uint32_t>(Tables::kRoot + kPageLen, kAddress >> 12 & 0x3FF, Tables::kPage | kAll);
  EXPECT_EQ(t.access(kAddress, true), 0);
  EXPECT_EQ(*t.ram.at(Tables::kPage + 0x123, 1), 0x5A);
  // 4 MiB, if CR4.PSE allows it.
  t.put<uint32_t>(Tables::kRoot, 5, 0x400000 | kAll | kLarge);
  EXPECT_EQ(t.access((5u << 22) + 0x54321, true), 0);
  EXPECT_EQ(*t.ram.at(0x400000 + 0x54321, 1), 0x5A);

  Tables wide;  // 2 MiB
  wide.paging = {kPg, 0, kPae, kLma, false, false};
  wide.map_wide(0x40000000, 4, kAll);
  wide.put<uint64_t>(Tables::kRoot + 2 * kPageLen, 3, 0x600000 | kAll | kLarge);
  EXPECT_EQ(wide.access(0x40000000 + 3 * 0x200000 + 0x12345, true), 0);
  EXPECT_EQ(*wide.ram.at(0x612345, 1), 0x5A);
}

TEST(boot_guest_memory, what_pages_forbid_is_a_page_fault_with_its_error_code) {
  constexpr uint64_t kAddress = 0xFFFF888000201000;
  constexpr uint32_t kWasPresent = 1, kWasWrite = 2, kWasUser = 4;
  struct {
    uint64_t flags, cr0, cr4;
    bool user, alignment_checks, write;
    int64_t error;  // -1: none
  } cases[] = {
      {0, kPg, 0, false, false, false, 0},
      {0, kPg, 0, true, false, true, kWasWrite | kWasUser},
      {kPresent, kPg, 0, false, false, false, -1},
      {kPresent, kPg, 0, false, false, true, -1},  // a kernel may write without CR0.WP
      {kPresent, kPg | kWp, 0, false, false, true, kWasPresent | kWasWrite},
      {kPresent | kWritable, kPg | kWp, 0, false, false, true, -1},
      {kPresent | kWritable, kPg | kWp, 0, true, false, false, kWasPresent | kWasUser},
      {kPresent | kUser, kPg | kWp, 0, true, false, false, -1},
      {kPresent | kUser, kPg, 0, true, false, true, kWasPresent | kWasWrite | kWasUser},
      {kAll, kPg, 0, true, false, true, -1},
      {kAll, kPg, kSmap, false, false, false, kWasPresent},
      {kAll, kPg, kSmap, false, true, false, -1},
  };
  for (const auto& c : cases) {
    Tables t;
    t.paging = {c.cr0, 0, kPae | c.cr4, kLma, c.user, c.alignment_checks};
    t.map_wide(kAddress, 4, c.flags);
    uint32_t error = 0;
    const int failed = t.access(kAddress, c.write, &error);
    EXPECT_EQ(failed, c.error >= 0 ? 1 : 0) << c.flags << " " << c.cr0 << " " << c.write;
    if (c.error >= 0) {
      EXPECT_EQ(error, c.error);
    }
  }
}

TEST(boot_guest_memory, a_walk_marks_entries_as_a_cpu_does_and_a_debugger_not) {
  constexpr uint64_t kAddress = 0xFFFF888000201000;
  const uint64_t table = Tables::kRoot + 3 * kPageLen;
  for (const bool write : {false, true}) {
    Tables t;
    t.paging = {kPg, 0, kPae, kLma, false, false};
    t.map_wide(kAddress, 4, kPresent | kWritable);
    GuestMemory memory(t.ram, t.paging);
    uint8_t byte = 0;
    EXPECT_TRUE(write ? memory.write(kAddress, &byte, 1) : memory.read(kAddress, &byte, 1));
    EXPECT_EQ(t.entry(table, 1, 8) & (kAccessed | kDirty), 0u);
    EXPECT_EQ(t.access(kAddress, write), 0);
    EXPECT_EQ(t.entry(table, 1, 8) & (kAccessed | kDirty), kAccessed | (write ? kDirty : 0));
    EXPECT_EQ(t.entry(Tables::kRoot, 0x111, 8) & (kAccessed | kDirty), kAccessed);
  }
}

TEST(boot_guest_memory, an_access_across_pages_is_whole_or_nothing) {
  constexpr uint64_t kAddress = 0xFFFF888000201FF8;
  Tables t;
  t.paging = {kPg, 0, kPae, kLma, false, false};
  t.map_wide(kAddress, 4, kAll);
  GuestMemory memory(t.ram, t.paging);
  const incore_processor_machine m = memory.machine();
  incore_processor_trap trap = {};
  const uint8_t bytes[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(m.write(m.context, kAddress, bytes, sizeof bytes, &trap), 1);
  EXPECT_EQ(trap.address, 0xFFFF888000202000);
  EXPECT_EQ(*t.ram.at(Tables::kPage + 0xFF8, 1), 0);
  EXPECT_EQ(m.writable(m.context, kAddress, sizeof bytes), nullptr);
  EXPECT_NE(m.writable(m.context, kAddress, 8), nullptr);
  uint8_t read[16];
  EXPECT_EQ(memory.read_some(kAddress, read, sizeof read), 8u);
}

TEST(boot_guest_memory, more_than_three_and_a_half_gigabytes_go_on_behind_four) {
  const GuestRam ram(uint64_t{5} << 30);
  EXPECT_NE(ram.at(0xBFFFFFFF, 1), nullptr);
  EXPECT_EQ(ram.at(0xC0000000, 1), nullptr);
  EXPECT_EQ(ram.at(uint64_t{4} << 30, 1), ram.at(0xBFFFFFFF, 1) + 1);
  EXPECT_EQ(ram.at((uint64_t{4} << 30) + (uint64_t{2} << 30), 1), nullptr);
}

}  // namespace
}  // namespace incore::tools
