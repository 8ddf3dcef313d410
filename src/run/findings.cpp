#include "run/findings.h"

namespace incore::run {

unsigned Findings::add(pid_t pid, const CheckReport& report) {
  CodePlace place = find_code_place(pid, report.rip);
  const Key key = {place.module, place.offset, report.check, report.rule, report.operand};
  const auto [entry, is_new] = known_.try_emplace(key, static_cast<unsigned>(findings_.size()));
  if (is_new) {
    if (findings_.size() == kMaxFindings) {
      known_.erase(entry);
      return kMaxFindings;
    }
    findings_.push_back({report, pid, std::move(place)});
  }
  return entry->second;
}

}  // namespace incore::run
