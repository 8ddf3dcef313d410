// `incore vemicry area`: what the vector unit takes in gates, by synthesis of its Verilog model.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/vemicry/machine_options.h"
#include "tools/base/json.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/vemicry/vemicry_synthesis.h"

namespace incore::cli {
namespace {

constexpr const char* kLeftOut =
    "the lanes' memories (4 KiB each), the scalar core, wiring, clock tree, scan chains";

struct Options {
  SynthesisOptions synthesis;
  std::vector<unsigned> r = {1, 2, 4, 8};
  bool r_chosen = false;
  bool json = false;
};

void print_table(const Options& options, const std::vector<UnitSizes>& rows, bool gates) {
  fmt::print("q = {}, p = {}, in {}\n\n", options.synthesis.q, options.synthesis.p,
             gates ? "gate equivalents (NAND2)" : "the library's units of area");
  fmt::print("{:>3} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>8}\n", "r", "one lane", "lanes",
             "registers", "crossbar", "control", "total", "time");
  for (const UnitSizes& row : rows)
    fmt::print("{:>3} {:>10.0f} {:>10.0f} {:>10.0f} {:>10.0f} {:>10.0f} {:>10.0f} {:>6.1f} s\n",
               row.r, row.lane, row.lanes, row.registers, row.crossbar, row.control, row.total(),
               row.seconds);
  fmt::print("\nOf a lane, {:.0f} are its multiplier. Not counted: {}.\n", rows[0].multiplier,
             kLeftOut);
}

void print_json(const Options& options, const std::vector<UnitSizes>& rows, bool gates) {
  Json list = Json::array();
  for (const UnitSizes& row : rows)
    list.push_back({{"r", row.r},
                    {"one_lane", row.lane},
                    {"multiplier", row.multiplier},
                    {"lanes", row.lanes},
                    {"registers", row.registers},
                    {"crossbar", row.crossbar},
                    {"control", row.control},
                    {"total", row.total()},
                    {"seconds", row.seconds}});
  const Json report = {{"q", options.synthesis.q},
                       {"p", options.synthesis.p},
                       {"unit", gates ? "gate equivalents" : "library area"},
                       {"not_counted", kLeftOut},
                       {"machines", list}};
  fmt::print("{}", json_text(report));
}

int area(Options options) {
  SynthesisOptions& synthesis_options = options.synthesis;
  if (std::string mistake = choose_lanes(synthesis_options.p, options.r_chosen, &options.r);
      !mistake.empty())
    return fail(kBadInput, mistake);
  Synthesis synthesis(synthesis_options);
  Progress progress("Synthesizing", options.r.size() + 1);
  std::string mistake = synthesis.prepare();
  progress.update_count(0, "a lane");
  if (mistake.empty()) mistake = synthesis.synthesize_lane();
  std::vector<UnitSizes> rows(options.r.size());
  for (size_t i = 0; i < rows.size() && mistake.empty(); ++i) {
    progress.update_count(i + 1, fmt::format("r = {}", options.r[i]));
    mistake = synthesis.measure(options.r[i], &rows[i]);
  }
  if (!mistake.empty()) return fail(kBadInput, mistake);
  (options.json ? print_json : print_table)(options, rows, synthesis.gate_equivalents());
  return kDone;
}

// The file is read by yosys, long after.
std::string no_file(const Texts& names) {
  return std::filesystem::exists(names[0]) && !std::filesystem::is_directory(names[0])
             ? ""
             : in_quotes(names[0]) + " is no file that can be read";
}

Option liberty_option(std::string* out) {
  Option option = text("--liberty", "FILE", out, "library of cells, in Liberty format");
  option.take = [take = option.take](const Texts& names) {
    const std::string mistake = no_file(names);
    return mistake.empty() ? take(names) : mistake;
  };
  return option;
}

}  // namespace

Command vemicry_area_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "area",
      .summary = "count the gates of the vector unit by synthesis of its Verilog model",
      .options = joined({size_options(&o->synthesis.q, &o->synthesis.p),
                         {lanes_option(&o->r, &o->r_chosen), liberty_option(&o->synthesis.liberty),
                          text("--keep", "DIR", &o->synthesis.folder,
                               "folder for the Verilog files, yosys's scripts, reports and logs"),
                          flag("--json", &o->json, "print JSON")}}),
      .about = "It needs yosys.",
      .examples = {"incore vemicry area",
                   "incore vemicry area --p 16 --r 4,16 --liberty cells.lib"},
      .exit_codes = {{"0", "done"}, {"2", "bad usage, or the synthesis failed"}},
      .run = [o] { return area(*o); },
  };
}

}  // namespace incore::cli
