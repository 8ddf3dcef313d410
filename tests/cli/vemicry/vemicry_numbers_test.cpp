// Every number that `incore vemicry` takes on its command line: what is none, or out of range, is
// refused before anything is done, in one line that says what is accepted.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cli/every_command.h"
#include "cli/own_folder.h"
#include "support/process.h"

namespace incore {
namespace {

using test::ProcessResult;

struct NumberOption {
  std::string command, name;
  std::vector<std::string> more;  // what the command needs beside it
  std::vector<std::string> good;  // the bounds
  std::vector<std::string> bad;   // just beyond them
};

const std::string k64 = "18446744073709551615", kBeyond64 = "18446744073709551616";

// Each command's, with what it takes to run quickly.
std::vector<NumberOption> all_options() {
  const std::vector<std::string> run = {"f.s", "--call", "f"}, trace = {"--workload", "xor-words"},
                                 measure = {"xor-words"}, assemble = {"f.s"},
                                 words = {"--words", "0"};
  std::vector<NumberOption> all;
  for (const auto& [command, more] :
       {std::pair("run", run), std::pair("trace", trace), std::pair("measure", measure)}) {
    all.push_back({command, "--q", more, {"3", "16"}, {"0", "17"}});
    all.push_back({command, "--p", more, {"1", "256"}, {"0", "257"}});
    all.push_back({command, "--r", more, {"1", "8"}, {"0", "9", "257"}});
    all.push_back({command, "--l", more, {"8"}, {"0", "9", "257"}});
    std::vector<std::string> timed = more;
    if (command == std::string("run")) timed.push_back("--cycles");
    all.push_back({command, "--memory-latency", timed, {"0", "1000"}, {"1001"}});
    all.push_back({command, "--banks", timed, {"1", "256"}, {"0", "257", "3"}});
    all.push_back({command, "--ports", timed, {"1", "2"}, {"0", "3"}});
    all.push_back({command, "--junk", more, {"0", k64}, {kBeyond64}});
  }
  for (const auto& [command, more] : {std::pair("asm", assemble), std::pair("disasm", words)}) {
    all.push_back({command, "--q", more, {"1", "16"}, {"0", "17"}});
    all.push_back({command, "--p", more, {"1", "256"}, {"0", "257"}});
  }
  all.push_back({"asm", "--l", assemble, {"1", "8"}, {"0", "9", "257"}});
  all.push_back({"disasm", "--flat", {"f.s"}, {"0", "0xfffff000"}, {"4294967296"}});
  all.push_back({"run", "--limit", run, {"4", k64}, {"0", kBeyond64}});
  all.push_back({"trace", "--seed", trace, {"0", k64}, {kBeyond64}});
  all.push_back({"trace", "--limit", trace, {"1", k64}, {"0", kBeyond64}});
  all.push_back({"trace", "--diagram", trace, {"1", "10000"}, {"0", "10001"}});
  all.push_back({"trace", "--from", trace, {"0", k64}, {kBeyond64}});
  all.push_back({"trace", "--to", trace, {"0", k64}, {kBeyond64}});
  all.push_back({"measure", "--seed", measure, {"0", k64}, {kBeyond64}});
  all.push_back(
      {"measure", "--limit", {"--program", "f.s", "--call", "f"}, {"10", k64}, {"0", kBeyond64}});
  all.push_back({"sweep", "--jobs", {"sweep.toml"}, {"1", "1024"}, {"0", "1025"}});
  // They wait for a debugger, or take long: only what is refused.
  all.push_back({"run", "--gdb", {"f.s"}, {}, {"65536"}});
  for (const char* command : {"area", "fpga"}) {
    all.push_back({command, "--q", {}, {}, {"0", "17"}});
    all.push_back({command, "--p", {}, {}, {"0", "257"}});
    all.push_back({command, "--r", {}, {}, {"0", "9", "257", "1,0", "4,x"}});
  }
  return all;
}

class cli_vemicry_numbers : public test::OwnFolderTest {
 protected:
  void SetUp() override {
    OwnFolderTest::SetUp();
    directory_.write("f.s", "f: jr $31\n nop\n nop\n nop\n");
    directory_.write("sweep.toml", "programs = [\"xor-words\"]\n");
  }
  static ProcessResult run(const NumberOption& option, const std::string& value) {
    std::vector<std::string> argv = {INCORE_PROGRAM, "vemicry", option.command};
    argv.insert(argv.end(), option.more.begin(), option.more.end());
    argv.push_back(option.name + "=" + value);
    return test::run(argv);
  }
};

TEST_F(cli_vemicry_numbers, what_is_no_number_in_range_is_refused) {
  for (const NumberOption& option : all_options()) {
    std::vector<std::string> bad = option.bad;
    bad.insert(bad.end(), {"-1", "x", "1x", "1.5", "1e3", "0x", "0xg", " 1", "1 ", "+1", "--1",
                           std::string(100000, '9')});
    const std::set<std::string> before = files();
    for (const std::string& value : bad) {
      const ProcessResult result = run(option, value);
      const std::string what =
          option.command + " " + option.name + "=" + value.substr(0, 30) + ": " + result.err;
      EXPECT_EQ(result.exit_code, 2) << what;
      EXPECT_EQ(result.out, "") << what;
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << what;
      EXPECT_LT(result.err.size(), 400u) << what;
      EXPECT_TRUE(result.err.find(" is no ") != std::string::npos ||
                  result.err.find("; accepted: ") != std::string::npos)
          << what;
    }
    EXPECT_EQ(files(), before) << option.command << " " << option.name;
  }
}

TEST_F(cli_vemicry_numbers, what_is_in_range_is_accepted) {
  for (const NumberOption& option : all_options())
    for (const std::string& value : option.good) {
      const ProcessResult result = run(option, value);
      EXPECT_EQ(result.exit_code, 0)
          << option.command << " " << option.name << "=" << value << ": " << result.err;
    }
  // As a number of two hexadecimal digits.
  EXPECT_EQ(run({"run", "--p", {"f.s", "--call", "f"}, {}, {}}, "0x10").exit_code, 0);
}

// A number that is added to a command later must be in the list above, and be read as the others.
TEST_F(cli_vemicry_numbers, every_one_is_in_the_list) {
  std::set<std::pair<std::string, std::string>> listed, found;
  std::set<std::string> commands = {"results"};
  for (const NumberOption& option : all_options()) {
    listed.emplace(option.command, option.name);
    commands.insert(option.command);
  }
  size_t num_commands = 0;
  for (const test::HelpCommand& command : test::every_command()) {
    if (command.path.size() != 2 || command.path[0] != "vemicry") continue;
    ++num_commands;
    EXPECT_EQ(commands.count(command.path[1]), 1u) << command.path[1];
    for (const test::HelpOption& option : command.options)
      if (option.is_number) found.emplace(command.path[1], option.name);
  }
  EXPECT_EQ(num_commands, commands.size());
  EXPECT_EQ(found, listed);
}

// Arguments of functions and symbols are words, negative ones too.
TEST_F(cli_vemicry_numbers, words) {
  const auto run_arg = [](const std::string& command, const std::string& value) {
    return test::run({INCORE_PROGRAM, "vemicry", command, "f.s", "--call", "f", "--arg=" + value});
  };
  for (const char* const command : {"run", "trace"}) {
    for (const char* const good : {"0", "4294967295", "-2147483648", "0xFFFFFFFF", "-0x1", "f"})
      EXPECT_EQ(run_arg(command, good).exit_code, 0) << command << " " << good;
    for (const char* const bad :
         {"4294967296", "-2147483649", "0x100000000", "x", "1x", "--1", "1.5", "nowhere", " 1"}) {
      const ProcessResult result = run_arg(command, bad);
      EXPECT_EQ(result.exit_code, 2) << command << " " << bad;
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    }
  }
  const auto define = [](const std::string& text) {
    return test::run({INCORE_PROGRAM, "vemicry", "asm", "--list", "-D", text, "f.s"});
  };
  for (const char* const good : {"X", "X=1", "X=-1", "X=4294967295", "_x.$1=0x10"})
    EXPECT_EQ(define(good).exit_code, 0) << good;
  for (const char* const bad : {"X=", "=1", "X=4294967296", "X=-2147483649", "X=1x", "X= 1", "1X=3",
                                ".=1", "a b=1", "a-b=1", "P=3", "L=3"}) {
    const ProcessResult result = define(bad);
    EXPECT_EQ(result.exit_code, 2) << bad;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << bad << result.err;
  }
  EXPECT_EQ(
      test::run({INCORE_PROGRAM, "vemicry", "asm", "-D", "X=1", "-D", "X=2", "f.s"}).exit_code, 2);
  for (const char* const bad : {"", "0x", "100000000", "-1", "+1", " 1", "g"})
    EXPECT_EQ(test::run({INCORE_PROGRAM, "vemicry", "disasm", "--words", bad}).exit_code, 2) << bad;
}

}  // namespace
}  // namespace incore
