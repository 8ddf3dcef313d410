// The search goes from cheap to costly, and only as far as candidates are left: a byte search;
// walks through the functions around the candidates; the flow of control from everywhere.
#include "scan/site_finder.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "scan/code_map.h"
#include "scan/elf_image.h"
#include "scan/power_site_finder.h"
#include "scan/site_pattern.h"

namespace incore::scan {
namespace {

constexpr size_t kMaxCandidates = 1 << 18;
constexpr size_t kFlagsReach = 1 << 16;
constexpr uint8_t kPushf = 0x9c, kPopf = 0x9d, kIret = 0xcf;

struct Candidate {
  Site site;
  uint64_t opcode_address;
  uint8_t opcode_len;  // without prefixes
};

// Until it is proved, only the prefix that PadLock wants is taken to belong to a candidate.
Candidate make_candidate(const Segment& segment, size_t offset, SiteKind kind) {
  const bool has_rep = kind == SiteKind::padlock && offset > 0 && segment.bytes[offset - 1] == 0xf3;
  const uint8_t num_prefixes = has_rep ? 1 : 0;
  Candidate candidate;
  candidate.opcode_address = segment.address + offset;
  candidate.opcode_len = kind == SiteKind::padlock ? 3 : kind == SiteKind::cpuid ? 2 : 1;
  Site& site = candidate.site;
  site.kind = kind;
  site.proof = Proof::none;
  site.address = candidate.opcode_address - num_prefixes;
  site.file_offset = segment.file_offset + offset - num_prefixes;
  site.length = static_cast<uint8_t>(candidate.opcode_len + num_prefixes);
  site.symbol_offset = 0;
  return candidate;
}

// Finds 0F A2 and the PadLock opcodes in all executable segments. False: there are more than
// kMaxCandidates.
bool find_candidates(const ElfImage& image, std::vector<Candidate>& out_candidates) {
  for (const Segment& segment : image.segments()) {
    if (!segment.executable) continue;
    const std::span<const uint8_t> bytes = segment.bytes;
    for (size_t i = 0; i + 2 <= bytes.size(); ++i) {
      const void* found = std::memchr(&bytes[i], 0x0f, bytes.size() - 1 - i);
      if (found == nullptr) break;
      i = static_cast<size_t>(static_cast<const uint8_t*>(found) - bytes.data());
      const bool is_cpuid = bytes[i + 1] == 0xa2;
      const bool is_padlock =
          i + 3 <= bytes.size() && is_padlock_opcode(bytes[i + 1], bytes[i + 2]);
      if (!is_cpuid && !is_padlock) continue;
      if (out_candidates.size() == kMaxCandidates) return false;
      const SiteKind kind = is_cpuid ? SiteKind::cpuid : SiteKind::padlock;
      out_candidates.push_back(make_candidate(segment, i, kind));
    }
  }
  return true;
}

const char* flags_mnemonic(uint8_t opcode) {
  return opcode == kPushf ? "pushf" : opcode == kPopf ? "popf" : opcode == kIret ? "iret" : nullptr;
}

// Finds PUSHF, POPF and IRET around the PadLock instructions among |candidates|, which stay in
// order. Adds none if that makes more than kMaxCandidates.
void add_flags_candidates(const ElfImage& image, std::vector<Candidate>& candidates) {
  std::vector<Candidate> flags;
  for (const Segment& segment : image.segments()) {
    size_t searched = 0;  // the bytes before are
    for (const Candidate& candidate : candidates) {
      if (candidate.site.kind != SiteKind::padlock ||
          !segment.range().contains(candidate.opcode_address))
        continue;
      const size_t middle = static_cast<size_t>(candidate.opcode_address - segment.address);
      const size_t end = std::min(segment.bytes.size(), middle + kFlagsReach);
      size_t at = std::max(searched, middle - std::min(middle, kFlagsReach));
      for (; at < end; ++at)
        if (flags_mnemonic(segment.bytes[at]) != nullptr)
          flags.push_back(make_candidate(segment, at, SiteKind::flags));
      searched = end;
    }
  }
  if (candidates.size() + flags.size() > kMaxCandidates) return;
  candidates.insert(candidates.end(), flags.begin(), flags.end());
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.opcode_address < b.opcode_address;
  });
}

