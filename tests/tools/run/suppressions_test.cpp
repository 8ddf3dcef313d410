// Files of accepted findings for `incore run --check`.
#include "tools/run/suppressions.h"

#include <gtest/gtest.h>

#include "support/file.h"

namespace incore::tools {
namespace {

incore_run_finding finding(const char* check, const char* function, const char* module) {
  incore_run_finding f = {};
  f.check = check;
  f.function = function;
  f.module = module;
  return f;
}

// The reason that |text| gives to accept the finding; "" if it gives none.
std::string reason(const std::string& text, const incore_run_finding& found) {
  Suppressions suppressions;
  EXPECT_EQ(suppressions.parse(text, "file"), "");
  const std::string* const why = suppressions.reason(found);
  return why != nullptr ? *why : "";
}

TEST(tools_suppressions, fit_by_check_function_and_module) {
  const incore_run_finding found = finding("stale-key", "encrypt", "/lib/libx.so.3");
  EXPECT_EQ(reason("stale-key encrypt libx.so.3 known, and harmless", found),
            "known, and harmless");
  EXPECT_EQ(reason("  stale-* en*pt /lib/*  why ", found), "why ");
  EXPECT_EQ(reason("* * * all\n", found), "all");
  EXPECT_EQ(reason("# comment\n\nkey-size * * no\nstale-key * * first\n* * * second", found),
            "first");
  EXPECT_EQ(reason("stale-key decrypt * no", found), "");
  EXPECT_EQ(reason("stale-key encrypt libx.so no", found), "");
  EXPECT_EQ(reason("key-size encrypt * no", found), "");
  EXPECT_EQ(reason("stale-key * * unknown place", finding("stale-key", nullptr, nullptr)),
            "unknown place");
  EXPECT_EQ(reason("stale-key f * no", finding("stale-key", nullptr, nullptr)), "");
}

TEST(tools_suppressions, what_fitted_nothing_is_told) {
  Suppressions suppressions;
  ASSERT_EQ(suppressions.parse("stale-key f * a\n\nkey-size * * b", "my file"), "");
  EXPECT_NE(suppressions.reason(finding("key-size", "g", "m")), nullptr);
  EXPECT_EQ(suppressions.unused(), "'my file':1: nothing was found that it fits\n");
}

TEST(tools_suppressions, wrong_lines_are_named) {
  for (const char* line : {"stale-key", "stale-key f", "stale-key f m", "stale-key f m  "})
    EXPECT_EQ(Suppressions().parse(std::string("# a\n") + line, "file"),
              "file:2: a line is CHECK FUNCTION MODULE REASON, where * stands for anything")
        << line;
  EXPECT_EQ(Suppressions().parse("stale-kay * * because", "file"),
            "file:1: no check is called 'stale-kay'");
  EXPECT_NE(Suppressions().parse(std::string("\0\xff[ * * because", 13), "file"), "");
  EXPECT_EQ(Suppressions().read("/nonexistent/file"),
            "'/nonexistent/file': No such file or directory");
}

}  // namespace
}  // namespace incore::tools
