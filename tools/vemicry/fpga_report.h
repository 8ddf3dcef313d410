// What yosys and nextpnr say of a design in an FPGA.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace incore::tools {

// Cells by what they are in an FPGA.
struct FpgaCells {
  uint64_t luts = 0, flip_flops = 0, carries = 0, multipliers = 0, block_rams = 0, lut_rams = 0;
};
// From what `stat -json` of yosys says of the whole design. Returns what is wrong, in words.
std::string read_fpga_cells(const std::string& report, FpgaCells* out_cells);

// A kind of cell that a device has, and how many of them a design takes.
struct FpgaResource {
  std::string name;  // nextpnr's, "ICESTORM_LC"
  uint64_t used = 0, available = 0;
};
// From nextpnr's log, also where it failed.
std::vector<FpgaResource> read_fpga_use(const std::string& log);

struct FpgaTiming {
  double mhz = 0;
  std::vector<std::string> path;  // the modules that the longest path passes
};
// From nextpnr's report in JSON: the clock whose name contains |clock|. Returns what is wrong, in
// words.
std::string read_fpga_timing(const std::string& report, const std::string& clock,
                             FpgaTiming* out_timing);

// The module of a cell in the instance |top|, "lane 3" of "top.lanes[3].lane.sum_LUT4_Z", or
// "unit" if it is in none of its modules; empty: the name does not tell.
std::string module_of_cell(const std::string& cell, const std::string& top);

// "lane 0 to 3" for lane 0, lane 1, and so on; between others an arrow.
std::string path_text(const std::vector<std::string>& path);

}  // namespace incore::tools
