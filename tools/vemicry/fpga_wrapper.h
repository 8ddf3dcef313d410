// What stands around a module of the Verilog model in an FPGA, which has fewer pins than that has
// ports: the inputs come from a shift register, and a pin has the parity of all outputs. Both have
// a clock of their own, so that the paths of the module's clock are those between its registers.
#pragma once

#include <map>
#include <string>

namespace incore::tools {

inline constexpr const char* kWrapper = "vemicry_in_fpga";
inline constexpr const char* kUnitClock = "unit_clock";  // of the module
inline constexpr const char* kWrapped = "wrapped";       // the instance of the module

// The module kWrapper around |module|, which is in |text| and whose |parameters| have been changed
// to these. Empty: |text| has no such module.
std::string fpga_wrapper(const std::string& text, const std::string& module,
                         const std::map<std::string, unsigned>& parameters);

}  // namespace incore::tools