// True, with the site's extent set, if an instruction of |walk| is the candidate with or without
// prefixes.
bool confirm(const ElfImage& image, const CodeWalk& walk, Proof proof, Candidate& candidate) {
  uint64_t start = candidate.opcode_address;
  uint8_t length = candidate.opcode_len;
  while (walk.instruction_length(start) != length) {
    if (!walk.range().contains(start - 1) || length == kMaxInstructionLen ||
        !is_prefix(image.bytes_at(start - 1)[0], image.is_64bit_code()))
      return false;
    --start;
    ++length;
  }
  Site& site = candidate.site;
  site.proof = proof;
  site.file_offset = site.file_offset + start - site.address;
  site.address = start;
  site.length = length;
  return true;
}

// What people want to know of, proved or not.
std::vector<uint64_t> unproved_crypto(const std::vector<Candidate>& candidates) {
  std::vector<uint64_t> addresses;
  for (const Candidate& candidate : candidates)
    if (candidate.site.proof == Proof::none && candidate.site.kind != SiteKind::flags)
      addresses.push_back(candidate.opcode_address);
  return addresses;
}

void prove(const ElfImage& image, CodeMap& map, std::vector<Candidate>& candidates) {
  std::vector<uint64_t> unproved;
  for (Candidate& candidate : candidates) {
    bool is_settled = image.is_in_data_section(candidate.opcode_address);
    for (const Function& function : map.functions_around(candidate.opcode_address)) {
      if (is_settled) break;
      const CodeWalk& walk = map.walk_function(function);
      // A candidate inside a known instruction is a part of its operands.
      is_settled = confirm(image, walk, function.proof, candidate) ||
                   walk.is_inside_instruction(candidate.opcode_address);
    }
    if (!is_settled) unproved.push_back(candidate.opcode_address);
  }
  if (unproved.empty()) return;
  const auto confirm_rest = [&](Proof proof, auto&& on_confirmed) {
    for (Candidate& candidate : candidates) {
      if (candidate.site.proof != Proof::none) continue;
      for (const CodeWalk* walk : map.walks_around(candidate.opcode_address)) {
        if (!confirm(image, *walk, proof, candidate)) continue;
        on_confirmed(candidate.site);
        break;
      }
    }
  };
  map.follow_control_flow(unproved);
  confirm_rest(Proof::control_flow, [](Site&) {});
  map.guess_functions(unproved_crypto(candidates));
  confirm_rest(Proof::none, [](Site& site) { site.is_likely = true; });
}

const char* mnemonic_of(const ElfImage& image, const Candidate& candidate) {
  if (candidate.site.kind == SiteKind::cpuid) return "cpuid";
  if (candidate.site.kind == SiteKind::flags)
    return flags_mnemonic(image.bytes_at(candidate.opcode_address)[0]);
  return padlock_mnemonic(image.bytes_at(candidate.site.address).first(candidate.site.length));
}

std::string too_many(const char* kind) {
  return "more than " + std::to_string(kMaxCandidates) + " places look like " + kind +
         " instructions";
}

}  // namespace

FoundSites find_sites(const uint8_t* image, size_t len, Wanted wanted) {
  FoundSites found;
  ElfImage elf;
  found.error = elf.parse(image, len);
  if (!found.error.empty()) return found;
  found.machine = elf.machine();
  if (elf.is_power()) {
    if (find_power_sites(elf, kMaxCandidates, found.sites)) return found;
    found.sites.clear();
    found.error = too_many("POWER8 crypto");
    return found;
  }

  std::vector<Candidate> candidates;
  if (!find_candidates(elf, candidates)) {
    found.error = too_many("CPUID or PadLock");
    return found;
  }
  if (candidates.empty()) return found;
  if (wanted == Wanted::crypto_and_flags) add_flags_candidates(elf, candidates);
  const std::vector<Symbol> symbols = elf.functions();
  // Files of programs need a fraction of this: most instructions are never decoded, and none twice.
  const uint64_t allowance = 1'000'000 + static_cast<uint64_t>(len);
  CodeMap map(elf, symbols, allowance);
  prove(elf, map, candidates);

  for (Candidate& candidate : candidates) {
    Site& site = candidate.site;
    site.mnemonic = mnemonic_of(elf, candidate);
    name_place(symbols, site);
    found.sites.push_back(std::move(site));
  }
  return found;
}

}  // namespace incore::scan
