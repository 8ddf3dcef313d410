// `incore vemicry run`, and `incore run` of a program for VeMICry, as a user sees them.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/process.h"

namespace incore {
namespace {

using nlohmann::json;
using test::ProcessResult;

// Writes what it reads, and exits with the number of bytes.
const std::string kEcho = R"(
        .data
buffer: .space  256
        .text
        .globl  main
main:   li      $2, 4003
        li      $4, 0
        la      $5, buffer
        li      $6, 256
        syscall
        move    $16, $2
        move    $6, $2
        li      $2, 4004
        li      $4, 1
        la      $5, buffer
        syscall
        li      $2, 4001
        move    $4, $16
        syscall
)";

// Functions, good ones and one that traps.
const std::string kFunctions = R"(
        .data
words:  .word   1, 2, 3, 4, 5, 6, 7, 8
        .text
sum:    addu    $2, $4, $5
        addu    $2, $2, $6
        addu    $2, $2, $7
        lw      $8, 16($29)
        jr      $31
        addu    $2, $2, $8
twice:  vload   v0, ($4), 0
        vaddu   v1, v0, v0
        jr      $31
        vextract $2, v1, 8
store:  li      $8, 3
        j       store
        sw      $8, 0($8)
forever: b      forever
        nop
)";

class cli_vemicry_run : public testing::Test {
 protected:
  ProcessResult run(const std::string& source, std::vector<std::string> options,
                    const std::string& input = "") {
    const std::string file = folder_.write("program.s", source);
    options.insert(options.begin(), {INCORE_PROGRAM, "vemicry", "run"});
    options.push_back(file);
    return test::run(options, input);
  }
  ProcessResult top_run(const std::string& source, std::vector<std::string> options = {},
                        std::vector<std::string> arguments = {}) {
    const std::string file = folder_.write("program.s", source);
    options.insert(options.begin(), {INCORE_PROGRAM, "run"});
    options.push_back(file);
    options.insert(options.end(), arguments.begin(), arguments.end());
    return test::run(options);
  }
  test::TemporaryDirectory folder_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(cli_vemicry_run, input_output_and_exit_code_are_the_programs) {
  const ProcessResult result = run(kEcho, {}, "hello\n");
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_EQ(result.out, "hello\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(cli_vemicry_run, little_endian_too) {
  const ProcessResult result = run(kEcho, {"--little-endian"}, "ab");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "ab");
}

TEST_F(cli_vemicry_run, calls_a_function_with_numbers_and_labels) {
  ProcessResult result = run(kFunctions, {"--call", "sum", "--arg", "1", "--arg", "0x20", "--arg",
                                          "300", "--arg", "-4", "--arg", "5000"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "sum returned 0x000014d1 after 6 instructions\n");
  result = run(kFunctions, {"--call", "twice", "--arg", "words", "--json"});
  EXPECT_EQ(json::parse(result.out)["value"], 16);
  EXPECT_EQ(json::parse(result.out)["instructions"], 4);
}

TEST_F(cli_vemicry_run, statistics_and_registers) {
  const ProcessResult result =
      run(kFunctions, {"--call", "twice", "--arg", "words", "--stats", "--regs", "--json"});
  const json report = json::parse(result.out);
  EXPECT_EQ(report["counts"], (json{{"vload", 1}, {"vaddu", 1}, {"vextract", 1}, {"jr", 1}}));
  EXPECT_EQ(report["registers"]["vector"].size(), 8u);
  EXPECT_EQ(report["registers"]["vector"][1], (json{2, 4, 6, 8, 10, 12, 14, 16}));
  EXPECT_EQ(report["registers"]["scalar"][2], 16);
  EXPECT_EQ(report["registers"]["length"], 8);
  const ProcessResult text = run(kFunctions, {"--call", "twice", "--arg", "words", "--stats",
                                              "--regs", "--q", "2", "--p", "12"});
  EXPECT_TRUE(contains(text.out, "\n  vload                   1\n")) << text.out;
  EXPECT_TRUE(contains(text.out, "\n  v1 00000002 00000004 ")) << text.out;
  EXPECT_TRUE(contains(text.out, " length 12\n")) << text.out;
}

TEST_F(cli_vemicry_run, a_trap_is_told_in_one_line) {
  const ProcessResult result = run(kFunctions, {"--call", "store"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(
      result.err,
      "incore vemicry: address error on store of 0x00000003 at 0x00400030 (store+0x8): sw $8, "
      "0($8), in the delay slot of the branch at 0x0040002c\n");
}

TEST_F(cli_vemicry_run, an_unknown_system_call_is_told_by_its_number) {
  const ProcessResult result = run("main: li $v0, 13\n syscall\n", {});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            "incore vemicry: unknown system call 13 at 0x00400004 (main+0x4): syscall\n");
}

TEST_F(cli_vemicry_run, several_sources_make_one_program) {
  const std::string main = folder_.write("main.s", ".include \"value.s\"\nmain: j leave\n nop\n"),
                    leave = folder_.write(
                        "leave.s", ".globl leave\nleave: li $4, 7\n li $2, 4001\n syscall\n");
  (void)folder_.write("value.s", "value = 7\n");
  const auto vemicry = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {INCORE_PROGRAM, "vemicry"});
    return test::run(arguments);
  };
  EXPECT_EQ(vemicry({"run", main, leave}).exit_code, 7);
  EXPECT_EQ(vemicry({"trace", main, leave}).exit_code, 0);
  const std::string elf = folder_.path() + "/main.elf";
  EXPECT_EQ(vemicry({"asm", main, leave}).exit_code, 0);
  EXPECT_EQ(vemicry({"run", elf}).exit_code, 7);
  EXPECT_EQ(vemicry({"asm", main, leave, "-o", leave}).exit_code, 2);
  EXPECT_EQ(vemicry({"asm", "--list", main, leave}).err,
            "incore vemicry: --list: accepted is a single FILE\n");
  EXPECT_EQ(vemicry({"run", main}).err,
            "incore vemicry: " + main + ":2:9: 'leave' is not defined\n");
  EXPECT_EQ(vemicry({"run", main, elf}).err,
            "incore vemicry: " + elf + ": is an ELF file; several files are assembly\n");
}

TEST_F(cli_vemicry_run, the_limit_ends_it) {
  const ProcessResult result = run(kFunctions, {"--call", "forever", "--limit", "1000"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "1000 instructions")) << result.err;
}

TEST_F(cli_vemicry_run, bad_usage_is_refused) {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--call", "nothing"},
                                             {"--call", "sum", "--arg", "12x"},
                                             {"--call", "sum", "--arg", "4294967296"},
                                             {"--arg", "1"},
                                             {"--r", "9"},
                                             {"--limit", "-1"}}) {
    const ProcessResult result = run(kFunctions, options);
    EXPECT_EQ(result.exit_code, 2) << options.back();
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(test::run({INCORE_PROGRAM, "vemicry", "run", "/nonexistent.s"}).exit_code, 2);
  const ProcessResult wrong = run("main: foo $1\n", {});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(contains(wrong.err, "program.s:1:")) << wrong.err;
}

