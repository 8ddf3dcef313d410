// `incore vemicry fpga`: which clock the vector unit reaches in FPGAs, and what it takes of them.
#include "tools/vemicry/vemicry_fpga.h"

#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/vemicry/machine_options.h"
#include "tools/base/json.h"
#include "tools/base/progress.h"

namespace incore::cli {
namespace {

struct Options {
  FpgaOptions fpga;
  std::vector<unsigned> r = {1, 2, 4, 8};
  bool r_chosen = false;
  bool json = false;
};

const char* part(const Options& options) {
  return options.fpga.whole ? "processor" : "vector unit";
}

void print_table(const Options& options, const std::vector<FpgaResult>& rows) {
  fmt::print("{} with q = {}, p = {} in {}\n\n", part(options), options.fpga.q, options.fpga.p,
             options.fpga.device);
  fmt::print("{:>3} {:>7} {:>10} {:>8} {:>11} {:>10} {:>10} {:>7}  {}\n", "r", "LUTs", "flip-flops",
             "carries", "multipliers", "block RAMs", "clock", "time", "longest path");
  for (const FpgaResult& row : rows) {
    fmt::print("{:>3} {:>7} {:>10} {:>8} {:>11} {:>10} ", row.r, row.cells.luts,
               row.cells.flip_flops, row.cells.carries, row.cells.multipliers,
               row.cells.block_rams);
    const double seconds = row.synthesis_seconds + row.routing_seconds;
    if (row.unfit.empty())
      fmt::print("{:>6.1f} MHz {:>5.0f} s  {}\n", row.timing.mhz, seconds,
                 path_text(row.timing.path));
    else
      fmt::print("{:>10} {:>5.0f} s  does not fit: {}\n", "-", seconds, row.unfit);
  }
}

Json json_of(const FpgaResult& row) {
  Json used = Json::object();
  for (const FpgaResource& kind : row.used)
    used[kind.name] = {{"used", kind.used}, {"available", kind.available}};
  Json json = {{"r", row.r},
               {"luts", row.cells.luts},
               {"flip_flops", row.cells.flip_flops},
               {"carries", row.cells.carries},
               {"multipliers", row.cells.multipliers},
               {"block_rams", row.cells.block_rams},
               {"lut_rams", row.cells.lut_rams},
               {"with_wrapper", used},
               {"fits", row.unfit.empty()}};
  if (row.unfit.empty()) {
    json["mhz"] = row.timing.mhz;
    json["longest_path"] = row.timing.path;
  } else {
    json["why_not"] = row.unfit;
  }
  json["synthesis_seconds"] = row.synthesis_seconds;
  json["routing_seconds"] = row.routing_seconds;
  return json;
}

void print_json(const Options& options, const std::vector<FpgaResult>& rows) {
  Json list = Json::array();
  for (const FpgaResult& row : rows) list.push_back(json_of(row));
  fmt::print("{}", json_text({{"device", options.fpga.device},
                              {"part", part(options)},
                              {"q", options.fpga.q},
                              {"p", options.fpga.p},
                              {"machines", list}}));
}

int fpga(Options options) {
  if (std::string mistake = choose_lanes(options.fpga.p, options.r_chosen, &options.r);
      !mistake.empty())
    return fail(kBadInput, mistake);
  FpgaSynthesis synthesis(options.fpga);
  Progress progress("Placing", options.r.size());
  std::string mistake = synthesis.prepare();
  std::vector<FpgaResult> rows(options.r.size());
  for (size_t i = 0; i < rows.size() && mistake.empty(); ++i) {
    progress.update_count(i, fmt::format("r = {}", options.r[i]));
    mistake = synthesis.measure(options.r[i], &rows[i]);
  }
  if (!mistake.empty()) return fail(kBadInput, mistake);
  (options.json ? print_json : print_table)(options, rows);
  return kDone;
}

}  // namespace

Command vemicry_fpga_command() {
  auto o = std::make_shared<Options>();
  o->fpga.device = "ecp5-85k";
  return {
      .name = "fpga",
      .summary = "which clock the vector unit reaches in an FPGA, and what it takes of it",
      .options = joined({{text("--device", "DEVICE", &o->fpga.device, "the FPGA")
                              .one_of(fpga_names())
                              .usually(o->fpga.device)},
                         size_options(&o->fpga.q, &o->fpga.p),
                         {lanes_option(&o->r, &o->r_chosen),
                          flag("--whole", &o->fpga.whole, "the whole processor"),
                          text("--keep", "DIR", &o->fpga.folder,
                               "folder for the Verilog files, scripts, netlists, reports and logs"),
                          flag("--json", &o->json, "print JSON")}}),
      .about = "It needs yosys and nextpnr. The clock is that of the paths between registers.",
      .examples = {"incore vemicry fpga",
                   "incore vemicry fpga --device ice40-hx8k --p 4 --r 1 --keep hx8k"},
      .exit_codes = {{"0", "done, also if it does not fit"},
                     {"2", "bad usage, a program is missing, or one failed"}},
      .run = [o] { return fpga(*o); },
  };
}

}  // namespace incore::cli
