// Line tables of ELF files, of which every byte may be wrong.
#include "vemicry/line_table.h"

#include <gtest/gtest.h>

namespace incore::vemicry {
namespace {

// A table of DWARF 2: a.c in the compilation's folder and b.h in "include". Lines 5 and 6 of a.c
// from 0x400000 on, two instructions each, then line 9 of b.h, one.
std::vector<uint8_t> small_table() {
  std::vector<uint8_t> header = {1, 1, 0xFB, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1};
  for (const char c : {'i', 'n', 'c', 'l', 'u', 'd', 'e', '\0', '\0', 'a', '.', 'c', '\0'})
    header.push_back(static_cast<uint8_t>(c));
  header.insert(header.end(), {0, 0, 0, 'b', '.', 'h', 0, 1, 0, 0, 0});
  const std::vector<uint8_t> program = {
      0,
      5,
      2,
      0x00,
      0x40,
      0x00,
      0x00,  // address
      3,
      4,
      1,                        // line 5
      10 + (8 * 14) + (1 + 5),  // 8 bytes and a line on
      2,
      8,
      4,
      2,
      3,
      3,
      1,  // 8 bytes, file 2, 3 lines on
      2,
      4,
      0,
      1,
      1,  // 4 bytes, and the end
  };
  std::vector<uint8_t> unit = {0, 2, 0, 0, 0, static_cast<uint8_t>(header.size())};
  unit.insert(unit.end(), header.begin(), header.end());
  unit.insert(unit.end(), program.begin(), program.end());
  std::vector<uint8_t> table = {0, 0, 0, static_cast<uint8_t>(unit.size())};
  table.insert(table.end(), unit.begin(), unit.end());
  return table;
}

Image read(const std::vector<uint8_t>& table) {
  Image image;
  read_line_table({table, {}, {}}, true, &image);
  return image;
}

TEST(vemicry_line_table, places_have_file_and_line) {
  const Image image = read(small_table());
  EXPECT_EQ(image.files, (std::vector<std::string>{"a.c", std::string("include/") + "b.h"}));
  const auto place = [&](uint32_t address) {
    const SourcePlace* const found = image.place_of(address);
    return found == nullptr ? "none" : image.files[found->file] + ":" + std::to_string(found->line);
  };
  EXPECT_EQ(place(0x3FFFFC), "none");
  EXPECT_EQ(place(0x400000), "a.c:5");
  EXPECT_EQ(place(0x400004), "a.c:5");
  EXPECT_EQ(place(0x400008), "a.c:6");
  EXPECT_EQ(place(0x400010), std::string("include/") + "b.h:9");
  EXPECT_EQ(place(0x400014), "none");
}

TEST(vemicry_line_table, any_bytes_are_survived) {
  const std::vector<uint8_t> good = small_table();
  for (size_t len = 0; len < good.size(); ++len)
    (void)read({good.begin(), good.begin() + static_cast<long>(len)});
  uint32_t random = 1;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<uint8_t> table = good;
    for (int k = 0; k < 3; ++k) {
      random = random * 1664525 + 1013904223;
      table[(random >> 8) % table.size()] = static_cast<uint8_t>(random >> 24);
    }
    table[5] = static_cast<uint8_t>(2 + i % 4);  // of every version
    const Image image = read(table);
    for (const SourcePlace& place : image.places) ASSERT_LT(place.file, image.files.size());
  }
}

}  // namespace
}  // namespace incore::vemicry
