// Synthesis of the Verilog model by yosys, and the sizes of its modules.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/vemicry/hardware_folder.h"

namespace incore::tools {

struct SynthesisOptions {
  uint32_t q = 8, p = 8;
  std::string liberty;  // a library of cells; empty: yosys's count of CMOS transistors
  std::string folder;   // gets sources, scripts and logs; empty: one that is removed in the end
};

// Modules by name, as yosys has them: its own size, and how many of which others it contains.
struct SynthesizedModule {
  double size = 0;
  std::map<std::string, unsigned> parts;
};
using SynthesizedModules = std::map<std::string, SynthesizedModule>;

// What yosys says at the end of |report|, by its command stat. Returns what is wrong, in words;
// empty if nothing is.
std::string read_synthesis(const std::string& report, SynthesizedModules* out_modules);

// The sizes of the parts of the vector unit, in gate equivalents or, if the library has no NAND
// gate with two inputs, in its units of area.
struct UnitSizes {
  unsigned r = 0;
  double multiplier = 0;  // of one lane
  double lane = 0;        // one, with its multiplier, without its registers
  double lanes = 0, registers = 0, crossbar = 0, control = 0;
  double seconds = 0;
  double total() const { return lanes + registers + crossbar + control; }
};

class Synthesis {
 public:
  explicit Synthesis(SynthesisOptions options) : options_(std::move(options)) {}
  // All return what is wrong, in words; empty if nothing is.
  std::string prepare();                                  // makes the folder with the sources
  std::string synthesize_lane();                          // all lanes are alike: once
  std::string measure(unsigned r, UnitSizes* out_sizes);  // the rest
  // What sizes are counted in.
  bool gate_equivalents() const { return gate_ != 0; }

 private:
  std::string run(const std::string& name, const std::string& hierarchy,
                  SynthesizedModules* out_modules) const;
  SynthesisOptions options_;
  HardwareFolder folder_;
  SynthesizedModules lane_;
  double gate_ = 4;  // the size of a NAND gate: 4 transistors; 0: not known
};

}  // namespace incore::tools
