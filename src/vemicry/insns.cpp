// The list of instructions, and how a word is found in it.
#include <array>
#include <cassert>
#include <cstdlib>

#include "vemicry/insn.h"
#include "vemicry/operands.h"

namespace incore::vemicry {
namespace {

constexpr const Insn* kInsns[] = {
#define X(name) &name,
#include "vemicry/insns.def"
#include "vemicry/mips.def"
#undef X
};

constexpr Operand kOperands[] = {
    {"rs", OperandKind::scalar_register, 21, 5},   {"rt", OperandKind::scalar_register, 16, 5},
    {"rd", OperandKind::scalar_register, 11, 5},   {"sa", OperandKind::unsigned_number, 6, 5},
    {"simm", OperandKind::signed_number, 0, 16},   {"uimm", OperandKind::unsigned_number, 0, 16},
    {"simm(rs)", OperandKind::base_offset, 0, 16}, {"branch", OperandKind::branch_label, 0, 16},
    {"target", OperandKind::jump_label, 0, 26},    {"code", OperandKind::unsigned_number, 6, 20},
    {"r", OperandKind::scalar_register, 20, 5},    {"(r)", OperandKind::base, 20, 5},
    {"vd", OperandKind::vector_register, 16, 4},   {"vj", OperandKind::vector_register, 12, 4},
    {"vk", OperandKind::vector_register, 20, 4},   {"n", OperandKind::unsigned_number, 6, 6},
};

Operand operand_of(std::string_view name) {
  for (const Operand& operand : kOperands)
    if (operand.name == name) return operand;
  Operand fixed = {name, OperandKind::fixed_register, 0, 0};
  assert(!name.empty() && name.front() == '$');
  for (const char digit : name.substr(1))
    fixed.fixed = static_cast<uint8_t>(fixed.fixed * 10 + (digit - '0'));
  return fixed;
}

// By opcode and funct, the candidates: few share both.
struct Table {
  static constexpr size_t kMaxCandidates = 12;
  struct Entry {
    uint32_t mask, word;
    const Insn* insn;
  };
  std::array<std::array<Entry, kMaxCandidates>, 4096> entries = {};

  Table() {
    for (const Insn* insn : kInsns) {
      const uint32_t mask = fixed_bits(*insn);
      for (uint32_t i = 0; i < entries.size(); ++i) {
        const uint32_t word = i / 64 << 26 | i % 64;
        if (((word ^ insn->word) & mask & 0xFC00003F) == 0) add(i, {mask, insn->word, insn});
      }
    }
  }
  void add(uint32_t i, const Entry& entry) {
    for (Entry& free : entries[i])
      if (free.insn == nullptr) {
        free = entry;
        return;
      }
    std::abort();  // too many instructions share opcode and function code
  }
};

}  // namespace

const size_t kNumVectorInsns = 0
#define X(name) +1
#include "vemicry/insns.def"
#undef X
    ;

const Insn* const* insns(size_t* out_num_insns) {
  *out_num_insns = sizeof kInsns / sizeof *kInsns;
  return kInsns;
}

OperandList operands_of(std::string_view text) {
  OperandList list;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    list.operands[list.num++] = operand_of(text.substr(0, comma));
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return list;
}

uint32_t operand_bits(const Operand& operand) {
  uint32_t bits = static_cast<uint32_t>((uint64_t{1} << operand.width) - 1) << operand.low;
  if (operand.kind == OperandKind::base_offset) bits |= 31u << 21;
  return bits;
}

bool has_count(const Insn& insn, uint64_t n) {
  return &insn != &vtransp || n <= 2 || n == 4;
}

bool counts_words(const Insn& insn) {
  return (insn.traits & (kCounted | kIndex)) != 0;
}

bool is_on(const Config& config, const Insn& insn, Word word) {
  for (const Operand& operand : operands_of(insn.operands)) {
    const uint32_t field = word.field(operand.low, operand.width);
    if (operand.kind == OperandKind::vector_register && field >= config.q) return false;
    if (operand.name == "n" && !has_count(insn, field)) return false;
    if (operand.name == "n" && counts_words(insn) && field > config.p) return false;
  }
  return true;
}

uint32_t fixed_bits(const Insn& insn) {
  uint32_t bits = ~uint32_t{0};
  for (const Operand& operand : operands_of(insn.operands)) bits &= ~operand_bits(operand);
  return bits;
}

const Insn* decode(Word word) {
  static const Table table;
  for (const Table::Entry& entry : table.entries[word.opcode() << 6 | word.funct()]) {
    if (entry.insn == nullptr) break;
    if ((word.bits & entry.mask) == entry.word) return entry.insn;
  }
  return nullptr;
}

}  // namespace incore::vemicry
