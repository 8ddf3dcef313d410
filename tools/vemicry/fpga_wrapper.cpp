#include "tools/vemicry/fpga_wrapper.h"

#include <fmt/format.h>

#include <regex>

namespace incore::tools {
namespace {

// The parameters and ports of |module| in |text|, without comments.
std::string header_of(const std::string& text, const std::string& module) {
  const std::string code = std::regex_replace(text, std::regex("//[^\n]*"), "");
  const size_t begin = code.find("module " + module);
  return begin == std::string::npos ? "" : code.substr(begin, code.find(");", begin) - begin);
}

}  // namespace

std::string fpga_wrapper(const std::string& text, const std::string& module,
                         const std::map<std::string, unsigned>& parameters) {
  static const std::regex parameter("parameter\\s+(\\w+)\\s*=\\s*([^,)\\n]+)");
  static const std::regex port(
      "\\b(input|output)\\s+(?:reg\\s+|wire\\s+)?(\\[([^:\\]]*):[^\\]]*\\])?\\s*(\\w+)");
  const std::string header = header_of(text, module);
  if (header.empty()) return "";

  std::string constants, wires, shifts, outputs, connections;
  for (std::sregex_iterator i(header.begin(), header.end(), parameter), end; i != end; ++i) {
    const std::string name = (*i)[1];
    const auto given = parameters.find(name);
    constants +=
        fmt::format("  localparam {} = {};\n", name,
                    given == parameters.end() ? (*i)[2].str() : std::to_string(given->second));
  }
  std::string before = "pin_in";  // the bit that is shifted into the next input
  for (std::sregex_iterator i(header.begin(), header.end(), port), end; i != end; ++i) {
    const std::string range = (*i)[2], highest = (*i)[3], name = (*i)[4];
    if (name == "clk") continue;
    connections += fmt::format(", .{}({})", name, name);
    wires += fmt::format("  {} {}{}{};\n", (*i)[1] == "input" ? "reg" : "wire", range,
                         range.empty() ? "" : " ", name);
    if ((*i)[1] == "output") {
      outputs += name + ", ";
      continue;
    }
    shifts += fmt::format("    {} <= {{{}, {}}};\n", name, name, before);
    before = highest.empty() ? name : fmt::format("{}[{}]", name, highest);
  }
  return fmt::format(
      "module {} (input {}, input pin_clock, input pin_in, output reg pin_out);\n{}{}"
      "  always @(posedge pin_clock) begin\n{}    pin_out <= ^{{{}{}}};\n  end\n"
      "  {} {} (.clk({}){});\nendmodule\n",
      kWrapper, kUnitClock, constants, wires, shifts, outputs, before, module, kWrapped, kUnitClock,
      connections);
}

}  // namespace incore::tools