TEST_F(cli_vemicry_run, help_has_an_example) {
  const ProcessResult result = test::run({INCORE_PROGRAM, "vemicry", "run", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out, "Examples:\n  incore vemicry run")) << result.out;
}

TEST_F(cli_vemicry_run, incore_run_picks_the_simulator_by_the_file) {
#ifndef __x86_64__
  GTEST_SKIP() << "'incore run' is for x86-64";
#endif
  const std::string exits = "main: li $2, 4001\n li $4, 7\n syscall\n";
  EXPECT_EQ(top_run(exits).exit_code, 7);
  const ProcessResult verbose = top_run(exits, {"-v", "--"});
  EXPECT_EQ(verbose.exit_code, 7);
  EXPECT_TRUE(contains(verbose.err, "in the simulator\n")) << verbose.err;
  const std::string program = std::string(INCORE_VEMICRY_PROGRAMS) + "/recursion_little";
  if (std::filesystem::exists(program)) {
    const ProcessResult result = test::run({INCORE_PROGRAM, "run", program});
    EXPECT_EQ(result.exit_code, 42) << result.err;
    EXPECT_EQ(result.out.rfind("21 ", 0), 0u) << result.out;
  }
}

TEST_F(cli_vemicry_run, incore_run_ends_like_a_signal_at_a_trap) {
#ifndef __x86_64__
  GTEST_SKIP() << "'incore run' is for x86-64";
#endif
  const std::pair<std::string, int> cases[] = {
      {"main: lw $8, 0($0)\n", SIGSEGV},
      {"main: li $8, 0x7fff0001\n lw $8, 0($8)\n", SIGBUS},
      {"main: .word 0x4a00003f\n", SIGILL},
      {"main: .word 0x44000000\n", SIGILL},
      {"main: break\n", SIGTRAP},
      {"main: break 7\n", SIGFPE},
      {"main: lui $8, 0x7fff\n add $8, $8, $8\n", SIGFPE},
      {"main: jr $0\n nop\n", SIGSEGV},
  };
  for (const auto& [source, signal] : cases) {
    const ProcessResult result = top_run(source);
    EXPECT_EQ(result.exit_code, 128 + signal) << source << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST_F(cli_vemicry_run, incore_run_refuses_what_such_programs_do_not_have) {
#ifndef __x86_64__
  GTEST_SKIP() << "'incore run' is for x86-64";
#endif
  const std::string exits = "main: li $2, 4001\n li $4, 7\n syscall\n";
  for (const char* option :
       {"--stats", "--check", "--cpu=nano", "--require=xcrypt-cbc", "--rng-seed=1"}) {
    const ProcessResult result = top_run(exits, {option, "--"});
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_TRUE(contains(result.err, "VeMICry")) << result.err;
  }
  EXPECT_EQ(top_run(exits, {"--"}, {"argument"}).exit_code, 2);
}

}  // namespace
}  // namespace incore
