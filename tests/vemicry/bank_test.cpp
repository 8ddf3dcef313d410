// The memory banks of the lanes (VeMICry paper, section 4.2).
#include "vemicry/bank.h"

#include "vemicry/rig.h"

namespace incore::vemicry::test {
namespace {

using Table = std::array<uint8_t, Banks::kTableLen>;

// A table whose byte i is i + |offset|.
Table table_of(uint8_t offset) {
  Table table;
  for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<uint8_t>(i + offset);
  return table;
}

Config banked(uint32_t p, uint32_t r) {
  Config config;
  config.p = p;
  config.r = r;
  config.banked = true;
  return config;
}

TEST(vemicry_banks, a_lane_for_each_unit_and_4_kib_in_each) {
  for (const uint32_t r : {1u, 2u, 4u, 8u}) {
    Rig rig(banked(8, r));
    // clause: VM-ARCH-012
    ASSERT_NE(rig.machine.memory().banks(), nullptr);
    EXPECT_EQ(rig.machine.memory().banks()->num_lanes(), r);
  }
  // clause: VM-ARCH-013
  Banks banks(1);
  size_t capacity = 0;
  for (uint32_t j = 0; j < Banks::kNumArrays; ++j) capacity += banks.array(0, j).size();
  EXPECT_EQ(capacity, 4096u);
}

TEST(vemicry_banks, every_byte_of_a_word_has_an_array_of_its_own) {
  Rig rig(banked(8, 8));
  Banks& banks = *rig.machine.memory().banks();
  ASSERT_TRUE(banks.place(kData, table_of(0)));
  for (uint32_t j = 0; j < 4; ++j) banks.array(2, j)[5] = static_cast<uint8_t>(0xA0 + j);
  rig.s.gpr[8] = kData;
  rig.set_v(1, Words(8, 0x05050505));
  // clause: VM-ARCH-013
  rig.done({vbyteld(1, 8, 0)});  // one access: no two bytes come from the same array
  EXPECT_EQ(rig.v(1)[2], 0xA0A1A2A3u);
  EXPECT_EQ(rig.v(1)[3], 0x05050505u);
}

TEST(vemicry_banks, element_i_reads_the_memory_of_lane_i_modulo_r) {
  for (const uint32_t r : {1u, 2u, 3u, 8u}) {
    Rig rig(banked(8, r));
    Banks& banks = *rig.machine.memory().banks();
    for (uint32_t lane = 0; lane < r; ++lane)
      ASSERT_TRUE(banks.place_in_lane(kData, table_of(static_cast<uint8_t>(16 * lane)), lane));
    rig.s.gpr[8] = kData;
    rig.set_v(1, Words(8, 0x01020304));
    // clause: VM-ISA-010
    // clause: VM-ARCH-008
    rig.done({vbyteld(1, 8, 0)});
    for (uint32_t i = 0; i < 8; ++i)
      EXPECT_EQ(rig.v(1)[i], 0x01020304 + 0x10101010 * (i % r)) << "element " << i << ", r " << r;
  }
}

TEST(vemicry_banks, there_is_room_for_four_tables) {
  Banks banks(8);
  // clause: VM-ARCH-014
  for (uint32_t i = 0; i < 4; ++i) EXPECT_TRUE(banks.place(kData + 256 * i, table_of(0))) << i;
  EXPECT_FALSE(banks.place(kData + 1024, table_of(0)));
  EXPECT_TRUE(banks.place(kData + 512, table_of(9)));  // anew
  for (uint32_t lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(banks.look_up(lane, banks.slot(kData + 512), 0x00010203), 0x090A0B0Cu);
    EXPECT_EQ(banks.look_up(lane, banks.slot(kData + 768), 0x00010203), 0x00010203u);
  }
  EXPECT_EQ(banks.slot(kData + 1024), Banks::kNumSlots);
}

TEST(vemicry_banks, a_fifth_table_is_a_bus_error) {
  Rig rig(banked(8, 8));
  for (uint32_t i = 0; i < 5; ++i) {
    const Table table = table_of(static_cast<uint8_t>(i));
    ASSERT_TRUE(rig.machine.memory().write(kData + 256 * i, table.data(), table.size()));
  }
  for (uint32_t i = 0; i < 4; ++i) {
    rig.s.gpr[8] = kData + 256 * i;
    rig.set_v(1, {0});
    rig.done({vbyteld(1, 8, 1)});
    EXPECT_EQ(rig.v(1)[0], 0x01010101 * i);
  }
  rig.s.gpr[8] = kData + 1024;
  // clause: VM-ARCH-014
  const Trap trap = rig.trap({vbyteld(1, 8, 1)});
  EXPECT_EQ(trap.exception, Exception::bus_error_data);
  EXPECT_EQ(trap.address, kData + 1024);
  rig.s.gpr[8] = 0;
  EXPECT_EQ(rig.exception({vbyteld(1, 8, 1)}), Exception::bus_error_data);
}

TEST(vemicry_banks, results_are_those_of_flat_memory) {
  Random random(4);
  for (const uint32_t r : {1u, 3u, 8u}) {
    Rig flat, lanes(banked(8, r));
    const Words words = random.words(8), table = random.words(64);
    for (Rig* rig : {&flat, &lanes}) {
      rig->write(kData, table);
      rig->s.gpr[8] = kData;
      rig->set_v(1, words);
      rig->done({vbyteld(1, 8, 5)});
    }
    // clause: VM-ARCH-015
    EXPECT_EQ(lanes.v(1), flat.v(1));
    EXPECT_NE(flat.v(1), words);
  }
}

TEST(vemicry_banks, keep_a_table_until_reset_whatever_memory_holds) {
  Rig rig(banked(8, 8));
  rig.s.gpr[8] = kData;
  rig.set_v(1, {0});
  rig.done({vbyteld(1, 8, 1)});
  rig.write(kData, {0x77777777});
  rig.done({vbyteld(1, 8, 1)});
  EXPECT_EQ(rig.v(1)[0], 0u);
  rig.machine.reset();
  rig.s.gpr[8] = kData;
  rig.done({vbyteld(1, 8, 1)});
  EXPECT_EQ(rig.v(1)[0], 0x77777777u);
}

}  // namespace
}  // namespace incore::vemicry::test
