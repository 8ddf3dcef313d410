// The samples are from yosys 0.23 and nextpnr 0.4, of a small design with two lanes, cut.
#include "tools/vemicry/fpga_report.h"

#include <gtest/gtest.h>

namespace incore::tools {
namespace {

// As yosys 0.23 prints it: the lines before the sum are no JSON.
constexpr const char* kStat = R"sample({
   "creator": "Yosys 0.23 (git sha1 7ce5011c24b)",
   "modules": {
      "\\unit": {
         "num_cells":         3,
         "num_cells_by_type": {
            "SB_DFF": 1,
            "lane": 2
         }
      }
   },
       $paramod$b9ef823a\lane      2
      "design": {
         "num_wires":         18,
         "num_cells":         13,
         "num_cells_by_type": {
            "SB_CARRY": 4,
            "SB_DFF": 5,
            "SB_DFFESR": 2,
            "SB_LUT4": 4
         }
      }
}

)sample";

TEST(vemicry_fpga_report, cells_of_the_whole_design_are_counted) {
  FpgaCells cells;
  EXPECT_EQ(read_fpga_cells(kStat, &cells), "");
  EXPECT_EQ(cells.luts, 4u);
  EXPECT_EQ(cells.flip_flops, 7u);
  EXPECT_EQ(cells.carries, 4u);
  EXPECT_EQ(cells.multipliers, 0u);
  EXPECT_EQ(cells.block_rams, 0u);
  FpgaCells ecp5;
  EXPECT_EQ(read_fpga_cells(R"({"design": {"num_cells_by_type": {"CCU2C": 154, "LUT4": 9856,
      "DP16KD": 1, "MULT18X18D": 2, "TRELLIS_DPR16X4": 32, "TRELLIS_FF": 3126}}})",
                            &ecp5),
            "");
  EXPECT_EQ(ecp5.luts, 9856u);
  EXPECT_EQ(ecp5.flip_flops, 3126u);
  EXPECT_EQ(ecp5.carries, 154u);
  EXPECT_EQ(ecp5.multipliers, 2u);
  EXPECT_EQ(ecp5.block_rams, 1u);
  EXPECT_EQ(ecp5.lut_rams, 32u);
  EXPECT_NE(read_fpga_cells("Yosys 0.23", &cells), "");
  EXPECT_NE(read_fpga_cells("{\"design\": {}}", &cells), "");
}

TEST(vemicry_fpga_report, use_of_the_device_is_read_also_where_it_is_too_much) {
  const std::vector<FpgaResource> used = read_fpga_use(
      "Info: Device utilisation:\n"
      "Info: \t         ICESTORM_LC:  5391/ 5280   102%\n"
      "Info: \t        ICESTORM_RAM:     0/   30     0%\n"
      "Info: \t               SB_IO:     4/   96     4%\n"
      "ERROR: Unable to place cell 'x', no BELs remaining to implement cell type 'ICESTORM_LC'\n");
  ASSERT_EQ(used.size(), 3u);
  EXPECT_EQ(used[0].name, "ICESTORM_LC");
  EXPECT_EQ(used[0].used, 5391u);
  EXPECT_EQ(used[0].available, 5280u);
  EXPECT_EQ(used[2].name, "SB_IO");
  EXPECT_TRUE(read_fpga_use("").empty());
}

constexpr const char* kReport = R"sample({"critical_paths": [
  {"from": "posedge pin_clock$SB_IO_IN_$glb_clk", "path": [
    {"to": {"cell": "wrapped.lanes[0].lane.s_SB_LUT4_O_1_LC", "port": "O"}, "type": "clk-to-q"}],
   "to": "posedge unit_clock$SB_IO_IN_$glb_clk"},
  {"from": "posedge unit_clock$SB_IO_IN_$glb_clk", "path": [
    {"delay": 1.3899999856948853, "from": {"cell": "wrapped.o_SB_DFF_Q_DFFLC", "port": "CLK"},
     "to": {"cell": "wrapped.lanes[0].lane.s_SB_LUT4_O_1_LC", "port": "O"}, "type": "clk-to-q"},
    {"to": {"cell": "wrapped.lanes[0].lane.s_SB_LUT4_O_LC", "port": "CIN"}, "type": "routing"},
    {"to": {"cell": "wrapped.lanes[0].lane.s_SB_LUT4_O_LC", "port": "COUT"}, "type": "logic"},
    {"to": {"cell": "wrapped.lanes[1].lane.s_SB_LUT4_O_LC", "port": "COUT"}, "type": "logic"},
    {"to": {"cell": "$nextpnr_ICESTORM_LC_0", "port": "I3"}, "type": "routing"},
    {"to": {"cell": "wrapped.o_SB_DFF_Q_DFFLC", "port": "I0"}, "type": "setup"}],
   "to": "posedge unit_clock$SB_IO_IN_$glb_clk"}],
  "fmax": {"pin_clock$SB_IO_IN_$glb_clk": {"achieved": 228.05015563964844, "constraint": 40},
           "unit_clock$SB_IO_IN_$glb_clk": {"achieved": 108.80208587646484, "constraint": 40}}})sample";

TEST(vemicry_fpga_report, clock_and_path_are_those_between_the_registers_of_the_unit) {
  FpgaTiming timing;
  EXPECT_EQ(read_fpga_timing(kReport, "unit_clock", &timing), "");
  EXPECT_NEAR(timing.mhz, 108.8, 0.01);
  EXPECT_EQ(timing.path, (std::vector<std::string>{"lane 0", "lane 1", "unit"}));
  EXPECT_NE(read_fpga_timing(kReport, "no_clock", &(timing = {})), "");
  EXPECT_NE(read_fpga_timing("", "unit_clock", &(timing = {})), "");
}

TEST(vemicry_fpga_report, cells_tell_their_module) {
  for (const auto& [cell, module] : std::vector<std::pair<std::string, std::string>>{
           {"top.lanes[3].lane.sum_LUT4_Z", "lane 3"},
           {"top.lanes[12].lane.multiplier.tree[1].rows_LUT4_Z", "multiplier 12"},
           {"top.lanes[0].slice.registers[1].words[0].word_TRELLIS_FF_Q", "registers 0"},
           {"top.crossbar.ports[0].shift.words_LUT4_C", "crossbar"},
           {"top.unit.control.decode.op_LUT4_Z", "control"},
           {"top.core.hilo.lo_TRELLIS_FF_Q", "core"},
           {"$flatten\\top.\\lanes[1].lane.$abc$12$auto$3", "lane 1"},
           {"top.result_valid_TRELLIS_FF_Q", "unit"},
           {"pin_out_TRELLIS_FF_Q", ""},
           {"$nextpnr_ICESTORM_LC_0", ""}})
    EXPECT_EQ(module_of_cell(cell, "top"), module) << cell;
}

TEST(vemicry_fpga_report, paths_are_shown_in_short) {
  EXPECT_EQ(path_text({"control", "lane 0", "lane 1", "lane 2", "scalars"}),
            "control > lane 0 to 2 > scalars");
  EXPECT_EQ(path_text({"lane 0", "multiplier 0", "lane 1"}), "lane 0 > multiplier 0 > lane 1");
  EXPECT_EQ(path_text({"registers 1", "registers 0"}), "registers 1 > registers 0");
  EXPECT_EQ(path_text({}), "");
}

}  // namespace
}  // namespace incore::tools
