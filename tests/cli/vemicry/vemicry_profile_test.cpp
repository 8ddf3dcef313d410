// `incore vemicry run --cycles` and `--profile`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process.h"

namespace incore {
namespace {

using nlohmann::json;
using test::ProcessResult;

// The loop's load is waited for once in each turn.
constexpr char kProgram[] = R"(
        .include "add.s"
main:   li      $16, 3
again:  jal     add
        addiu   $16, $16, -1
        bne     $16, $0, again
        nop
        li      $2, 4001
        syscall
)";
constexpr char kAdd[] = R"(
        .macro  twice register
        addu    \register, \register, \register
        .endm
add:    lw      $8, 0($29)
        twice   $8
        jr      $31
        nop
)";

class cli_vemicry_profile : public testing::Test {
 protected:
  ProcessResult run(const std::vector<std::string>& options) {
    (void)folder_.write("add.s", kAdd);
    std::vector<std::string> arguments = {INCORE_PROGRAM, "vemicry", "run",
                                          folder_.write("f.s", kProgram)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return test::run(arguments);
  }
  test::TemporaryDirectory folder_;
};

TEST_F(cli_vemicry_profile, cycles_and_what_they_wait_for) {
  EXPECT_EQ(run({"--cycles"}).err,
            "27 instructions, 30 cycles in the pipeline, of which 3 are stalls\n"
            "         3 waiting for a loaded scalar\n");
  const json report = json::parse(run({"--cycles", "--json", "--memory-latency", "2"}).err);
  EXPECT_EQ(report["instructions"], 27);
  EXPECT_EQ(report["cycles"], 36);
  EXPECT_EQ(report["stalls"], (json{{"a loaded scalar", 3}, {"memory", 6}}));
  EXPECT_FALSE(report.contains("functions"));
}

TEST_F(cli_vemicry_profile, an_instruction_that_traps_is_not_counted) {
  const std::string path = folder_.write("t.s", "f: lw $8, 0($29)\n lw $9, 1($8)\n");
  for (const char* option : {"--cycles", "--profile"}) {
    const std::string said =
        test::run({INCORE_PROGRAM, "vemicry", "run", "--json", option, path}).err;
    const json report = json::parse(said.substr(0, said.rfind('}') + 1));
    EXPECT_EQ(report["instructions"], 1) << option;
    EXPECT_EQ(report["cycles"], 1) << option;
    EXPECT_EQ(report["stalls"], json::object()) << option;
  }
}

TEST_F(cli_vemicry_profile, functions_and_lines) {
  const json report = json::parse(run({"--profile", "--json"}).err);
  EXPECT_EQ(report["cycles"], 30);
  EXPECT_EQ(
      report["functions"],
      json::parse(
          R"([{"function": "add", "instructions": 12, "cycles": 15, "stalls": 3, "share": 0.5},
                            {"function": "main", "instructions": 15, "cycles": 15, "stalls": 0, "share": 0.5}])"));
  const json& lines = report["lines"];
  ASSERT_EQ(lines.size(), 11u);
  // The macro's instruction belongs to its call.
  EXPECT_EQ(lines[0], (json{{"file", folder_.path() + "/add.s"},
                            {"line", 6},
                            {"instructions", 3},
                            {"cycles", 6},
                            {"stalls", 3},
                            {"share", 0.2}}));
  uint64_t cycles = 0;
  for (const json& line : lines) cycles += line["cycles"].get<uint64_t>();
  EXPECT_EQ(cycles, 30u);

  const std::string text = run({"--profile"}).err;
  EXPECT_NE(text.find("            12             15              3  50.0 %  add\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("             3              6              3  20.0 %  " + folder_.path() +
                      "/add.s:6\n"),
            std::string::npos)
      << text;
}

TEST_F(cli_vemicry_profile, lines_of_c_come_from_the_table_in_the_program) {
  if (test::run({"/bin/sh", "-c", "command -v mips-linux-gnu-gcc"}).exit_code != 0)
    GTEST_SKIP() << "mips-linux-gnu-gcc is not installed";
  const std::string source = folder_.write("f.c",
                                           "int twice(int x);\n"
                                           "int __start(void) {\n"
                                           "  int sum = 0;\n"
                                           "  for (volatile int i = 0; i < 100; ++i)\n"
                                           "    sum += twice(i);\n"
                                           "  return sum & 0x7F;\n"
                                           "}\n"
                                           "__attribute__((noinline)) int twice(int x) {\n"
                                           "  return 2 * x;\n"
                                           "}\n");
  const std::string elf = folder_.path() + "/f.elf";
  for (const char* version : {"-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5"}) {
    const ProcessResult compiled =
        test::run({"mips-linux-gnu-gcc", "-O1", version, "-march=mips1", "-mabi=32",
                   "-mno-abicalls", "-fno-pic", "-no-pie", "-msoft-float", "-G0", "-ffreestanding",
                   "-nostdlib", "-static", "-Wl,--build-id=none", "-o", elf, source});
    ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
    const ProcessResult result =
        test::run({INCORE_PROGRAM, "vemicry", "run", "--profile", "--json", elf});
    const json report = json::parse(result.err);
    EXPECT_EQ(result.exit_code, 9900 & 0x7F);
    EXPECT_EQ(report["functions"].size(), 2u) << report;
    bool has_line = false;
    for (const json& line : report["lines"])
      has_line |= line["line"] == 5 && line["instructions"] >= 100 &&
                  line["file"].get<std::string>().ends_with("f.c");
    EXPECT_TRUE(has_line) << version << report;
  }
}

}  // namespace
}  // namespace incore
