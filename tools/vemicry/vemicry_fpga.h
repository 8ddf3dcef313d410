// The Verilog model in FPGAs: synthesis by yosys, place and route by nextpnr.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/vemicry/fpga_report.h"
#include "tools/vemicry/hardware_folder.h"

namespace incore::tools {

std::vector<std::string> fpga_names();

struct FpgaOptions {
  std::string device;
  uint32_t q = 8, p = 8;
  bool whole = false;  // the processor, not the vector unit alone
  std::string folder;  // gets sources, scripts, reports and logs; empty: one that is removed
};

struct FpgaResult {
  unsigned r = 0;
  FpgaCells cells;                 // without what stands around the model
  std::vector<FpgaResource> used;  // with it
  std::string unfit;               // why it does not fit, in words; empty: it does
  FpgaTiming timing;
  double synthesis_seconds = 0, routing_seconds = 0;
};

class FpgaSynthesis {
 public:
  explicit FpgaSynthesis(FpgaOptions options) : options_(std::move(options)) {}
  // Both return what is wrong, in words; empty if nothing is.
  std::string prepare();  // makes the folder, and looks for the programs
  std::string measure(unsigned r, FpgaResult* out_result) const;

 private:
  FpgaOptions options_;
  HardwareFolder folder_;
  std::string router_;  // nextpnr for the device
};

}  // namespace incore::tools
