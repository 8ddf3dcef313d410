#include "tools/vemicry/fpga_wrapper.h"

#include <gtest/gtest.h>

#include <regex>

#include "incore/vemicry.h"

namespace incore::tools {
namespace {

std::string rtl(const std::string& name) {
  incore_vemicry_file file;
  for (size_t i = 0; incore_vemicry_get_rtl(i, &file) == INCORE_OK; ++i)
    if (name == file.name) return std::string(file.text, file.len);
  return "";
}

TEST(vemicry_fpga_wrapper, feeds_every_input_and_takes_every_output) {
  const std::string text =
      "// module small (input no);\n"
      "module small #(\n    parameter R = 8,  // lanes, (words)\n    parameter L = R\n) (\n"
      "    input clk,\n    input [32*R-1:0] words,  // input [1:0] not_this\n    input go,\n"
      "    output reg [L-1:0] sum,\n    output ready\n);\nendmodule\n";
  EXPECT_EQ(fpga_wrapper(text, "small", {{"R", 2}}),
            "module vemicry_in_fpga (input unit_clock, input pin_clock, input pin_in, output reg "
            "pin_out);\n"
            "  localparam R = 2;\n"
            "  localparam L = R;\n"
            "  reg [32*R-1:0] words;\n"
            "  reg go;\n"
            "  wire [L-1:0] sum;\n"
            "  wire ready;\n"
            "  always @(posedge pin_clock) begin\n"
            "    words <= {words, pin_in};\n"
            "    go <= {go, words[32*R-1]};\n"
            "    pin_out <= ^{sum, ready, go};\n"
            "  end\n"
            "  small wrapped (.clk(unit_clock), .words(words), .go(go), .sum(sum), "
            ".ready(ready));\n"
            "endmodule\n");
  EXPECT_EQ(fpga_wrapper(text, "other", {}), "");
}

TEST(vemicry_fpga_wrapper, reads_the_modules_that_are_measured) {
  for (const std::string module : {"vemicry_unit", "vemicry_processor"}) {
    const std::string text = rtl(module + ".v");
    const std::string wrapper = fpga_wrapper(text, module, {{"Q", 4}, {"P", 2}, {"R", 1}});
    static const std::regex port("\n    (input|output) [^\n/]*\\b(\\w+)(,|\\s*//|\n)");
    const std::string header = text.substr(0, text.find(");\n"));
    size_t num = 0;
    for (std::sregex_iterator i(header.begin(), header.end(), port), end; i != end; ++i, ++num) {
      const std::string name = (*i)[2];
      EXPECT_NE(wrapper.find(name == "clk" ? ".clk(unit_clock)" : "." + name + "(" + name + ")"),
                std::string::npos)
          << name << " in " << wrapper;
    }
    EXPECT_GE(num, 20u);
  }
}

}  // namespace
}  // namespace incore::tools
