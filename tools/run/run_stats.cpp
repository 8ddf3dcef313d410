#include "tools/run/run_stats.h"

#include <fmt/format.h>

#include "tools/base/json.h"

namespace incore::tools {
namespace {

// Millions of bytes in a second on the modelled processor.
double model_rate(const incore_run_insn_counters& insn, const incore_run_report& report) {
  if (insn.model_clocks == 0) return 0;
  return static_cast<double>(insn.bytes) * report.clock_mhz /
         static_cast<double>(insn.model_clocks);
}

std::string power_stats_text(const incore_run_report& report) {
  std::string text =
      fmt::format("incore run: POWER8 crypto instructions executed, model {}\n", report.model);
  text += fmt::format("  {:<12} {:>12}\n", "mnemonic", "calls");
  bool any = false;
  for (const auto& insn : counters(report)) {
    if (insn.calls == 0) continue;
    any = true;
    text += fmt::format("  {:<12} {:>12}\n", insn.mnemonic, insn.calls);
  }
  if (!any) text += "  none\n";
  return text + fmt::format("  programs {}\n", report.images);
}

std::string power_stats_json(const incore_run_report& report) {
  Json insns = Json::object();
  for (const auto& insn : counters(report)) insns[insn.mnemonic] = {{"calls", insn.calls}};
  const Json stats = {{"model", report.model},
                      {"exit_code", report.exit_code},
                      {"instructions", insns},
                      {"programs", report.images}};
  return json_text(stats);
}

}  // namespace

std::vector<std::string> never_ran(const std::vector<std::string>& mnemonics,
                                   const incore_run_report& report) {
  std::vector<std::string> missing = mnemonics;
  for (const incore_run_insn_counters& insn : counters(report))
    if (insn.calls != 0) std::erase(missing, insn.mnemonic);
  return missing;
}

std::string run_stats_text(const incore_run_report& report) {
  if (report.is_power != 0) return power_stats_text(report);
  std::string text = fmt::format("incore run: PadLock instructions executed, model {} at {} MHz\n",
                                 report.model, report.clock_mhz);
  text += fmt::format("  {:<12} {:>12} {:>16} {:>8} {:>12} {:>8} {:>16} {:>10}\n", "mnemonic",
                      "calls", "bytes", "traps", "patched", "faults", "model clocks", "model MB/s");
  bool any = false;
  for (const auto& insn : counters(report)) {
    if (insn.calls + insn.traps == 0) continue;
    any = true;
    text += fmt::format("  {:<12} {:>12} {:>16} {:>8} {:>12} {:>8} {:>16} {:>10.1f}\n",
                        insn.mnemonic, insn.calls, insn.bytes, insn.traps, insn.patched_calls,
                        insn.faults, insn.model_clocks, model_rate(insn, report));
  }
  if (!any) text += "  none\n";
  const char* separator = "  sites: ";
  for (const auto& tactic : std::span(report.tactics, report.num_tactics)) {
    text += fmt::format("{}{} {}", separator, tactic.name, tactic.sites);
    separator = ", ";
  }
  return text + fmt::format("\n  CPUID replaced at {} sites, answered {} times; programs {}\n",
                            report.cpuid_sites, report.cpuid_calls, report.images);
}

std::string run_stats_json(const incore_run_report& report) {
  if (report.is_power != 0) return power_stats_json(report);
  Json insns = Json::object();
  for (const auto& insn : counters(report))
    insns[insn.mnemonic] = {{"calls", insn.calls},
                            {"bytes", insn.bytes},
                            {"traps", insn.traps},
                            {"patched_calls", insn.patched_calls},
                            {"faults", insn.faults},
                            {"model_clocks", insn.model_clocks},
                            {"model_mb_per_second", model_rate(insn, report)}};
  Json tactics = Json::object();
  for (const auto& tactic : std::span(report.tactics, report.num_tactics))
    tactics[tactic.name] = tactic.sites;
  const Json stats = {{"model", report.model},
                      {"clock_mhz", report.clock_mhz},
                      {"exit_code", report.exit_code},
                      {"instructions", insns},
                      {"sites_patched", report.sites_patched},
                      {"sites_unpatched", report.sites_unpatched},
                      {"tactics", tactics},
                      {"cpuid_sites", report.cpuid_sites},
                      {"cpuid_calls", report.cpuid_calls},
                      {"programs", report.images}};
  return json_text(stats);
}

}  // namespace incore::tools
