#include "tools/vemicry/run_report.h"

#include <fmt/format.h>

#include "tools/base/json.h"
#include "tools/base/require_ok.h"
#include "tools/vemicry/pipeline_times.h"
#include "tools/vemicry/profile_report.h"

namespace incore::tools {
namespace {

Json counts_json(const incore_vemicry_machine& machine) {
  Json counts = Json::object();
  incore_vemicry_machine_instruction_counts(
      &machine,
      [](void* context, const char* mnemonic, int, uint64_t count) {
        Json& entry = (*static_cast<Json*>(context))[mnemonic];
        entry = count + entry.natural();
      },
      &counts);
  return counts;
}

Json registers_json(const incore_vemicry_machine& machine, const incore_vemicry_config& config) {
  const auto value = [&](uint32_t number) {
    uint32_t word = 0;
    (void)!incore_vemicry_machine_get_register(&machine, number, &word);  // they all exist
    return word;
  };
  Json scalar = Json::array(), vector = Json::array();
  for (uint32_t i = 0; i < 32; ++i) scalar.push_back(value(i));
  std::vector<uint32_t> words(config.p == 0 ? 8 : config.p);
  for (uint32_t i = 0;
       incore_vemicry_machine_get_vector(&machine, i, words.data(), words.size()) == INCORE_OK; ++i)
    vector.push_back(words);
  return {{"scalar", scalar},
          {"hi", value(INCORE_VEMICRY_HI)},
          {"lo", value(INCORE_VEMICRY_LO)},
          {"pc", value(INCORE_VEMICRY_PC)},
          {"vcr", value(INCORE_VEMICRY_VCR)},
          {"car", value(INCORE_VEMICRY_CAR)},
          {"length", value(INCORE_VEMICRY_LENGTH)},
          {"vector", vector}};
}

std::string registers_text(const Json& registers) {
  std::string text;
  for (uint32_t i = 0; i < 32; ++i)
    text += fmt::format("{:>4} {:08x}{}", fmt::format("${}", i), registers["scalar"][i].natural(),
                        i % 6 == 5 || i == 31 ? "\n" : " ");
  for (const char* name : {"hi", "lo", "pc", "vcr", "car"})
    text += fmt::format("{:>4} {:08x} ", name, registers[name].natural());
  text += fmt::format("length {}\n", registers["length"].natural());
  for (size_t i = 0; i < registers["vector"].size(); ++i) {
    const Json& words = registers["vector"][i];
    for (size_t k = 0; k < words.size(); ++k) {
      if (k % 8 == 0) text += fmt::format("{:>4}", k == 0 ? fmt::format("v{}", i) : "");
      text += fmt::format(" {:08x}{}", words[k].natural(),
                          k % 8 == 7 || k + 1 == words.size() ? "\n" : "");
    }
  }
  return text;
}

}  // namespace

Json report_json(const RunReport& options, const incore_vemicry_machine& machine,
                 const incore_vemicry_config& config, const incore_vemicry_outcome& outcome,
                 double seconds) {
  Json report;
  if (outcome.stop == INCORE_VEMICRY_TRAPPED)
    report["trap"] = trap_text(machine, outcome);
  else if (outcome.stop == INCORE_VEMICRY_EXITED)
    report[options.label.empty() ? "exit_code" : "value"] = outcome.value;
  report["instructions"] = outcome.instructions;
  if (options.stats) {
    report["seconds"] = seconds;
    report["counts"] = counts_json(machine);
  }
  if (options.cycles || options.profile) {
    incore_vemicry_trace_totals totals = {};
    totals.outcome = outcome;
    require_ok(incore_vemicry_machine_times(&machine, &totals.cycles, totals.stall_cycles));
    report.update(times_json(totals));
  }
  if (options.profile) report.update(profile_json(machine));
  if (options.registers) report["registers"] = registers_json(machine, config);
  return report;
}

std::string report_text(const RunReport& options, const Json& report) {
  std::string text;
  if (report.contains("value"))
    text += fmt::format("{} returned 0x{:08x} after {} instructions\n", options.label,
                        report["value"].natural(), report["instructions"].natural());
  if (options.stats) {
    text += fmt::format("{} instructions in {:.3f} s\n", report["instructions"].natural(),
                        report["seconds"].real());
    for (const std::string& mnemonic : report["counts"].names())
      text += fmt::format("  {:<10} {:>14}\n", mnemonic, report["counts"][mnemonic].natural());
  }
  if (options.cycles || options.profile) text += times_text(report);
  if (options.profile) text += profile_text(report);
  if (options.registers) text += registers_text(report["registers"]);
  return text;
}

}  // namespace incore::tools
