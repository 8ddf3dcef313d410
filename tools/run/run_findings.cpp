#include "tools/run/run_findings.h"

#include <fmt/format.h>

#include "tools/base/json.h"
#include "tools/base/quote.h"

namespace incore::tools {
namespace {

constexpr const char* kRegisterNames[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi"};

std::string place_text(const incore_run_finding& f) {
  std::string text = fmt::format("{:#x}", f.address);
  if (f.function != nullptr)
    text += fmt::format(" in {}+{:#x}", one_line(f.function), f.function_offset);
  if (f.source != nullptr) text += fmt::format(" {}:{}", one_line(f.source), f.line);
  if (f.module != nullptr) text += fmt::format(" ({}+{:#x})", one_line(f.module), f.offset);
  return text;
}

std::string finding_text(const incore_run_finding& f) {
  std::string text = fmt::format("incore run --check: {}: {} [{}]\n", f.check, f.what, f.clause);
  text += fmt::format("    at {}\n", place_text(f));
  text += fmt::format("    {}; {}: {:#x}\n", f.mnemonic, f.operand, f.operand_address);
  text += "   ";
  for (size_t i = 0; i < std::size(kRegisterNames); ++i)
    text += fmt::format(" {} {:#x}", kRegisterNames[i], f.registers[i]);
  text += fmt::format("\n    to mend it: {}\n", f.remedy);
  return text + fmt::format("    seen {} time{}, first in process {}\n", f.count,
                            f.count == 1 ? "" : "s", f.pid);
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
  if (f.module != nullptr) {
    entry["module"] = f.module;
    entry["offset"] = f.offset;
  }
  if (f.function != nullptr) {
    entry["function"] = f.function;
    entry["function_offset"] = f.function_offset;
  }
  if (f.source != nullptr) {
    entry["source"] = f.source;
    entry["line"] = f.line;
  }
  return entry;
}

}  // namespace

void Findings::add(void* context, const incore_run_finding* finding) {
  auto* const all = static_cast<Findings*>(context);
  all->texts_.push_back(finding_text(*finding));
  all->entries_.push_back(finding_json(*finding));
}

std::string Findings::text() const {
  std::string text;
  for (const std::string& finding : texts_) text += finding + "\n";
  return text + fmt::format("incore run --check: {} finding{}{}\n", texts_.size(),
                            texts_.size() == 1 ? "" : "s",
                            texts_.size() == INCORE_RUN_MAX_FINDINGS ? ", the most kept" : "");
}

}  // namespace incore::tools
