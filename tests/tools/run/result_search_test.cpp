#include "tools/run/result_search.h"

#include <gtest/gtest.h>

#include <string>

namespace incore::tools {
namespace {

ResultBytes counting() {
  ResultBytes bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i + 1);
  return bytes;
}

bool finds(ResultSearch& search, size_t number, const std::string& memory) {
  search.forget_finds();
  ResultSearch::look(&search, reinterpret_cast<const unsigned char*>(memory.data()), memory.size());
  return search.found(number);
}

TEST(run_result_search, finds_a_result_wherever_it_begins) {
  ResultSearch search;
  const ResultBytes result = counting();
  const size_t number = search.add(result, false);
  const std::string text(result.begin(), result.end());
  for (size_t before = 0; before < 40; ++before)
    EXPECT_TRUE(finds(search, number, std::string(before, 'x') + text)) << before;
  EXPECT_FALSE(finds(search, number, text.substr(0, 15)));
  EXPECT_FALSE(finds(search, number, text.substr(0, 15) + "x"));
}

TEST(run_result_search, finds_a_hash_in_either_byte_order) {
  const std::string words = {4, 3, 2, 1, 8, 7, 6, 5, 12, 11, 10, 9, 16, 15, 14, 13};
  const std::string longer = {8, 7, 6, 5, 4, 3, 2, 1, 16, 15, 14, 13, 12, 11, 10, 9};
  ResultSearch hashes, blocks;
  const size_t hash = hashes.add(counting(), true), block = blocks.add(counting(), false);
  for (const std::string& memory : {words, longer}) {
    EXPECT_TRUE(finds(hashes, hash, memory));
    EXPECT_FALSE(finds(blocks, block, memory));
  }
}

TEST(run_result_search, passes_over_what_is_found_anywhere) {
  ResultSearch search;
  EXPECT_EQ(search.add(ResultBytes{}, false), ResultSearch::kNone);
  EXPECT_EQ(search.add(counting(), false), search.add(counting(), false));
  EXPECT_EQ(search.size(), 1u);
}

}  // namespace
}  // namespace incore::tools
