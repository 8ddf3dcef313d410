// Instruction words made by the records of src/vemicry.
#pragma once

#include <cassert>
#include <initializer_list>
#include <vector>

#include "vemicry/insn.h"
#include "vemicry/operands.h"

namespace incore::vemicry::test {

inline std::vector<const Insn*> all_insns() {
  size_t num_insns = 0;
  const Insn* const* const all = insns(&num_insns);
  return {all, all + num_insns};
}
inline std::vector<const Insn*> vector_insns() {
  std::vector<const Insn*> all = all_insns();
  all.resize(kNumVectorInsns);
  return all;
}
// The vector instructions that a function code tells; the others access control registers.
inline std::vector<const Insn*> insns_with_function() {
  std::vector<const Insn*> found = vector_insns();
  std::erase_if(found, [](const Insn* insn) { return (insn->word & ~63u) != vector_word(0); });
  return found;
}

inline bool has_operand(const Insn& insn, std::string_view name) {
  for (const Operand& operand : operands_of(insn.operands))
    if (operand.name == name) return true;
  return false;
}

// The word of |insn| with its operands in the order of assembly; of imm(rs), first the number.
inline Word word_with(const Insn& insn, std::initializer_list<uint32_t> operands) {
  uint32_t bits = insn.word;
  const uint32_t* value = operands.begin();
  const auto next = [&] { return value == operands.end() ? 0 : *value++; };
  for (const Operand& operand : operands_of(insn.operands)) {
    if (operand.kind == OperandKind::fixed_register) continue;
    const uint32_t mask = static_cast<uint32_t>((uint64_t{1} << operand.width) - 1);
    bits |= (next() & mask) << operand.low;
    if (operand.kind == OperandKind::base_offset) bits |= next() << 21;
  }
  return {bits};
}

}  // namespace incore::vemicry::test
