#include "run/findings.h"

#include <cstring>

namespace incore::run {
namespace {

// What of a finding has a fixed length; its strings follow.
struct FixedPart {
  CheckReport report;
  uint64_t offset, function_offset;
  int32_t pid, line;
  uint32_t module_len, function_len, source_len, reserved;
};

}  // namespace

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

std::string to_bytes(const std::vector<Finding>& findings) {
  std::string bytes;
  for (const auto& [report, pid, place] : findings) {
    const auto len = [](const std::string& s) { return static_cast<uint32_t>(s.size()); };
    const FixedPart fixed = {
        report,     place.offset,      place.function_offset, pid,
        place.line, len(place.module), len(place.function),   len(place.source),
        0};
    bytes.append(reinterpret_cast<const char*>(&fixed), sizeof fixed);
    bytes += place.module + place.function + place.source;
  }
  return bytes;
}

std::vector<Finding> to_findings(std::string_view bytes) {
  std::vector<Finding> findings;
  for (FixedPart fixed; bytes.size() >= sizeof fixed;) {
    std::memcpy(&fixed, bytes.data(), sizeof fixed);
    bytes.remove_prefix(sizeof fixed);
    const auto take = [&](uint32_t len) {
      const std::string text(bytes.substr(0, len));
      bytes.remove_prefix(text.size());
      return text;
    };
    Finding finding = {fixed.report, fixed.pid, {}};
    finding.place.offset = fixed.offset;
    finding.place.function_offset = fixed.function_offset;
    finding.place.line = fixed.line;
    finding.place.module = take(fixed.module_len);
    finding.place.function = take(fixed.function_len);
    finding.place.source = take(fixed.source_len);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace incore::run
