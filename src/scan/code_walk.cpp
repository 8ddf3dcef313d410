#include "scan/code_walk.h"

#include <algorithm>
#include <utility>

#include "scan/site_pattern.h"

namespace incore::scan {
namespace {

bool is_implausible_one_byte(uint8_t opcode) {
  return (opcode >= 0x6c && opcode <= 0x6f) || (opcode & 0xf4) == 0xe4 /* in, out */ ||
         opcode == 0xf1 || opcode == 0xf4 || opcode == 0xfa || opcode == 0xfb || opcode == 0x9a ||
         opcode == 0xea || opcode == 0xca || opcode == 0xcb || opcode == 0xcf || opcode == 0xce ||
         opcode == 0xd7 || opcode == 0x06 || opcode == 0x07 || opcode == 0x0e || opcode == 0x16 ||
         opcode == 0x17 || opcode == 0x1e || opcode == 0x1f || opcode == 0x27 || opcode == 0x2f ||
         opcode == 0x37 || opcode == 0x3f || opcode == 0x8e;
}

bool is_implausible_two_byte(uint8_t opcode, bool is_register_form) {
  // 0F 01 D0 is XGETBV.
  return opcode == 0x00 || (opcode == 0x01 && !is_register_form) ||
         (opcode >= 0x06 && opcode <= 0x09) || (opcode >= 0x20 && opcode <= 0x23) ||
         opcode == 0x30 || opcode == 0x32 || opcode == 0x33 || opcode == 0x35 || opcode == 0xaa;
}

Flow flow_of(const ZydisDecodedInstruction& insn) {
  if (insn.raw.imm[0].is_relative) {
    if (insn.opcode_map != ZYDIS_OPCODE_MAP_DEFAULT) return Flow::branch;
    if (insn.opcode == 0xe8) return Flow::call;
    return insn.opcode == 0xe9 || insn.opcode == 0xeb ? Flow::jump : Flow::branch;
  }
  if (insn.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT) {
    switch (insn.opcode) {
      case 0xc2:
      case 0xc3:
      case 0xca:
      case 0xcb:
      case 0xcf:  // returns
      case 0xcc:
      case 0xea:
      case 0xf1:
      case 0xf4:  // int3, far jump, int1, hlt
        return Flow::stop;
      case 0xff:
        if (insn.raw.modrm.reg == 2 || insn.raw.modrm.reg == 3) return Flow::call;
        return insn.raw.modrm.reg == 4 || insn.raw.modrm.reg == 5 ? Flow::indirect_jump
                                                                  : Flow::next;
      default:
        return Flow::next;
    }
  }
  if (insn.opcode_map == ZYDIS_OPCODE_MAP_0F)
    return insn.opcode == 0x0b || insn.opcode == 0xb9 || insn.opcode == 0xff ||
                   insn.opcode == 0x07 || insn.opcode == 0x35
               ? Flow::stop
               : Flow::next;
  return Flow::next;
}

// True if the next instruction may follow.
bool goes_on(Flow flow) {
  return flow == Flow::next || flow == Flow::call || flow == Flow::branch;
}

}  // namespace

InstructionDecoder::InstructionDecoder(bool is_64bit, uint64_t allowance)
    : is_64bit_(is_64bit), allowance_(allowance) {
  ZydisDecoderInit(&decoder_, is_64bit ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
                   is_64bit ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
  ZydisDecoderEnableMode(&decoder_, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
}

bool InstructionDecoder::spend(uint64_t cost) {
  if (cost > allowance_) {
    allowance_ = 0;
    return false;
  }
  allowance_ -= cost;
  return true;
}

bool InstructionDecoder::decode(std::span<const uint8_t> bytes, uint64_t address,
                                Instruction* out_instruction) {
  if (!spend(1)) return false;
  // Zydis knows the older PadLock opcodes only.
  if (const size_t length = padlock_length(bytes, is_64bit_); length != 0) {
    *out_instruction = {static_cast<uint8_t>(length), Flow::next, false, false, 0, 0};
    return true;
  }
  ZydisDecodedInstruction insn;
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeInstruction(&decoder_, nullptr, bytes.data(), bytes.size(), &insn)))
    return false;
  const uint64_t next = address + insn.length;
  const auto wrap = [this](uint64_t a) { return is_64bit_ ? a : a & UINT32_MAX; };
  Instruction result = {insn.length, flow_of(insn), false, false, 0, 0};
  if (insn.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT)
    result.implausible = is_implausible_one_byte(insn.opcode);
  else if (insn.opcode_map == ZYDIS_OPCODE_MAP_0F)
    result.implausible = is_implausible_two_byte(insn.opcode, insn.raw.modrm.mod == 3);
  if (insn.raw.imm[0].is_relative) {
    // A 16-bit displacement (66h in 32-bit code) would cut the target to 64 KiB: no program means
    // that.
    result.has_target = insn.raw.imm[0].size != 16;
    result.implausible |= !result.has_target;
    result.target = wrap(next + static_cast<uint64_t>(insn.raw.imm[0].value.s));
  } else if (insn.raw.disp.size == 32 && insn.raw.modrm.mod == 0 && insn.raw.modrm.rm == 5) {
    const uint64_t displacement = static_cast<uint64_t>(insn.raw.disp.value);
    result.reference = wrap(is_64bit_ ? next + displacement : displacement);
  } else if (insn.raw.imm[0].size == 32) {
    result.reference = insn.raw.imm[0].value.u & UINT32_MAX;
  } else if (insn.raw.disp.size == 32) {
    result.reference = static_cast<uint64_t>(insn.raw.disp.value) & UINT32_MAX;
  }
  *out_instruction = result;
  return true;
}

CodeWalk::CodeWalk(InstructionDecoder& decoder, std::span<const uint8_t> bytes, uint64_t start)
    : decoder_(decoder), bytes_(bytes), start_(start) {
  // Memory is charged like instructions, so that many long ranges cannot use it up.
  if (decoder_.spend(bytes.size() / 64)) length_at_.assign(bytes.size(), 0);
}

uint8_t CodeWalk::instruction_length(uint64_t address) const {
  return range().contains(address) ? length_at_[address - start_] : 0;
}

std::vector<uint64_t> CodeWalk::take_exits() {
  return std::exchange(exits_, {});
}

bool CodeWalk::decode_at(uint64_t address, Instruction* out_instruction) {
  return range().contains(address) &&
         decoder_.decode(bytes_.subspan(address - start_), address, out_instruction);
}

void CodeWalk::unmark(uint64_t from, uint64_t to) {
  for (uint64_t p = from; p < to;) {
    const uint8_t length = length_at_[p - start_];
    length_at_[p - start_] = 0;
    p += std::max<uint8_t>(length, 1);
  }
}

void CodeWalk::descend(uint64_t address) {
  std::vector<uint64_t> work = {address};
  while (!work.empty()) {
    const uint64_t next = work.back();
    work.pop_back();
    follow_run(next, work);
  }
}

// Marks instructions from |address| to the first that does not go on to the next.
void CodeWalk::follow_run(uint64_t address, std::vector<uint64_t>& work) {
  std::vector<uint64_t> targets;
  uint64_t after_call = 0;  // what follows a call that never returns may be data
  size_t targets_at_call = 0;
  while (range().contains(address) && length_at_[address - start_] == 0) {
    Instruction insn;
    if (!decode_at(address, &insn)) {
      if (after_call != 0) {
        unmark(after_call, address);
        targets.resize(targets_at_call);
      }
      break;
    }
    mark(address, insn);
    if (insn.has_target) targets.push_back(insn.target);
    if (!goes_on(insn.flow)) break;
    address += insn.length;
    if (insn.flow == Flow::call) {
      after_call = address;
      targets_at_call = targets.size();
    }
  }
  for (const uint64_t target : targets)
    (range().contains(target) ? work : exits_).push_back(target);
}

void CodeWalk::mark(uint64_t address, const Instruction& insn) {
  length_at_[address - start_] = insn.length;
  has_indirect_jump_ |= insn.flow == Flow::indirect_jump;
  if (range().contains(insn.reference)) references_.push_back(insn.reference);
}

void CodeWalk::add_islands() {
  if (!has_indirect_jump_) return;
  for (uint64_t p = start_; p < range().end;) {
    if (const uint8_t length = length_at_[p - start_]; length != 0) {
      p += length;
      continue;
    }
    uint64_t end;
    if (!try_island(p, &end)) {
      // Go on behind the next instruction that is known.
      end = p + 1;
      while (end < range().end && length_at_[end - start_] == 0) ++end;
    }
    p = end;
  }
}

bool CodeWalk::try_island(uint64_t from, uint64_t* out_end) {
  std::vector<uint64_t> targets;
  uint64_t p = from;
  bool flawless = true;
  while (flawless && p < range().end && length_at_[p - start_] == 0) {
    Instruction insn;
    flawless = decode_at(p, &insn) && !insn.implausible && !is_marked_inside(p, insn.length);
    if (!flawless) break;
    mark(p, insn);
    if (insn.has_target) targets.push_back(insn.target);
    p += insn.length;
  }
  const auto referred = std::find_if(references_.begin(), references_.end(),
                                     [&](uint64_t r) { return from <= r && r < p; });
  flawless = flawless && referred == references_.end() &&
             std::all_of(targets.begin(), targets.end(),
                         [&](uint64_t t) { return !is_inside_instruction(t); });
  if (!flawless) {
    unmark(from, p);
    return false;
  }
  for (const uint64_t target : targets)
    if (!range().contains(target)) exits_.push_back(target);
  *out_end = p;
  return true;
}

bool CodeWalk::try_function(uint64_t address) {
  std::vector<uint64_t> work = {address};
  std::vector<uint64_t> marked;
  bool flawless = true;
  while (flawless && !work.empty()) {
    uint64_t p = work.back();
    work.pop_back();
    while (flawless && range().contains(p) && instruction_length(p) == 0) {
      Instruction insn;
      flawless = decode_at(p, &insn) && !insn.implausible && !is_inside_instruction(p) &&
                 !is_marked_inside(p, insn.length);
      if (!flawless) break;
      mark(p, insn);
      marked.push_back(p);
      if (insn.has_target && range().contains(insn.target)) work.push_back(insn.target);
      if (!goes_on(insn.flow)) break;
      p += insn.length;
    }
  }
  if (!flawless)
    for (const uint64_t p : marked) length_at_[p - start_] = 0;
  return flawless;
}

bool CodeWalk::is_marked_inside(uint64_t address, uint8_t length) const {
  for (uint64_t p = address + 1; p < address + length; ++p)
    if (instruction_length(p) != 0) return true;
  return false;
}

bool CodeWalk::is_inside_instruction(uint64_t address) const {
  if (!range().contains(address) || instruction_length(address) != 0) return false;
  for (uint64_t back = 1; back < 15 && back <= address - start_; ++back)
    if (const uint8_t length = instruction_length(address - back); length != 0)
      return length > back;
  return false;
}

}  // namespace incore::scan
