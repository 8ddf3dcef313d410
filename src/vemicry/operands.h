// The operands that records name: where each lies in the word. Assembler and disassembler go by
// these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace incore::vemicry {

struct Config;
struct Insn;
struct Word;

enum class OperandKind : uint8_t {
  scalar_register,
  vector_register,
  unsigned_number,
  signed_number,
  branch_label,    // (label - address of the delay slot) / 4, signed
  jump_label,      // label / 4, within the 256 MiB of the delay slot
  base_offset,     // signed number, then a scalar register in brackets
  base,            // a scalar register in brackets
  fixed_register,  // no field: a register that must be named
};

struct Operand {
  std::string_view name;
  OperandKind kind;
  uint8_t low, width;  // the field; of base_offset that of the number, the register is rs
  uint8_t fixed = 0;   // fixed_register: its number
};

struct OperandList {
  Operand operands[4];
  size_t num = 0;
  const Operand* begin() const { return operands; }
  const Operand* end() const { return operands + num; }
};

// Those that the text of a record names.
OperandList operands_of(std::string_view text);

// The bits of a word that |operand| fills.
uint32_t operand_bits(const Operand& operand);

// Whether |insn| has the count |n| at all: VTRANSP knows 0, 1, 2 and 4, others all that n holds.
bool has_count(const Insn& insn, uint64_t n);
// Whether n counts words of a register, or names one, so that p bounds it.
bool counts_words(const Insn& insn);
// Whether a machine of |config| has |word|, which is one of |insn|: the vector registers that it
// names, and as many words as it counts. Else it is a reserved instruction.
bool is_on(const Config& config, const Insn& insn, Word word);

}  // namespace incore::vemicry
