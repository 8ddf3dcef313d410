// `incore vemicry area` as a user sees it, with yosys where it is installed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "cli/own_folder.h"
#include "incore/vemicry.h"
#include "support/process.h"

namespace incore {
namespace {

using test::ProcessResult;

ProcessResult area(std::vector<std::string> arguments,
                   const std::vector<std::string>& environment = {}) {
  arguments.insert(arguments.begin(), {INCORE_PROGRAM, "vemicry", "area"});
  return test::run(arguments, "", environment);
}

bool has_yosys() {
  try {
    return test::run({"yosys", "-V"}).exit_code == 0;
  } catch (const std::exception&) {
    return false;
  }
}

#define SKIP_WITHOUT_YOSYS() \
  if (!has_yosys()) GTEST_SKIP() << "yosys is not installed"

double number(const std::string& json, const std::string& name) {
  const size_t at = json.find("\"" + name + "\": ");
  EXPECT_NE(at, std::string::npos) << name << " in " << json;
  return at == std::string::npos ? 0 : std::atof(json.c_str() + at + name.size() + 4);
}

double modeled(uint32_t q, uint32_t p, uint32_t r) {
  incore_vemicry_config config = {};
  config.q = q;
  config.p = p;
  config.r = r;
  double gates = 0;
  EXPECT_EQ(incore_vemicry_area(&config, &gates), INCORE_OK);
  return gates;
}

class cli_vemicry_area : public test::OwnFolderTest {};

// clause: VM-NEXT-003
TEST_F(cli_vemicry_area, synthesis_counts_what_the_model_says) {
  SKIP_WITHOUT_YOSYS();
  const ProcessResult result =
      area({"--q", "3", "--p", "4", "--r", "2", "--json", "--keep", "kept"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const double lane = number(result.out, "one_lane"), total = number(result.out, "total");
  EXPECT_GT(lane, number(result.out, "multiplier"));
  EXPECT_GT(number(result.out, "multiplier"), 5000);  // 1024 full adders are more
  EXPECT_DOUBLE_EQ(number(result.out, "lanes"), 2 * lane);
  EXPECT_DOUBLE_EQ(total, 2 * lane + number(result.out, "registers") +
                              number(result.out, "crossbar") + number(result.out, "control"));
  // 12 words of 32 flip-flops, each 4 NAND gates by yosys.
  EXPECT_GT(number(result.out, "registers"), 12 * 32 * 4);
  EXPECT_NEAR(modeled(3, 4, 2) / total, 1, 0.05);
  EXPECT_EQ(access("kept/vemicry_unit.v", R_OK), 0);
  EXPECT_NE(test::read_file("kept/unit-r2.stat").find("vemicry_slice"), std::string::npos);
}

TEST_F(cli_vemicry_area, a_library_gives_areas_in_its_nand_gates) {
  SKIP_WITHOUT_YOSYS();
  std::string library = "library(small) {\n";
  const auto cell = [&](const std::string& name, const std::string& area,
                        const std::string& function) {
    library += "  cell(" + name + ") { area : " + area +
               "; pin(A) { direction : input; } pin(B) { direction : input; } pin(Y) { direction : "
               "output; function : \"" +
               function + "\"; } }\n";
  };
  cell("NAND2X1", "2.5", "(A*B)'");
  cell("NOR2X1", "2.5", "(A+B)'");
  cell("XOR2X1", "5.0", "(A^B)");
  library +=  // without a buffer, ABC does not map to it
      "  cell(BUFX1) { area : 2.5; pin(A) { direction : input; } pin(Y) { direction : output; "
      "function : \"A\"; } }\n"
      "  cell(INVX1) { area : 1.25; pin(A) { direction : input; } pin(Y) { direction : output; "
      "function : \"A'\"; } }\n"
      "  cell(DFFX1) { area : 12.5; ff(IQ, IQN) { clocked_on : \"C\"; next_state : \"D\"; } "
      "pin(C) { direction : input; clock : true; } pin(D) { direction : input; } "
      "pin(Q) { direction : output; function : \"IQ\"; } }\n}\n";
  std::ofstream("small.lib") << library;
  const ProcessResult result =
      area({"--q", "1", "--p", "1", "--r", "1", "--liberty", "small.lib", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("\"unit\": \"gate equivalents\""), std::string::npos) << result.out;
  // A word of flip-flops of 5 gates each, and 32 multiplexers of 3 gates and an inverter at least.
  EXPECT_GT(number(result.out, "registers"), 32 * 5);
  EXPECT_GT(number(result.out, "multiplier"), 5000);
  EXPECT_LT(number(result.out, "multiplier"), 50000);
}

TEST_F(cli_vemicry_area, usage) {
  const ProcessResult help = area({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("Examples:\n  incore vemicry area\n"), std::string::npos) << help.out;
  const ProcessResult lanes = area({"--p", "4", "--r", "2,5"});
  EXPECT_EQ(lanes.exit_code, 2);
  EXPECT_NE(lanes.err.find("--r is 5; accepted: 1 to 4 (p)\n"), std::string::npos) << lanes.err;
  EXPECT_EQ(area({"--q", "17"}).exit_code, 2);
  EXPECT_EQ(area({"--liberty", "missing.lib"}).exit_code, 2);
  if (test::kEmulated) return;  // the emulator is found in the PATH
  const ProcessResult missing = area({}, {"PATH=/nonexistent"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("yosys is not installed, or not in the PATH\n"), std::string::npos)
      << missing.err;
}

TEST_F(cli_vemicry_area, model_grows_with_each_parameter_and_refuses_what_cannot_be) {
  const double usual = modeled(8, 8, 4);
  EXPECT_LT(modeled(4, 8, 4), usual);
  EXPECT_LT(modeled(8, 4, 4), usual);
  EXPECT_LT(modeled(8, 8, 2), usual);
  EXPECT_LT(usual, modeled(8, 8, 8));
  EXPECT_LT(modeled(8, 8, 8), modeled(8, 16, 8));
  EXPECT_LT(modeled(8, 16, 8), modeled(8, 64, 8));
  EXPECT_GT(modeled(1, 1, 1), 10000);
  incore_vemicry_config config = {};
  config.r = 9;
  double gates = 0;
  EXPECT_EQ(incore_vemicry_area(&config, &gates), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_vemicry_area(nullptr, nullptr), INCORE_ERROR_NULL);
}

}  // namespace
}  // namespace incore
