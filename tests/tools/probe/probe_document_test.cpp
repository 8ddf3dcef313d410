// Documents of the probe that somebody has damaged: they are refused or compared, and nothing else.
#include <gtest/gtest.h>

#include <random>

#include "support/process.h"
#include "support/property.h"
#include "tools/probe/probe_compare.h"
#include "tools/probe/probe_document.h"
#include "tools/probe/probe_noise.h"
#include "tools/probe/probe_timings.h"

namespace incore {
namespace {

using tools::Json;

const std::string& good_text() {
  static const std::string text =
      test::run({INCORE_PROGRAM, "probe", "--cpu", "nano", "--clause", "PLK-ACE-057"}).out;
  return text;
}

TEST(probe_document, damaged_ones_are_refused_or_compared) {
  Json good;
  ASSERT_EQ(tools::read_probe_document(good_text(), &good), "");
  const std::string timings =
      R"(,"timings":{"overhead":{"min":3},"rows":[{"insn":"montmul","bits":256,"samples":5,"min":9},)"
      R"({"insn":"xcrypt-ecb","bytes":16,"samples":5,"min":9,"control":"0x0000000a"}]}})";
  std::string whole = good_text();
  whole.replace(whole.rfind('}'), std::string::npos, timings);
  size_t num_read = 0;
  test::for_each_seed(500, [&](uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&random](size_t limit) { return random() % limit; };
    std::string text = whole;
    for (size_t i = 0, n = 1 + below(4); i < n; ++i) {
      const size_t at = below(text.size());
      switch (below(3)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, below(30));
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(30)));
      }
    }
    Json document;
    const std::string wrong = tools::read_probe_document(text, &document);
    if (!wrong.empty()) return;
    ++num_read;
    const tools::ProbeBehaviour found = tools::compare_behaviour(document, good, "nano");
    EXPECT_LE(found.num_experiments, good["experiments"].size());
    tools::noise_figures(document);
    EXPECT_LE(tools::compare_timings(document, "nano").size(), 2u);
  });
  EXPECT_GT(num_read, 20u);
}

TEST(probe_document, numbers_and_bytes_are_read_exactly) {
  EXPECT_EQ(tools::hex_number(Json("0x0000000a")), 10u);
  EXPECT_EQ(tools::hex_number(Json("0xffffffffffffffff")), UINT64_MAX);
  for (const char* const wrong : {"", "0x", "10", "0x1g", "0x10000000000000000", "0x-1", " 0x1"})
    EXPECT_EQ(tools::hex_number(Json(wrong)), 0u) << wrong;
  EXPECT_EQ(tools::hex_bytes("00ff7f"), std::string("\0\xFF\x7F", 3));
  EXPECT_EQ(tools::hex_bytes("61-1"), "a");
  EXPECT_EQ(tools::hex_bytes("616"), "a");
}

}  // namespace
}  // namespace incore
