#include "tools/vemicry/fpga_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "tools/base/json.h"
#include "tools/vemicry/fpga_wrapper.h"

namespace incore::tools {
namespace {

bool begins(const std::string& name, std::initializer_list<const char*> with) {
  return std::any_of(with.begin(), with.end(),
                     [&](const char* text) { return name.rfind(text, 0) == 0; });
}

// "lane" and 3 of "lane 3"; without a number -1.
std::pair<std::string, int> numbered(const std::string& module) {
  const size_t space = module.rfind(' ');
  if (space == std::string::npos) return {module, -1};
  return {module.substr(0, space), std::atoi(module.c_str() + space + 1)};
}

}  // namespace

std::string read_fpga_cells(const std::string& report, FpgaCells* out_cells) {
  // Before its sum yosys 0.23 prints lines that are no JSON.
  const size_t sum = report.find("\"design\":");
  const Json json = sum == std::string::npos ? Json() : Json::parse("{" + report.substr(sum));
  const Json& cells = json["design"]["num_cells_by_type"];
  if (cells.kind() != Json::Kind::object) return "yosys reported no cells";
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string& type = cells.names()[i];
    const uint64_t num = cells[i].natural();
    if (type == "SB_LUT4" || type == "LUT4")
      out_cells->luts += num;
    else if (begins(type, {"SB_DFF", "TRELLIS_FF"}))
      out_cells->flip_flops += num;
    else if (type == "SB_CARRY" || type == "CCU2C")
      out_cells->carries += num;
    else if (begins(type, {"SB_MAC16", "MULT", "ALU"}))
      out_cells->multipliers += num;
    else if (begins(type, {"SB_RAM40", "SB_SPRAM", "DP16KD", "PDPW16KD"}))
      out_cells->block_rams += num;
    else if (type == "TRELLIS_DPR16X4")
      out_cells->lut_rams += num;
  }
  return "";
}

std::vector<FpgaResource> read_fpga_use(const std::string& log) {
  static const std::regex row("Info:\\s+(\\w+):\\s*([0-9]+)/\\s*([0-9]+)\\s+[0-9]+%");
  std::vector<FpgaResource> resources;
  for (std::sregex_iterator i(log.begin(), log.end(), row), end; i != end; ++i)
    resources.push_back({(*i)[1], std::stoull((*i)[2]), std::stoull((*i)[3])});
  return resources;
}

std::string module_of_cell(const std::string& cell, const std::string& top) {
  static const std::regex of_lane("lanes\\[([0-9]+)\\]\\.(\\w+)\\.(multiplier\\.)?.*");
  std::string name = cell;
  // What yosys itself named is named after where it was: "$flatten\top.\lanes[0].lane.$abc$12".
  if (name.rfind("$flatten", 0) == 0) name.erase(0, 8);
  name.erase(std::remove(name.begin(), name.end(), '\\'), name.end());
  if (name.rfind(top + ".", 0) != 0) return "";
  name.erase(0, top.size() + 1);
  if (name.rfind("unit.", 0) == 0) name.erase(0, 5);
  std::smatch lane;
  if (std::regex_match(name, lane, of_lane))
    return (lane[3].matched      ? "multiplier"
            : lane[2] == "slice" ? "registers"
                                 : lane[2].str()) +
           " " + lane[1].str();
  const size_t dot = name.find('.');
  return dot == std::string::npos ? "unit" : name.substr(0, dot);
}

std::string read_fpga_timing(const std::string& report, const std::string& clock,
                             FpgaTiming* out_timing) {
  const Json json = Json::parse(report);
  const Json& clocks = json["fmax"];
  for (size_t i = 0; i < clocks.size(); ++i)
    if (clocks.names()[i].find(clock) != std::string::npos)
      out_timing->mhz = clocks[i]["achieved"].real();
  if (out_timing->mhz == 0) return "nextpnr reported no clock";
  for (const Json& path : json["critical_paths"]) {
    if (path["from"].text().find(clock) == std::string::npos ||
        path["to"].text().find(clock) == std::string::npos)
      continue;
    for (const Json& step : path["path"]) {
      const std::string module = module_of_cell(step["to"]["cell"].text(), kWrapped);
      if (!module.empty() && (out_timing->path.empty() || out_timing->path.back() != module))
        out_timing->path.push_back(module);
    }
  }
  return "";
}

std::string path_text(const std::vector<std::string>& path) {
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    const auto [name, first] = numbered(path[i]);
    int last = first;
    while (first >= 0 && i + 1 < path.size() && path[i + 1] == fmt::format("{} {}", name, last + 1))
      ++last, ++i;
    text += (text.empty() ? "" : " > ") + name;
    if (first >= 0) text += fmt::format(" {}", first);
    if (last > first) text += fmt::format(" to {}", last);
  }
  return text;
}

}  // namespace incore::tools
