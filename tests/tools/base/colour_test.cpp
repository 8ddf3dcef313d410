// Colours of verdicts: on a terminal, unless the user does not want them.
#include "tools/base/colour.h"

#include <gtest/gtest.h>

#include "cli/own_folder.h"

namespace incore {
namespace {

using tools::coloured;
using tools::Verdict;

TEST(colour, belongs_to_the_verdict) {
  EXPECT_EQ(coloured(Verdict::right, "OK", true), "\033[32mOK\033[0m");
  EXPECT_EQ(coloured(Verdict::wrong, "FAILED", true), "\033[31mFAILED\033[0m");
  EXPECT_EQ(coloured(Verdict::doubtful, "WEAK", true), "\033[33mWEAK\033[0m");
  EXPECT_EQ(coloured(Verdict::right, "OK", false), "OK");
}

class colour_of_commands : public test::OwnFolderTest {
 protected:
  // What |command| prints on a terminal.
  static std::string on_terminal(const std::string& command,
                                 const std::vector<std::string>& environment) {
    return test::run({"python3", "-c", "import pty, sys; pty.spawn(['sh', '-c', sys.argv[1]])",
                      std::string(INCORE_PROGRAM) + " " + command},
                     "", environment)
        .out;
  }
  static bool has_colour(const std::string& text) { return text.find('\033') != text.npos; }
};

TEST_F(colour_of_commands, is_on_terminals_only_and_only_if_it_is_wanted) {
  if (test::kEmulated) GTEST_SKIP() << "the program does not start by itself here";
  directory_.write("data", "abc");
  const std::string list = test::run({INCORE_PROGRAM, "hash", "data"}).out;
  directory_.write("list", list);
  const std::string check = "hash --check list", terminal = "TERM=xterm", wanted = "NO_COLOR=";
  EXPECT_NE(on_terminal(check, {terminal, wanted}).find("data: \033[32mOK\033[0m"),
            std::string::npos);
  EXPECT_FALSE(has_colour(on_terminal(check, {terminal, "NO_COLOR=1"})));
  EXPECT_FALSE(has_colour(on_terminal(check, {"TERM=dumb", wanted})));
  EXPECT_FALSE(has_colour(on_terminal(check + " | cat", {terminal, wanted})));
  directory_.write("data", "abd");
  EXPECT_NE(on_terminal(check, {terminal, wanted}).find("data: \033[31mFAILED\033[0m"),
            std::string::npos);
  // What judges a source has them too.
  directory_.write("zeros", std::string(1 << 16, '\0'));
  EXPECT_NE(on_terminal("rng health zeros", {terminal, wanted}).find("\033[31mfail\033[0m"),
            std::string::npos);
  EXPECT_FALSE(has_colour(on_terminal("rng health zeros", {terminal, "NO_COLOR=1"})));
  const std::string results = on_terminal("vemicry results", {terminal, wanted});
  EXPECT_NE(results.find("\033[32mexact\033[0m"), std::string::npos);
  EXPECT_EQ(results.find("\033[31m"), std::string::npos);
}

}  // namespace
}  // namespace incore
