#include "scan/power_code_walk.h"

#include <algorithm>
#include <utility>

namespace incore::scan {
namespace {

constexpr unsigned kOpBranchConditional = 16, kOpSystemCall = 17, kOpBranch = 18,
                   kOpBranchRegister = 19;
constexpr Range kEverywhere = {0, UINT64_MAX};
// As much as looks_like_code() reads in each direction: longer than functions without a jump are.
constexpr size_t kMaxGuessWords = 4096;

uint64_t sign_extended(uint32_t value, unsigned bits) {
  const unsigned shift = 64 - bits;
  return static_cast<uint64_t>(static_cast<int64_t>(uint64_t{value} << shift) >> shift);
}

// Branches to the link, count and target address registers, condition register logic, isync, and
// the returns from interrupts.
bool is_valid_op19(uint32_t word) {
  constexpr unsigned kExtendedOpcodes[] = {0,   16,  18,  33,  50,  129, 150, 193,
                                           225, 257, 274, 289, 417, 449, 528, 560};
  const unsigned extended = word >> 1 & 0x3FF;
  constexpr unsigned kAddpcis = 2;  // in five bits, of ISA 3.0
  return (extended & 0x1F) == kAddpcis ||
         std::find(std::begin(kExtendedOpcodes), std::end(kExtendedOpcodes), extended) !=
             std::end(kExtendedOpcodes);
}

// False for what no processor up to POWER10 executes. Far from all of that is known here.
bool is_valid_word(uint32_t word) {
  switch (word >> 26) {
    case 0:
    case 5:
    case 9:
    case 22:
      return false;
    case kOpSystemCall:
      return (word & 0x03FFF01C) == 0;
    case kOpBranchRegister:
      return is_valid_op19(word);
    case 58:
      return (word & 3) != 3;
    default:
      return true;
  }
}

}  // namespace

PowerCodeWalk::PowerCodeWalk(const ElfImage& image) : image_(image) {
  for (const Segment& segment : image.segments()) {
    const uint64_t lead = (4 - segment.address % 4) % 4;
    if (!segment.executable || segment.bytes.size() < lead + 4) continue;
    const size_t num_words = (segment.bytes.size() - lead) / 4;
    const uint64_t start = segment.address + lead;
    codes_.push_back({{start, start + 4 * num_words},
                      segment.bytes.subspan(lead, 4 * num_words),
                      std::vector<Proof>(num_words, Proof::none)});
    allowance_ += 16 * num_words;  // real programs need a fraction
  }
}

bool PowerCodeWalk::spend(uint64_t num_words) {
  if (num_words > allowance_) return false;
  allowance_ -= num_words;
  return true;
}

const PowerCodeWalk::Code* PowerCodeWalk::code_at(uint64_t address) const {
  const auto next = std::upper_bound(codes_.begin(), codes_.end(), address,
                                     [](uint64_t a, const Code& c) { return a < c.range.start; });
  if (address % 4 != 0 || next == codes_.begin() || !std::prev(next)->range.contains(address))
    return nullptr;
  return &*std::prev(next);
}

PowerCodeWalk::Code* PowerCodeWalk::code_at(uint64_t address) {
  return const_cast<Code*>(static_cast<const PowerCodeWalk*>(this)->code_at(address));
}

uint32_t PowerCodeWalk::word_at(const Code& code, uint64_t address) const {
  return static_cast<uint32_t>(
      load_sized(&code.bytes[address - code.range.start], 4, image_.format().big_endian));
}

PowerCodeWalk::Insn PowerCodeWalk::decode(const Code& code, uint64_t address) const {
  const uint32_t word = word_at(code, address);
  const bool links = (word & 1) != 0, is_absolute = (word & 2) != 0;
  constexpr uint32_t kAlways = 0x14;  // of the field BO: neither the condition nor the counter
  const bool is_unconditional = (word >> 21 & kAlways) == kAlways;
  Insn insn;
  insn.is_valid = is_valid_word(word);
  switch (word >> 26) {
    case kOpBranch:
      insn.has_target = true;
      insn.target = sign_extended(word & 0x03FFFFFC, 26) + (is_absolute ? 0 : address);
      insn.falls_through = links;
      break;
    case kOpBranchConditional:
      insn.has_target = true;
      insn.target = sign_extended(word & 0xFFFC, 16) + (is_absolute ? 0 : address);
      insn.falls_through = links || !is_unconditional;
      break;
    case kOpBranchRegister: {
      const unsigned extended = word >> 1 & 0x3FF;
      const bool to_link = extended == 16, to_count = extended == 528 || extended == 560;
      if ((to_link || to_count) && !links && is_unconditional) {
        insn.falls_through = false;
        insn.is_computed_jump = to_count;
      }
      break;
    }
    default:
      break;
  }
  if (insn.has_target && code_at(insn.target) == nullptr) insn.is_valid = false;
  return insn;
}

// Returns true if there is a computed jump on the way.
bool PowerCodeWalk::walk(const Range& within, uint64_t start, Proof proof) {
  bool has_computed_jump = false;
  std::vector<uint64_t> work = {start};
  while (!work.empty()) {
    uint64_t address = work.back();
    work.pop_back();
    Code* code = code_at(address);
    if (code == nullptr) continue;
    for (; code->range.contains(address); address += 4) {
      if (!within.contains(address)) {
        exits_.push_back(address);
        break;
      }
      Proof& mark = code->proofs[(address - code->range.start) / 4];
      if (mark != Proof::none) break;
      const Insn insn = decode(*code, address);
      if (!insn.is_valid) break;
      mark = proof;
      has_computed_jump |= insn.is_computed_jump;
      if (insn.has_target) (within.contains(insn.target) ? work : exits_).push_back(insn.target);
      if (!insn.falls_through) break;
    }
  }
  return has_computed_jump;
}

void PowerCodeWalk::add_function(const Range& function, Proof proof) {
  if (walk(function, function.start, proof)) add_islands(function, proof);
}

void PowerCodeWalk::add_islands(const Range& function, Proof proof) {
  Code* const code = code_at(function.start);
  const uint64_t end = std::min(function.end, code->range.end);
  if (!spend((end - function.start) / 4)) return;
  const auto proof_of = [&](uint64_t address) -> Proof& {
    return code->proofs[(address - code->range.start) / 4];
  };
  for (uint64_t p = function.start; p < end; p += 4) {
    const uint64_t island = p;
    bool is_flawless = true;
    for (; p < end && proof_of(p) == Proof::none; p += 4) is_flawless &= decode(*code, p).is_valid;
    if (is_flawless)
      for (uint64_t q = island; q < p; q += 4) walk(function, q, proof);
  }
}

void PowerCodeWalk::follow(uint64_t address) {
  walk(kEverywhere, address, Proof::control_flow);
}

void PowerCodeWalk::follow_exits() {
  for (const uint64_t address : std::exchange(exits_, {})) follow(address);
}

Proof PowerCodeWalk::proof_at(uint64_t address) const {
  const Code* code = code_at(address);
  return code == nullptr ? Proof::none : code->proofs[(address - code->range.start) / 4];
}

bool PowerCodeWalk::looks_like_code(uint64_t address) {
  const Code* code = code_at(address);
  if (code == nullptr) return false;
  // Back to where other code or padding ends.
  uint64_t p = address;
  for (size_t steps = 0; p > code->range.start; p -= 4) {
    const bool is_padding = word_at(*code, p - 4) == 0;
    if (is_padding || proof_at(p - 4) != Proof::none) break;
    const Insn before = decode(*code, p - 4);
    if (!before.is_valid || ++steps == kMaxGuessWords || !spend(1)) return false;
    if (!before.falls_through) break;
  }
  // On to a jump or return, or to code that is known.
  p = address;
  for (size_t steps = 0; code->range.contains(p) && steps < kMaxGuessWords && spend(1);
       p += 4, ++steps) {
    if (proof_at(p) != Proof::none) return true;
    const Insn insn = decode(*code, p);
    if (!insn.is_valid) return false;
    if (!insn.falls_through) return true;
  }
  return false;
}

}  // namespace incore::scan
