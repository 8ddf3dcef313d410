// Every command that has files to read and to write: no result takes the place of what it was made
// from, nor of another result. `incore rng analyze` has its own tests of this.
#include <gtest/gtest.h>

#include "cli/own_folder.h"

namespace incore::test {
namespace {

class cli_same_file : public OwnFolderTest {
 protected:
  // |arguments| are refused in one line that says |what|, and no file changes.
  void expect_refused(std::vector<std::string> arguments, const std::string& what) {
    const auto before = files();
    arguments.insert(arguments.begin(), INCORE_PROGRAM);
    const ProcessResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err.find(what), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(files(), before);
  }
};

TEST_F(cli_same_file, aes_replaces_its_input_but_not_its_key) {
  const std::string key(16, 'k'), text(32, 't');
  directory_.write("key", key);
  directory_.write("text", text);
  for (const char* const out : {"key", "./key"})
    expect_refused(
        {"aes", "encrypt", "--mode", "ecb", "--key-file", "key", "--in", "text", "--out", out},
        "is the input");
  EXPECT_EQ(read_file("key"), key);
  const ProcessResult in_place = run({INCORE_PROGRAM, "aes", "encrypt", "--mode", "ecb",
                                      "--key-file", "key", "--in", "text", "--out", "text"});
  EXPECT_EQ(in_place.exit_code, 0) << in_place.err;
  EXPECT_EQ(read_file("text").size(), 48u);
  EXPECT_NE(read_file("text").substr(0, 32), text);
}

TEST_F(cli_same_file, run_writes_two_reports_to_two_files) {
  if (run({INCORE_PROGRAM, "run", "--help"}).exit_code != 0)
    GTEST_SKIP() << "no `incore run` on this machine";
  expect_refused({"run", "--stats=o", "--check=./o", "--", "/bin/true"}, "are one file: name two");
  const ProcessResult copied = run({"cp", "/bin/true", "program"});
  ASSERT_EQ(copied.exit_code, 0) << copied.err;
  const std::string program = read_file("program");
  expect_refused({"run", "--stats=program", "--", "./program"}, "is the input");
  EXPECT_EQ(read_file("program"), program);
}

TEST_F(cli_same_file, vemicry_asm_does_not_replace_its_source) {
  const std::string source = "  nop\n";
  directory_.write("a.s", source);
  directory_.write("a.elf", source);
  expect_refused({"vemicry", "asm", "a.s", "-o", "./a.s"}, "is the input");
  expect_refused({"vemicry", "asm", "a.elf"}, "is the input");
  EXPECT_EQ(read_file("a.s"), source);
  EXPECT_EQ(read_file("a.elf"), source);
}

}  // namespace
}  // namespace incore::test
