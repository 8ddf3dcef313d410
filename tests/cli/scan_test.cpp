// `incore scan` as a user sees it. What the finder finds is tested in
// tests/scan/site_finder_test.cpp.
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/file.h"
#include "support/process.h"

namespace incore {
namespace {

using test::ProcessResult;

const std::string kIncore = INCORE_PROGRAM;
const std::string kEngine = "/usr/lib/x86_64-linux-gnu/engines-3/padlock.so";
const std::string kLibcrypto = "/usr/lib/x86_64-linux-gnu/libcrypto.so.3";

ProcessResult scan(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {kIncore, "scan"});
  return test::run(arguments);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

#define SKIP_WITHOUT(file) \
  if (access((file).c_str(), R_OK) != 0) GTEST_SKIP() << (file) << " is not installed"

TEST(cli_scan, table_has_a_row_per_site_and_a_summary) {
  SKIP_WITHOUT(kEngine);
  const ProcessResult result = scan({kEngine});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out.rfind(kEngine + " (x86-64)\n", 0), 0u) << result.out;
  EXPECT_TRUE(contains(result.out, "f3 0f a7 d0 xcrypt-cbc   control flow\n")) << result.out;
  EXPECT_TRUE(contains(
      result.out,
      "\n  3 cpuid, 2 xcrypt-cbc, 2 xcrypt-cfb, 3 xcrypt-ctr, 3 xcrypt-ecb, 2 xcrypt-ofb, 2 xsha1, "
      "2 xsha256, 1 xsha512, 1 xstore\n"))
      << result.out;
}

TEST(cli_scan, doubtful_places_are_shown_on_demand_only) {
  SKIP_WITHOUT(kLibcrypto);
  const ProcessResult usual = scan({kLibcrypto});
  EXPECT_FALSE(contains(usual.out, "data?")) << usual.out;
  EXPECT_TRUE(contains(usual.out, "\n  8 cpuid; ")) << usual.out;
  EXPECT_TRUE(contains(usual.out, "that may be data (--all shows them)")) << usual.out;
  const ProcessResult all = scan({"--all", kLibcrypto});
  EXPECT_TRUE(contains(all.out, "data?")) << all.out;
  EXPECT_TRUE(contains(all.out, "\n  8 cpuid; ")) << all.out;
}

TEST(cli_scan, json_has_the_same_figures) {
  SKIP_WITHOUT(kEngine);
  const ProcessResult result = scan({"--json", kEngine, "/nonexistent"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.out, "\"machine\": \"x86-64\"")) << result.out;
  EXPECT_TRUE(contains(result.out, "\"xcrypt-ctr\": 3")) << result.out;
  EXPECT_TRUE(contains(result.out, "\"bytes\": \"f3 0f a7 d0\"")) << result.out;
  EXPECT_TRUE(contains(result.out, "\"error\": \"No such file or directory\"")) << result.out;
  // The system's Python reads it as JSON.
  EXPECT_EQ(test::run({"python3", "-c",
                       "import json, sys; files = json.load(sys.stdin)['files']; "
                       "sys.exit(len(files[0]['sites']) != "
                       "sum(files[0]['counts'].values()))"},
                      result.out)
                .exit_code,
            0);
}

TEST(cli_scan, bad_files_get_a_line_each_and_the_others_are_searched) {
  test::TemporaryDirectory directory;
  const std::string program = test::read_file(kIncore);
  const std::string empty = directory.write("empty", "");
  const std::string text = directory.write("text", "hello, world\n");
  const std::string cut = directory.write("cut", program.substr(0, 1000));
  std::string foreign_program = program;
  foreign_program[18] = '\xb7';  // e_machine: AArch64
  const std::string foreign = directory.write("foreign", foreign_program);

  const ProcessResult result =
      scan({"/nonexistent", directory.path(), empty, text, cut, foreign, "/dev/null", kIncore});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err.rfind("incore scan: /nonexistent: No such file or directory\n"
                             "incore scan: " +
                                 directory.path() +
                                 ": is a directory\n"
                                 "incore scan: " +
                                 empty +
                                 ": not an ELF file\n"
                                 "incore scan: " +
                                 text +
                                 ": not an ELF file\n"
                                 "incore scan: " +
                                 cut + ": truncated: ",
                             0),
            0u)
      << result.err;
  EXPECT_TRUE(contains(
      result.err,
      foreign + ": a program for AArch64; only x86-64, i386 and 64-bit PowerPC are searched\n"));
  EXPECT_TRUE(contains(result.err, "/dev/null: is not a regular file\n"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 7) << result.err;
  EXPECT_EQ(result.out.rfind(kIncore + " (x86-64)\n", 0), 0u) << result.out;
}

TEST(cli_scan, usage) {
  const ProcessResult nothing = scan({});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_EQ(nothing.err, "incore scan: FILE is missing (see 'incore scan --help')\n");
  EXPECT_EQ(scan({"--no-such-option", kIncore}).exit_code, 2);
  const ProcessResult help = scan({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_TRUE(contains(help.out, "Examples:\n  incore scan ")) << help.out;
}

}  // namespace
}  // namespace incore
