#include "vemicry/disassemble.h"

#include <algorithm>
#include <cstdio>

#include "vemicry/assembler/assembler.h"
#include "vemicry/insn.h"
#include "vemicry/operands.h"

namespace incore::vemicry {
namespace {

std::string hex(uint32_t value, int num_digits = 1) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%0*x", num_digits, value);
  return text;
}

// Whether the assembler takes |name| for a label: compilers of other languages have more, "jal t1"
// is a jump to what a register holds, and the machine's own symbols are numbers.
bool is_label(const std::string& name) {
  return is_first_name_char(name[0]) && std::all_of(name.begin(), name.end(), is_name_char) &&
         name != "." && name != "P" && name != "L" && !scalar_register(name);
}

std::string target_text(uint32_t address, const Image* image) {
  const Symbol* const symbol = image == nullptr ? nullptr : image->at(address);
  return symbol == nullptr || !is_label(symbol->name) ? hex(address) : symbol->name;
}

std::string scalar_text(uint32_t number) {
  return "$" + std::to_string(number);
}

std::string operand_text(const Operand& operand, Word word, uint32_t address, const Image* image) {
  const uint32_t field = word.field(operand.low, operand.width);
  switch (operand.kind) {
    case OperandKind::scalar_register:
      return scalar_text(field);
    case OperandKind::vector_register:
      return "v" + std::to_string(field);
    case OperandKind::unsigned_number:
      return operand.width == 16 ? hex(field) : std::to_string(field);
    case OperandKind::signed_number:
      return std::to_string(static_cast<int32_t>(word.signed_imm()));
    case OperandKind::branch_label:
      return target_text(address + 4 + (word.signed_imm() << 2), image);
    case OperandKind::jump_label:
      return target_text(((address + 4) & 0xF0000000) | word.target() << 2, image);
    case OperandKind::base_offset:
      return std::to_string(static_cast<int32_t>(word.signed_imm())) + "(" +
             scalar_text(word.rs()) + ")";
    case OperandKind::base:
      return "(" + scalar_text(field) + ")";
    case OperandKind::fixed_register:
      break;
  }
  return scalar_text(operand.fixed);
}

std::string line_of(std::string mnemonic, const std::string& operands) {
  if (operands.empty()) return mnemonic;
  mnemonic.resize(std::max<size_t>(mnemonic.size(), 7), ' ');
  return mnemonic + " " + operands;
}

// As assemblers have them: the halves of the code, the second one only if it is not zero.
std::string break_operands(Word word) {
  const uint32_t high = word.field(16, 10), low = word.field(6, 10);
  if (low != 0) return std::to_string(high) + ", " + std::to_string(low);
  return high == 0 ? "" : std::to_string(high);
}

}  // namespace

std::string disassemble(Word word, uint32_t address, const Config& config, const Image* image) {
  const Insn* const insn = decode(word);
  if (insn == nullptr || !is_on(config, *insn, word)) return line_of(".word", hex(word.bits, 8));
  if (word.bits == 0) return "nop";
  if (insn == &break_) return line_of("break", break_operands(word));
  if (insn == &syscall && word.field(6, 20) == 0) return "syscall";
  std::string operands;
  for (const Operand& operand : operands_of(insn->operands))
    operands += (operands.empty() ? "" : ", ") + operand_text(operand, word, address, image);
  return line_of(insn->mnemonic, operands);
}

}  // namespace incore::vemicry
