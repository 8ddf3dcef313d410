#include "vemicry/machine.h"

#include <algorithm>

namespace incore::vemicry {
namespace {

Trap reserved(State&, Memory&, Word word) {
  // COPz, LWCz and SWCz: there is a coprocessor 2 only, and it has no LWC2 and SWC2.
  constexpr uint32_t kVectorUnit = 2;
  const uint32_t opcode = word.opcode(), group = opcode >> 2;
  const bool coprocessor =
      (group == 0x04 || group == 0x0C || group == 0x0E) && (opcode & 3) != kVectorUnit;
  return {coprocessor ? Exception::coprocessor_unusable : Exception::reserved_instruction};
}

// The scalar register that an instruction writes; 0: none.
uint32_t written_register(const Insn& insn, Word word) {
  if ((insn.writes & kRd) != 0) return word.rd();
  if ((insn.writes & kRt) != 0) return word.rt();
  if ((insn.writes & kR) != 0) return word.r();
  return (insn.writes & kRa) != 0 ? 31 : 0;
}

}  // namespace

Machine::Machine(const Config& config)
    : state_(std::make_unique<State>()), memory_(config.little_endian) {
  state_->config = config;
  if (config.banked) memory_.make_banks(config.r);
  reset();
}

void Machine::reset() {
  const Config config = state_->config;
  *state_ = State{};
  state_->config = config;
  State& s = *state_;
  if (config.junk) {
    Junk junk(config.junk_seed);
    for (uint32_t i = 1; i < 32; ++i) s.gpr[i] = junk.next();
    for (uint32_t* word : {&s.hi, &s.lo, &s.vcr, &s.car}) *word = junk.next();
    for (auto& vector : s.v)
      for (uint32_t& word : vector) word = junk.next();
    for (uint32_t a = kStackTop - kStackLen; a < kStackTop; a += 4)
      (void)memory_.store<uint32_t>(a, junk.next());
  }
  s.l = config.length();
  s.pc = entry_;
  s.next_pc = entry_ + 4;
  s.gpr[29] = kStackTop - 64;  // room for the arguments of the first function
  s.gpr[31] = kReturnAddress;
  previous_ = kReturnAddress;
  break_ = heap_;
  random_.seed(0);
  if (memory_.banks() != nullptr) memory_.banks()->clear();
}

bool Machine::load(const Image& image) {
  for (const Segment& segment : image.segments)
    if (!memory_.map(segment.address, std::max<uint64_t>(segment.mem_len, segment.bytes.size())) ||
        !memory_.write(segment.address, segment.bytes.data(), segment.bytes.size()))
      return false;
  entry_ = image.entry;
  for (const Segment& segment : image.segments) {
    const uint64_t end =
        segment.address + std::max<uint64_t>(segment.mem_len, segment.bytes.size());
    if (end <= kStackTop - kStackLen)
      heap_ = std::max(heap_, static_cast<uint32_t>((end + Memory::kPageLen - 1) /
                                                    Memory::kPageLen * Memory::kPageLen));
  }
  const bool has_stack = memory_.map(kStackTop - kStackLen, kStackLen);
  reset();
  return has_stack;
}

void Machine::begin_call(uint32_t address, std::span<const uint32_t> arguments) {
  State& s = *state_;
  s.pc = address;
  s.next_pc = address + 4;
  previous_ = kReturnAddress;
  s.gpr[31] = kReturnAddress;
  s.gpr[29] = (kStackTop - 64 - 4 * static_cast<uint32_t>(arguments.size())) & ~7u;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i < 4)
      s.gpr[4 + i] = arguments[i];
    else
      (void)memory_.store<uint32_t>(s.gpr[29] + 4 * static_cast<uint32_t>(i), arguments[i]);
  }
}

bool Machine::set_breakpoint(uint32_t address, bool is_set) {
  Decoded* const page = address % 4 == 0 ? memory_.decoded(address) : nullptr;
  if (page == nullptr) return false;
  page[address % Memory::kPageLen / 4].execute = nullptr;
  if (is_set)
    breakpoints_.insert(address);
  else
    breakpoints_.erase(address);
  return true;
}

void Machine::decode_at(uint32_t address, Decoded* out_decoded) const {
  (void)memory_.fetch(address, &out_decoded->word.bits);
  out_decoded->insn = decode(out_decoded->word);
  out_decoded->execute = out_decoded->insn == nullptr ? reserved : out_decoded->insn->execute;
}

bool Machine::is_branch(uint32_t address) const {
  Word word;
  if (memory_.fetch(address, &word.bits)) return false;
  const Insn* const insn = decode(word);
  return insn != nullptr && (insn->traits & kBranch) != 0;
}

Trap Machine::execute_with_load_delay(const Decoded& decoded) {
  State& s = *state_;
  const Insn* const insn = decoded.insn;
  const Word word = decoded.word;
  const uint32_t number = s.delayed_register, value = s.delayed_value;
  const Trap trap = decoded.execute(s, memory_, word);
  // A load in the delay slot of another, of the same register, or any other instruction that writes
  // it, comes later.
  const bool writes_it = insn != nullptr && !trap && written_register(*insn, word) == number;
  const bool loads = insn != nullptr && !trap && (insn->traits & kLoad) != 0;
  if (!loads) s.delayed_register = 0;
  if (!writes_it) s.set_gpr(number, value);
  return trap;
}

}  // namespace incore::vemicry
