// `incore vemicry measure --program`: a function of the user's, with input and expected output.
#include <gtest/gtest.h>

#include "cli/own_folder.h"
#include "support/process.h"

namespace incore {
namespace {

using test::ProcessResult;

// f(data, n): the first n words at |data|, each with 1 added, to |sums|.
constexpr const char* kProgram = R"(
        .data
data:   .space 16
sums:   .space 16
        .text
        .globl f
f:      la $8, sums
next:   lw $9, 0($4)
        addiu $4, $4, 4
        addiu $9, $9, 1
        sw $9, 0($8)
        addiu $5, $5, -1
        bne $5, $0, next
        addiu $8, $8, 4
        jr $31
        nop
)";

class cli_vemicry_measure_call : public test::OwnFolderTest {
 protected:
  void SetUp() override {
    OwnFolderTest::SetUp();
    directory_.write("f.s", kProgram);
    directory_.write("in", std::string("\0\0\0\1\0\0\0\377", 8));
    directory_.write("out", std::string("\0\0\0\2\0\0\1\0", 8));
    directory_.write("wrong", std::string("\0\0\0\2\0\0\1\1", 8));
  }
  static ProcessResult measure(const std::vector<std::string>& more) {
    std::vector<std::string> argv = {INCORE_PROGRAM, "vemicry", "measure"};
    argv.insert(argv.end(), more.begin(), more.end());
    return test::run(argv);
  }
  // The call, and what it must leave.
  static std::vector<std::string> call(const std::string& expected) {
    return {"--program", "f.s", "--call",  "f",       "--arg",    "data",
            "--arg",     "2",   "--input", "data=in", "--expect", "sums=" + expected};
  }
};

TEST_F(cli_vemicry_measure_call, a_function_gets_its_input_and_its_output_is_checked) {
  const ProcessResult right = measure(call("out"));
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_EQ(right.out,
            "'f.s:f(data, 2)'                         18 instructions         18 cycles\n");
  const ProcessResult wrong = measure(call("wrong"));
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(wrong.err, "incore vemicry: 'f.s:f(data, 2)': sums: byte 7 is 0x00, expected 0x01\n");
}

TEST_F(cli_vemicry_measure_call, mistakes_in_a_call_are_told) {
  directory_.write("large", std::string(100'000, 'x'));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--program", "f.s", "--call", "g"}, "f.s:g: there is no label 'g'"},
      {{"--program", "no.s", "--call", "f"}, "no.s: No such file or directory"},
      {{"--program", "f.s", "--call", "f", "--arg", "x"}, "'f.s:f(x)': f.s has no label 'x'"},
      {{"--program", "f.s", "--call", "f", "--input", "data"}, "--input: 'data' is not LABEL=FILE"},
      {{"--program", "f.s", "--call", "f", "--input", "data=no"}, "no: No such file or directory"},
      {{"--program", "f.s", "--call", "f", "--input", "data=large"},
       "f.s:f: data has not so much memory behind it"},
      {{"--program", "f.s"}, "--program needs --call"},
      {{"xor-words", "--program", "f.s", "--call", "f"}, "--program"},
  };
  for (const auto& [args, expected] : cases) {
    const ProcessResult result = measure(args);
    EXPECT_EQ(result.exit_code, 2) << expected;
    EXPECT_NE(result.err.find(expected), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
  }
  const ProcessResult endless =
      measure({"--program", "f.s", "--call", "f", "--arg", "data", "--limit", "50"});
  EXPECT_EQ(endless.exit_code, 1);
  EXPECT_NE(endless.err.find("it is not at its end after 50 instructions"), std::string::npos)
      << endless.err;
}

}  // namespace
}  // namespace incore
