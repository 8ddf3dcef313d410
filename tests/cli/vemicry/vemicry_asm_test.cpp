// `incore vemicry asm` and `incore vemicry disasm` as a user sees them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "support/process.h"

namespace incore {
namespace {

using test::ProcessResult;

ProcessResult vemicry(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {INCORE_PROGRAM, "vemicry"});
  return test::run(arguments);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kSource =
    "# sum\n .ent f\nf: vload v0, ($4), N\n li $8, 0x12345678\n jr $31\n nop\n .end f\n";

TEST(cli_vemicry_asm, writes_an_executable_that_disasm_shows) {
  const test::TemporaryDirectory directory;
  const std::string source = directory.write("sum.s", kSource);
  const ProcessResult assembled = vemicry({"asm", "-D", "N=4", source});
  EXPECT_EQ(assembled.exit_code, 0) << assembled.err;
  EXPECT_EQ(assembled.out + assembled.err, "");
  EXPECT_EQ(access((directory.path() + "/sum.elf").c_str(), X_OK), 0);
  EXPECT_NE(access(source.c_str(), X_OK), 0);
  const ProcessResult shown = vemicry({"disasm", directory.path() + "/sum.elf"});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_EQ(shown.out,
            "00400000 <f>:\n"
            "  00400000  4a400120  vload   v0, ($4), 4\n"
            "  00400004  3c081234  lui     $8, 0x1234\n"
            "  00400008  35085678  ori     $8, $8, 0x5678\n"
            "  0040000c  03e00008  jr      $31\n"
            "  00400010  00000000  nop\n");
  const ProcessResult json = vemicry({"disasm", "--json", directory.path() + "/sum.elf"});
  EXPECT_EQ(test::run({"python3", "-c",
                       "import json, sys; lines = json.load(sys.stdin); sys.exit("
                       "len(lines) != 5 or lines[0]['label'] != 'f' or lines[3]['word'] != "
                       "0x03e00008 or lines[3]['address'] != 0x40000c)"},
                      json.out)
                .exit_code,
            0);
}

TEST(cli_vemicry_asm, lists_source_and_words_side_by_side) {
  const test::TemporaryDirectory directory;
  const std::string source = directory.write("sum.s", kSource);
  const ProcessResult result = vemicry({"asm", "--list", "-D", "N=0x4", source});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "                       1  # sum\n"
            "                       2   .ent f\n"
            "00400000 4a400120      3  f: vload v0, ($4), N\n"
            "00400004 3c081234      4   li $8, 0x12345678\n"
            "00400008 35085678\n"
            "0040000c 03e00008      5   jr $31\n"
            "00400010 00000000      6   nop\n"
            "                       7   .end f\n");
  EXPECT_NE(access((directory.path() + "/sum.elf").c_str(), F_OK), 0);
}

TEST(cli_vemicry_asm, mistakes_get_a_line_each_and_nothing_is_written) {
  const test::TemporaryDirectory directory;
  const std::string source = directory.write("bad.s", " b x\n vload v8, ($4), 1\n");
  const std::string output = directory.path() + "/bad.elf";
  const ProcessResult result = vemicry({"asm", source, "-o", output});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "incore vemicry: " + source + ":1:4: 'x' is not defined\n" +
                            "incore vemicry: " + source +
                            ":2:8: 'v8' does not exist: this machine has v0 to v7\n");
  EXPECT_NE(access(output.c_str(), F_OK), 0);
  EXPECT_EQ(vemicry({"disasm", source}).err, result.err);
  EXPECT_EQ(
      vemicry({"asm", "--q", "9", directory.write("good.s", " vload v8, ($4), 1\n")}).exit_code, 0);
}

TEST(cli_vemicry_asm, words_and_memory_are_disassembled) {
  EXPECT_EQ(vemicry({"disasm", "--words", "4a400120", "0x03e00008"}).out,
            "  00000000  4a400120  vload   v0, ($4), 4\n"
            "  00000004  03e00008  jr      $31\n");
  const test::TemporaryDirectory directory;
  const std::string memory = directory.write("memory", std::string("\x08\0\xe0\x03\0\0\0\0", 8));
  EXPECT_EQ(vemicry({"disasm", "--little-endian", "--flat", "0x1000", memory}).out,
            "  00001000  03e00008  jr      $31\n"
            "  00001004  00000000  nop\n");
}

TEST(cli_vemicry_asm, usage) {
  const test::TemporaryDirectory directory;
  const std::string source = directory.write("a.s", "nop\n");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"asm"},
                                             {"asm", "/nonexistent.s"},
                                             {"asm", directory.path()},
                                             {"asm", "-D", "N=x", source},
                                             {"asm", "--q", "17", source},
                                             {"asm", source, "-o", "/nonexistent/x.elf"},
                                             {"disasm"},
                                             {"disasm", "--words", "xyz"},
                                             {"disasm", "--words", "0", source},
                                             {"disasm", "--flat", "2", source},
                                             {"disasm", INCORE_PROGRAM}}) {
    const ProcessResult result = vemicry(arguments);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_TRUE(contains(vemicry({"asm", "--help"}).out, "incore vemicry asm --list"));
  EXPECT_TRUE(contains(vemicry({"disasm", "--help"}).out, "incore vemicry disasm --words"));
}

}  // namespace
}  // namespace incore
