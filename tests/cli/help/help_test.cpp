// The records of commands: all that is made of them says the same, and what is not accepted is told
// with what is.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "cli/every_command.h"

namespace incore {
namespace {

using test::Args;
using test::joined;
using test::ProcessResult;
using test::words;

ProcessResult incore(const Args& args) {
  return test::run(joined({INCORE_PROGRAM}, args));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(cli_help, has_usage_options_examples_and_exit_codes_of_each_command) {
  ASSERT_GT(test::every_command().size(), 20u);
  for (const test::HelpCommand& command : test::every_command()) {
    SCOPED_TRACE(words(command.path));
    const ProcessResult help = incore(joined(command.path, {"--help"}));
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_TRUE(contains(help.out, "\nUsage: incore " + words(command.path))) << help.out;
    for (const test::HelpOption& option : command.options)
      EXPECT_TRUE(contains(help.out, option.name)) << option.name;
    if (command.has_commands) continue;
    EXPECT_TRUE(contains(help.out, "\nExamples:\n  ")) << help.out;
    EXPECT_TRUE(contains(help.out, "\nExit codes:\n  ")) << help.out;
  }
}

TEST(cli_help, fits_a_terminal) {
  for (const test::HelpCommand& command : test::every_command()) {
    std::istringstream help(incore(joined(command.path, {"--help"})).out);
    bool in_examples = false;  // which are to be copied
    for (std::string line; std::getline(help, line);) {
      in_examples = line == "Examples:" || (in_examples && !line.empty());
      EXPECT_TRUE(in_examples || line.size() <= 100) << words(command.path) << ": " << line;
    }
  }
}

TEST(cli_help, is_the_same_however_it_is_asked_for) {
  for (const test::HelpCommand& command : test::every_command()) {
    const std::string text = incore(joined(command.path, {"--help"})).out;
    EXPECT_EQ(incore(joined(command.path, {"-h"})).out, text);
    EXPECT_EQ(incore(joined({"help"}, command.path)).out, text);
    EXPECT_EQ(incore(joined({"--help"}, command.path)).out, text);
  }
}

TEST(cli_help, as_a_manual_page_has_every_option) {
  for (const test::HelpCommand& command : test::every_command()) {
    SCOPED_TRACE(words(command.path));
    const std::string page = incore(joined({"help", "--man"}, command.path)).out;
    for (const char* const section : {"NAME", "SYNOPSIS", "OPTIONS", "SEE ALSO"})
      EXPECT_TRUE(contains(page, std::string("\n.SH ") + section + "\n")) << section;
    for (const test::HelpOption& option : command.options) {
      std::string escaped;
      for (const char c : option.name) escaped += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_TRUE(contains(page, escaped)) << option.name;
    }
  }
}

// mandoc complains of longer lines. Readers see a line that was broken as one.
TEST(cli_help, as_a_manual_page_breaks_long_lines_and_keeps_what_they_say) {
  const std::set<std::string> requests = {".TH", ".SH", ".TP", ".PP", ".EX", ".EE", ".B"};
  size_t joined_lines = 0;
  for (const test::HelpCommand& command : test::every_command()) {
    SCOPED_TRACE(words(command.path));
    std::istringstream page(incore(joined({"help", "--man"}, command.path)).out);
    std::string shown;
    for (std::string line; std::getline(page, line);) {
      EXPECT_LE(line.size(), 80u) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
      EXPECT_TRUE(!line.starts_with('.') || requests.contains(line.substr(0, line.find(' '))))
          << line;
      const bool goes_on = line.ends_with('\\');
      joined_lines += goes_on;
      shown += goes_on ? line.substr(0, line.size() - 1) : line + "\n";
    }
    for (const auto& [from, to] : {std::pair{"\\-", "-"}, {"\\e", "\\"}, {"\\&", ""}})
      for (size_t at = 0; (at = shown.find(from, at)) != std::string::npos;
           at += std::string(to).size())
        shown.replace(at, 2, to);
    const std::string help = incore(joined(command.path, {"--help"})).out;
    const size_t examples = help.find("\nExamples:\n");
    if (examples == std::string::npos) continue;
    std::istringstream lines(help.substr(examples + 11));
    for (std::string line; std::getline(lines, line) && line.starts_with("  ");)
      EXPECT_TRUE(contains(shown, "\n" + line.substr(2) + "\n")) << line;
  }
  EXPECT_GT(joined_lines, 0u);
}

TEST(cli_help, of_what_is_no_command_is_refused) {
  for (const Args& wrong : std::vector<Args>{{"hsah"}, {"hash", "more"}, {"rng", "byte"}}) {
    const ProcessResult help = incore(joined({"help"}, wrong));
    EXPECT_EQ(help.exit_code, 2) << words(wrong);
    EXPECT_EQ(help.out, "");
    EXPECT_TRUE(contains(help.err, "'" + wrong.back() + "'")) << help.err;
  }
  EXPECT_TRUE(contains(incore({"help", "hsah"}).err, "did you mean 'hash'?"));
}

TEST(cli_help, lists_what_options_with_names_accept) {
  const std::string algorithms = incore({"hash", "--list"}).out;
  EXPECT_TRUE(contains(algorithms, "--algorithm ALG\n  sha1 sha224 ")) << algorithms;
  size_t num_lists = 0;
  for (const test::HelpCommand& command : test::every_command())
    for (const test::HelpOption& option : command.options) {
      if (option.choices.empty()) continue;
      SCOPED_TRACE(words(joined(command.path, {option.name})));
      ++num_lists;
      const ProcessResult list = incore(joined(command.path, {"--list"}));
      if (words(command.path) != "vemicry asm") {
        EXPECT_EQ(list.exit_code, 0) << list.err;
        for (const std::string& choice : option.choices)
          EXPECT_TRUE(contains(list.out, choice)) << choice;
      }
      if (option.takes_others) continue;
      // A name that is not accepted is told with the one that it is near to.
      const std::string wrong = option.choices[0] + "x";
      const ProcessResult refused = incore(joined(
          command.path, option.is_positional ? Args{wrong} : Args{option.name + "=" + wrong}));
      EXPECT_EQ(refused.exit_code, 2);
      EXPECT_TRUE(contains(refused.err, "'" + wrong + "'")) << refused.err;
      EXPECT_TRUE(contains(refused.err, "did you mean '")) << refused.err;
    }
  EXPECT_GE(num_lists, 8u);
}

}  // namespace
}  // namespace incore
