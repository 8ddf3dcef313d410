// What --stats of `incore boot` prints.
#include <fmt/format.h>

#include "incore/padlock.h"
#include "tools/base/json.h"
#include "tools/boot/boot.h"

namespace incore::tools {
namespace {

// Millions of bytes in a second on the modelled processor.
double model_rate(const InsnCounters& insn, const BootReport& report) {
  if (insn.clocks == 0) return 0;
  return static_cast<double>(insn.bytes) * report.clock_mhz / static_cast<double>(insn.clocks);
}

}  // namespace

std::vector<std::string> never_executed(const std::vector<std::string>& mnemonics,
                                        const BootReport& report) {
  std::vector<std::string> missing = mnemonics;
  for (unsigned i = 0; incore_padlock_mnemonic(i) != nullptr; ++i)
    if (report.counters.insns[i].calls != 0) std::erase(missing, incore_padlock_mnemonic(i));
  return missing;
}

std::string boot_stats_text(const BootReport& report) {
  std::string text = fmt::format("incore boot: PadLock instructions executed, model {} at {} MHz\n",
                                 report.model, report.clock_mhz);
  text += fmt::format("  {:<12} {:>12} {:>16} {:>8} {:>16} {:>10}\n", "mnemonic", "calls", "bytes",
                      "faults", "model clocks", "model MB/s");
  bool any = false;
  for (unsigned i = 0; incore_padlock_mnemonic(i) != nullptr; ++i) {
    const InsnCounters& insn = report.counters.insns[i];
    if (insn.calls + insn.faults == 0) continue;
    any = true;
    text +=
        fmt::format("  {:<12} {:>12} {:>16} {:>8} {:>16} {:>10.1f}\n", incore_padlock_mnemonic(i),
                    insn.calls, insn.bytes, insn.faults, insn.clocks, model_rate(insn, report));
  }
  if (!any) text += "  none\n";
  const SupplierCounters& c = report.counters;
  text += fmt::format("  MSRs read {}, written {}; instructions missed {}\n", c.msr_reads,
                      c.msr_writes, c.missed);
  return text + fmt::format("  {:.1f} seconds\n", report.seconds);
}

std::string boot_stats_json(const BootReport& report) {
  Json insns = Json::object();
  for (unsigned i = 0; incore_padlock_mnemonic(i) != nullptr; ++i) {
    const InsnCounters& insn = report.counters.insns[i];
    insns[incore_padlock_mnemonic(i)] = {{"calls", insn.calls},
                                         {"bytes", insn.bytes},
                                         {"faults", insn.faults},
                                         {"model_clocks", insn.clocks},
                                         {"model_mb_per_second", model_rate(insn, report)}};
  }
  const Json stats = {{"model", report.model},
                      {"clock_mhz", report.clock_mhz},
                      {"exit_code", report.exit_code},
                      {"seconds", report.seconds},
                      {"instructions", insns},
                      {"msr_reads", report.counters.msr_reads},
                      {"msr_writes", report.counters.msr_writes},
                      {"missed", report.counters.missed}};
  return json_text(stats);
}

}  // namespace incore::tools
