// `incore vemicry fpga` as a user sees it, with yosys and nextpnr where they are installed.
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/own_folder.h"
#include "support/process.h"
#include "tools/base/find_program.h"
#include "tools/base/json.h"

namespace incore {
namespace {

using test::ProcessResult;
using tools::Json;

ProcessResult fpga(std::vector<std::string> arguments,
                   const std::vector<std::string>& environment = {}) {
  arguments.insert(arguments.begin(), {INCORE_PROGRAM, "vemicry", "fpga"});
  return test::run(arguments, "", environment);
}

#define SKIP_WITHOUT(program) \
  if (tools::find_program(program).empty()) GTEST_SKIP() << program " is not installed"

class cli_vemicry_fpga : public test::OwnFolderTest {};

// clause: VM-NEXT-003
TEST_F(cli_vemicry_fpga, a_small_unit_gets_a_clock_and_a_path) {
  SKIP_WITHOUT("yosys");
  SKIP_WITHOUT("nextpnr-ice40");
  const ProcessResult result = fpga(
      {"--device", "ice40-hx8k", "--q", "1", "--p", "1", "--r", "1", "--json", "--keep", "kept"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_TRUE(json["device"] == "ice40-hx8k");
  const Json& row = json["machines"][0];
  EXPECT_TRUE(row["fits"].boolean()) << result.out;
  EXPECT_GT(row["luts"].natural(), 1000u);  // the multiplier alone has 1024 products of two bits
  EXPECT_GT(row["flip_flops"].natural(), 5 * 32u);
  EXPECT_GT(row["with_wrapper"]["ICESTORM_LC"]["used"].natural(), row["luts"].natural());
  EXPECT_GT(row["mhz"].real(), 5);
  EXPECT_LT(row["mhz"].real(), 200);
  EXPECT_FALSE(row["longest_path"].empty());
  EXPECT_EQ(access("kept/ice40-hx8k-r1.nextpnr", R_OK), 0);
}

TEST_F(cli_vemicry_fpga, what_does_not_fit_is_a_row) {
  SKIP_WITHOUT("yosys");
  SKIP_WITHOUT("nextpnr-ice40");
  const ProcessResult result = fpga({"--device", "ice40-up5k", "--q", "1", "--p", "2", "--r", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("does not fit: needs "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(" ICESTORM_LC, has 5280\n"), std::string::npos) << result.out;
}

TEST_F(cli_vemicry_fpga, usage) {
  const ProcessResult help = fpga({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("Examples:\n  incore vemicry fpga\n"), std::string::npos) << help.out;
  const ProcessResult lanes = fpga({"--p", "4", "--r", "2,5"});
  EXPECT_EQ(lanes.exit_code, 2);
  EXPECT_NE(lanes.err.find("--r is 5; accepted: 1 to 4 (p)\n"), std::string::npos) << lanes.err;
  EXPECT_EQ(fpga({"--device", "ice40"}).exit_code, 2);
}

TEST_F(cli_vemicry_fpga, missing_programs_are_named) {
  if (test::kEmulated) GTEST_SKIP() << "the emulator is found in the PATH";
  const std::string path = "PATH=" + directory_.path();
  const ProcessResult without_yosys = fpga({}, {path});
  EXPECT_EQ(without_yosys.exit_code, 2);
  EXPECT_NE(without_yosys.err.find("yosys is not installed, or not in the PATH\n"),
            std::string::npos)
      << without_yosys.err;
  symlink("/bin/true", (directory_.path() + "/yosys").c_str());
  for (const char* const device : {"ice40-hx8k", "ecp5-25k"}) {
    const std::string family = std::string(device).substr(0, std::string(device).find('-'));
    const ProcessResult result = fpga({"--device", device}, {path});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("neither nextpnr-" + family + " nor yowasp-nextpnr-" + family +
                              " is in the PATH; "),
              std::string::npos)
        << result.err;
  }
}

}  // namespace
}  // namespace incore
