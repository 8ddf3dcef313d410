#include "tools/run/run_findings.h"

#include <fmt/format.h>

#include "tools/base/json.h"
#include "tools/run/run_places.h"

namespace incore::tools {
namespace {

constexpr const char* kRegisterNames[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi"};

std::string counted(uint64_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string finding_text(const std::string& command, const incore_run_finding& f) {
  std::string text = fmt::format("{} --check: {}: {} [{}]\n", command, f.check, f.what, f.clause);
  text += fmt::format("    at {}\n", place_text(f));
  text += fmt::format("    {}; {}: {:#x}\n", f.mnemonic, f.operand, f.operand_address);
  if (f.control_word != nullptr) text += fmt::format("    control word {}\n", f.control_word);
  text += "   ";
  for (size_t i = 0; i < std::size(kRegisterNames); ++i)
    text += fmt::format(" {} {:#x}", kRegisterNames[i], f.registers[i]);
  text += fmt::format("\n    to mend it: {}\n", f.remedy);
  text += fmt::format("    seen {}", counted(f.count, "time"));
  if (f.pid != 0) text += fmt::format(", first in process {}", f.pid);
  return text + "\n";
}

Json finding_json(const incore_run_finding& f) {
  Json registers;
  for (size_t i = 0; i < std::size(kRegisterNames); ++i)
    registers[kRegisterNames[i]] = f.registers[i];
  Json entry = {{"check", f.check},
                {"clause", f.clause},
                {"what", f.what},
                {"remedy", f.remedy},
                {"instruction", f.mnemonic},
                {"count", f.count},
                {"process", f.pid},
                {"address", f.address},
                {"operand", f.operand},
                {"operand_address", f.operand_address},
                {"registers", registers}};
  if (f.control_word != nullptr) entry["control_word"] = f.control_word;
  add_place(f, &entry);
  return entry;
}

}  // namespace

void Findings::add(void* context, const incore_run_finding* finding) {
  auto* const all = static_cast<Findings*>(context);
  Counts& counts = all->by_check_[finding->check];
  Json entry = finding_json(*finding);
  if (const std::string* const reason = all->suppressions.reason(*finding)) {
    ++counts.suppressed;
    entry["suppressed"] = *reason;
  } else {
    ++counts.places;
    counts.times += finding->count;
    all->texts_.push_back(finding_text(all->command_, *finding));
  }
  all->entries_.push_back(std::move(entry));
}

std::string Findings::text() const {
  std::string text;
  for (const std::string& finding : texts_) text += finding + "\n";
  text += fmt::format("{} --check: {}{}\n", command_, counted(texts_.size(), "finding"),
                      entries_.size() == INCORE_RUN_MAX_FINDINGS ? ", the most kept" : "");
  for (const auto& [check, counts] : by_check_) {
    text += fmt::format("    {:<20}", check);
    if (counts.places != 0)
      text +=
          fmt::format(" {}, {}", counted(counts.places, "place"), counted(counts.times, "time"));
    if (counts.suppressed != 0)
      text += fmt::format("{} {} suppressed", counts.places != 0 ? ";" : "",
                          counted(counts.suppressed, "place"));
    text += "\n";
  }
  return text + suppressions.unused();
}

}  // namespace incore::tools
