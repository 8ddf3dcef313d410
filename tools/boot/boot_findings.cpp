#include "tools/boot/boot_findings.h"

#include <fmt/format.h>

namespace incore::tools {

void BootFindings::add(const SupplierFinding& finding, const incore_processor_state& state,
                       const char* mnemonic) {
  const auto place = std::tuple(state.rip, std::string(finding.what), std::string(finding.operand));
  if (entries_.size() == INCORE_RUN_MAX_FINDINGS && entries_.count(place) == 0) return;
  ++entries_.try_emplace(place, Entry{finding, state, mnemonic, 0}).first->second.count;
}

void BootFindings::tell(Findings* out) const {
  for (const auto& [place, entry] : entries_) {
    const SupplierFinding& f = entry.finding;
    const incore_processor_state& s = entry.state;
    std::string control_word;
    if (f.control_word != nullptr) {
      const uint8_t* const b = f.control_word_bytes;
      control_word = fmt::format("{:#x}", b[0] | b[1] << 8 | b[2] << 16 | uint32_t{b[3]} << 24);
    }
    incore_run_finding finding = {};
    finding.check = f.check;
    finding.clause = f.clause;
    finding.what = f.what;
    finding.remedy = f.remedy;
    finding.mnemonic = entry.mnemonic;
    finding.count = entry.count;
    finding.address = s.rip;
    finding.operand = f.operand;
    finding.operand_address = f.operand_address;
    const uint64_t registers[] = {s.rax, s.rbx, s.rcx, s.rdx, s.rsi, s.rdi};
    std::copy(std::begin(registers), std::end(registers), finding.registers);
    finding.control_word = control_word.empty() ? nullptr : control_word.c_str();
    Findings::add(out, &finding);
  }
}

}  // namespace incore::tools
