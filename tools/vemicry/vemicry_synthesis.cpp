#include "tools/vemicry/vemicry_synthesis.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "tools/base/quote.h"

namespace incore::tools {
namespace {

// The gates that yosys knows the transistors of. Of its flip-flops it knows the plain one only.
constexpr const char* kGates = "AND,NAND,OR,NOR,XOR,XNOR,MUX,AOI3,OAI3,AOI4,OAI4";
constexpr const char* kFlipFlop = "$_DFF_P_";

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The area of the smallest NAND gate with two inputs, by its name; 0: there is none.
double nand_area(const std::string& liberty) {
  static const std::regex cell(
      "cell\\s*\\(\\s*\"?([^\")\\s]*)\"?\\s*\\)|\\barea\\s*:\\s*\"?([0-9.]+)");
  static const std::regex nand("nand_?2", std::regex::icase);
  double least = 0;
  bool waiting = false;
  for (std::sregex_iterator i(liberty.begin(), liberty.end(), cell), end; i != end; ++i) {
    if ((*i)[1].matched) {
      waiting = std::regex_search((*i)[1].first, (*i)[1].second, nand);
    } else if (waiting) {
      const double area = std::stod((*i)[2].str());
      if (least == 0 || area < least) least = area;
      waiting = false;
    }
  }
  return least;
}

// The size of |module| with all that it contains.
double whole_size(const SynthesizedModules& modules, const std::string& module) {
  const SynthesizedModule& own = modules.at(module);
  double size = own.size;
  for (const auto& [part, count] : own.parts) size += count * whole_size(modules, part);
  return size;
}

// yosys names a module with parameters after these and the module.
bool is_called(const std::string& name, const std::string& module) {
  return name == module || (name.size() > module.size() + 1 && name[0] == '$' &&
                            name.find("\\" + module) != std::string::npos);
}

// The size of all modules called |module| in the unit.
double size_of(const SynthesizedModules& modules, const std::string& module) {
  double size = 0;
  for (const auto& [part, count] : modules.at("vemicry_unit").parts)
    if (is_called(part, module)) size += count * whole_size(modules, part);
  return size;
}

}  // namespace

std::string read_synthesis(const std::string& report, SynthesizedModules* out_modules) {
  std::istringstream lines(report);
  SynthesizedModule* module = nullptr;
  std::map<std::string, std::map<std::string, unsigned>> cells;
  std::string line, name;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string first, second;
    words >> first >> second;
    if (first == "===") {
      name = second;
      module = second == "design" ? nullptr : &(*out_modules)[name];
    } else if (module == nullptr) {
      continue;
    } else if (const size_t colon = line.find("number of transistors: "), area = line.find("': ");
               colon != std::string::npos) {
      module->size = std::atof(line.c_str() + colon + 23);
    } else if (first == "Chip" && area != std::string::npos) {
      module->size = std::atof(line.c_str() + area + 3);
    } else if (first.rfind("$_", 0) == 0 && first.find("DFF") != std::string::npos &&
               first != kFlipFlop) {
      return "yosys left a flip-flop that it does not count: " + first;
    } else if (!second.empty() && std::isdigit(second[0]) && first.find(':') == std::string::npos) {
      cells[name][first] = static_cast<unsigned>(std::atoi(second.c_str()));
    }
  }
  for (const auto& [owner, counts] : cells)
    for (const auto& [part, count] : counts)
      if (out_modules->count(part) != 0 || part == "vemicry_lane")
        (*out_modules)[owner].parts[part] = count;
  return out_modules->empty() ? "yosys reported no modules" : "";
}

std::string Synthesis::prepare() {
  if (std::string mistake = folder_.make(options_.folder); !mistake.empty()) return mistake;
  if (options_.liberty.empty()) return "";
  const std::string liberty = content(options_.liberty);
  if (liberty.find("library") == std::string::npos)
    return quoted_if_needed(options_.liberty) + ": cannot be read as a Liberty file";
  gate_ = nand_area(liberty);
  return folder_.write("cells.lib", liberty);
}

std::string Synthesis::run(const std::string& name, const std::string& hierarchy,
                           SynthesizedModules* out_modules) const {
  std::string script = "read_verilog *.v\n" + hierarchy + "synth -noabc\n";
  if (options_.liberty.empty())
    script += fmt::format(
        "dfflegalize -cell {} x\nabc -g {}\nopt_clean\ntee -o {}.stat stat -tech cmos\n", kFlipFlop,
        kGates, name);
  else
    script += fmt::format(
        "dfflibmap -liberty cells.lib\nabc -liberty cells.lib\nopt_clean\n"
        "tee -o {}.stat stat -liberty cells.lib\n",
        name);
  if (std::string mistake = folder_.run_yosys(name, script); !mistake.empty()) return mistake;
  return read_synthesis(folder_.content(name + ".stat"), out_modules);
}

std::string Synthesis::synthesize_lane() {
  return run("lane", "hierarchy -check -top vemicry_lane\n", &lane_);
}

std::string Synthesis::measure(unsigned r, UnitSizes* out_sizes) {
  const auto start = std::chrono::steady_clock::now();
  SynthesizedModules modules = lane_;
  if (std::string mistake =
          run(fmt::format("unit-r{}", r),
              fmt::format("chparam -set Q {} -set P {} -set R {} vemicry_unit\n"
                          "hierarchy -check -top vemicry_unit\nblackbox vemicry_lane\n",
                          options_.q, options_.p, r),
              &modules);
      !mistake.empty())
    return mistake;
  const double gate = gate_ == 0 ? 1 : gate_;
  out_sizes->r = r;
  out_sizes->multiplier = whole_size(modules, "vemicry_multiplier") / gate;
  out_sizes->lane = whole_size(modules, "vemicry_lane") / gate;
  out_sizes->lanes = size_of(modules, "vemicry_lane") / gate;
  out_sizes->registers = size_of(modules, "vemicry_slice") / gate;
  out_sizes->crossbar = size_of(modules, "vemicry_crossbar") / gate;
  out_sizes->control = whole_size(modules, "vemicry_unit") / gate - out_sizes->total();
  out_sizes->seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return "";
}

}  // namespace incore::tools
