// Pseudo-instructions: what GNU as accepts beside instructions and compilers write.
#include <algorithm>
#include <deque>

#include "vemicry/assembler/assembler.h"

namespace incore::vemicry {
namespace {

// Operands: r register, z register 0, x expression, s one that fits 16 bits with sign, m one whose
// negative does, p one that does plus 1, u one that fits 16 bits without sign, c 10 bits, 0 zero, a
// anything. The first row that matches counts. %1 is the first operand; '!' marks an instruction
// that is not expanded again, and whose delay slot is the next one.
struct Pseudo {
  std::string_view mnemonic, operands, expansion;
};
constexpr const char* kNoAt = "this needs register $at, which '.set noat' keeps from it";
constexpr Pseudo kPseudos[] = {
    {"nop", "", "sll $0,$0,0"},
    {"move", "rr", "or %1,%2,$0"},
    {"not", "rr", "nor %1,%2,$0"},
    {"neg", "rr", "sub %1,$0,%2"},
    {"negu", "rr", "subu %1,$0,%2"},
    {"b", "x", "beq $0,$0,%1"},
    {"bal", "x", "bgezal $0,%1"},
    {"beqz", "rx", "beq %1,$0,%2"},
    {"bnez", "rx", "bne %1,$0,%2"},
    {"j", "r", "jr %1"},
    {"jal", "r", "jalr $31,%1"},
    {"jal", "rr", "jalr %1,%2"},
    {"jalr", "r", "jalr $31,%1"},
    {"syscall", "", "syscall 0"},
    {"break", "", "!break 0"},
    {"break", "c", "!break (%1)<<10"},
    {"break", "cc", "!break (%1)<<10|(%2)"},
    {"vsmult", "aaa", "vspmult %1,%2,%3"},
    // Sums, logic and comparisons with a number.
    {"add", "rrs", "addi %1,%2,%3"},
    {"addu", "rrs", "addiu %1,%2,%3"},
    {"sub", "rrm", "addi %1,%2,-(%3)"},
    {"subu", "rrm", "addiu %1,%2,-(%3)"},
    {"and", "rru", "andi %1,%2,%3"},
    {"or", "rru", "ori %1,%2,%3"},
    {"xor", "rru", "xori %1,%2,%3"},
    {"slt", "rrs", "slti %1,%2,%3"},
    {"sltu", "rrs", "sltiu %1,%2,%3"},
    {"add", "rrx", "li $at,%3\nadd %1,%2,$at"},
    {"addu", "rrx", "li $at,%3\naddu %1,%2,$at"},
    {"sub", "rrx", "li $at,%3\nsub %1,%2,$at"},
    {"subu", "rrx", "li $at,%3\nsubu %1,%2,$at"},
    {"and", "rrx", "li $at,%3\nand %1,%2,$at"},
    {"or", "rrx", "li $at,%3\nor %1,%2,$at"},
    {"xor", "rrx", "li $at,%3\nxor %1,%2,$at"},
    {"subi", "rrx", "sub %1,%2,%3"},
    {"subiu", "rrx", "subu %1,%2,%3"},
    {"nor", "rrx", "li $at,%3\nnor %1,%2,$at"},
    {"slt", "rrx", "li $at,%3\nslt %1,%2,$at"},
    {"sltu", "rrx", "li $at,%3\nsltu %1,%2,$at"},
    {"sll", "rrr", "sllv %1,%2,%3"},
    {"srl", "rrr", "srlv %1,%2,%3"},
    {"sra", "rrr", "srav %1,%2,%3"},
    // Branches by comparisons.
    {"beq", "r0x", "beq %1,$0,%3"},
    {"bne", "r0x", "bne %1,$0,%3"},
    {"beq", "rxx", "li $at,%2\nbeq %1,$at,%3"},
    {"bne", "rxx", "li $at,%2\nbne %1,$at,%3"},
    {"blt", "rzx", "bltz %1,%3"},
    {"bge", "rzx", "bgez %1,%3"},
    {"bgt", "rzx", "bgtz %1,%3"},
    {"ble", "rzx", "blez %1,%3"},
    {"blt", "rrx", "slt $at,%1,%2\nbne $at,$0,%3"},
    {"bge", "rrx", "slt $at,%1,%2\nbeq $at,$0,%3"},
    {"bgt", "rrx", "slt $at,%2,%1\nbne $at,$0,%3"},
    {"ble", "rrx", "slt $at,%2,%1\nbeq $at,$0,%3"},
    {"bltu", "rrx", "sltu $at,%1,%2\nbne $at,$0,%3"},
    {"bgeu", "rrx", "sltu $at,%1,%2\nbeq $at,$0,%3"},
    {"bgtu", "rrx", "sltu $at,%2,%1\nbne $at,$0,%3"},
    {"bleu", "rrx", "sltu $at,%2,%1\nbeq $at,$0,%3"},
    {"blt", "rxx", "slt $at,%1,%2\nbne $at,$0,%3"},
    {"bge", "rxx", "slt $at,%1,%2\nbeq $at,$0,%3"},
    {"bgt", "rpx", "slti $at,%1,(%2)+1\nbeq $at,$0,%3"},
    {"bgt", "rxx", "li $at,%2\nslt $at,$at,%1\nbne $at,$0,%3"},
    {"ble", "rpx", "slti $at,%1,(%2)+1\nbne $at,$0,%3"},
    {"ble", "rxx", "li $at,%2\nslt $at,$at,%1\nbeq $at,$0,%3"},
    {"bltu", "rxx", "sltu $at,%1,%2\nbne $at,$0,%3"},
    {"bgeu", "rxx", "sltu $at,%1,%2\nbeq $at,$0,%3"},
    {"bgtu", "rpx", "sltiu $at,%1,(%2)+1\nbeq $at,$0,%3"},
    {"bgtu", "rxx", "li $at,%2\nsltu $at,$at,%1\nbne $at,$0,%3"},
    {"bleu", "rpx", "sltiu $at,%1,(%2)+1\nbne $at,$0,%3"},
    {"bleu", "rxx", "li $at,%2\nsltu $at,$at,%1\nbeq $at,$0,%3"},
    // Comparisons with a result.
    {"seq", "rrr", "xor %1,%2,%3\nsltiu %1,%1,1"},
    {"sne", "rrr", "xor %1,%2,%3\nsltu %1,$0,%1"},
    {"sgt", "rrr", "slt %1,%3,%2"},
    {"sgtu", "rrr", "sltu %1,%3,%2"},
    {"sge", "rrr", "slt %1,%2,%3\nxori %1,%1,1"},
    {"sgeu", "rrr", "sltu %1,%2,%3\nxori %1,%1,1"},
    {"sle", "rrr", "slt %1,%3,%2\nxori %1,%1,1"},
    {"sleu", "rrr", "sltu %1,%3,%2\nxori %1,%1,1"},
    {"seq", "rru", "xori %1,%2,%3\nsltiu %1,%1,1"},
    {"sne", "rru", "xori %1,%2,%3\nsltu %1,$0,%1"},
    {"seq", "rrx", "li $at,%3\nseq %1,%2,$at"},
    {"sne", "rrx", "li $at,%3\nsne %1,%2,$at"},
    {"sge", "rrx", "slt %1,%2,%3\nxori %1,%1,1"},
    {"sgeu", "rrx", "sltu %1,%2,%3\nxori %1,%1,1"},
    {"sgt", "rrx", "li $at,%3\nslt %1,$at,%2"},
    {"sgtu", "rrx", "li $at,%3\nsltu %1,$at,%2"},
    {"sle", "rrx", "li $at,%3\nslt %1,$at,%2\nxori %1,%1,1"},
    {"sleu", "rrx", "li $at,%3\nsltu %1,$at,%2\nxori %1,%1,1"},
    // Rotations.
    {"rol", "rrx", "sll $at,%2,(%3)&31\nsrl %1,%2,-(%3)&31\nor %1,%1,$at"},
    {"ror", "rrx", "srl $at,%2,(%3)&31\nsll %1,%2,-(%3)&31\nor %1,%1,$at"},
    {"rol", "rrr", "subu $at,$0,%3\nsrlv $at,%2,$at\nsllv %1,%2,%3\nor %1,%1,$at"},
    {"ror", "rrr", "subu $at,$0,%3\nsllv $at,%2,$at\nsrlv %1,%2,%3\nor %1,%1,$at"},
    // Products and quotients; those with a destination trap if the divisor is zero.
    {"mul", "rrr", "multu %2,%3\nmflo %1"},
    {"mul", "rrx", "li $at,%3\nmult %2,$at\nmflo %1"},
    {"div", "zrr", "div %2,%3"},
    {"divu", "zrr", "divu %2,%3"},
    {"div", "rrr", "!bne %3,$0,.+12\n!div %2,%3\nbreak 7\nmflo %1"},
    {"divu", "rrr", "!bne %3,$0,.+12\n!divu %2,%3\nbreak 7\nmflo %1"},
    {"rem", "rrr", "!bne %3,$0,.+12\n!div %2,%3\nbreak 7\nmfhi %1"},
    {"remu", "rrr", "!bne %3,$0,.+12\n!divu %2,%3\nbreak 7\nmfhi %1"},
    {"div", "rr0", "break 7"},
    {"divu", "rr0", "break 7"},
    {"rem", "rr0", "break 7"},
    {"remu", "rr0", "break 7"},
    {"div", "rrx", "li $at,%3\ndiv %2,$at\nmflo %1"},
    {"divu", "rrx", "li $at,%3\ndivu %2,$at\nmflo %1"},
    {"rem", "rrx", "li $at,%3\ndiv %2,$at\nmfhi %1"},
    {"remu", "rrx", "li $at,%3\ndivu %2,$at\nmfhi %1"},
    {"abs", "rr", "!bgez %2,.+12\nmove %1,%2\nsub %1,$0,%2"},
};

// Loads and stores at any address, as big-endian machines do them: %1 the register, %2 the address
// of the first byte, %3 that of the last. %4 and %5 are the register and $at, in either order.
struct Unaligned {
  std::string_view mnemonic;
  uint32_t len;
  std::string_view expansion;
};
constexpr Unaligned kUnaligned[] = {
    {"ulw", 4, "lwl %4,%2\nlwr %4,%3"},
    {"usw", 4, "swl %1,%2\nswr %1,%3"},
    {"ulh", 2, "lb %4,%2\nlbu %5,%3\nsll %4,%4,8\nor %1,%1,$at"},
    {"ulhu", 2, "lbu %4,%2\nlbu %5,%3\nsll %4,%4,8\nor %1,%1,$at"},
    {"ush", 2, "sb %1,%3\nsrl $at,%1,8\nsb $at,%2"},
};

// offset($base) taken apart; without base if there is none.
struct Address {
  std::string_view offset, base_name;
  std::optional<uint32_t> base;
};

Address address_of(std::string_view text) {
  const size_t open = text.rfind('(');
  if (open != std::string_view::npos && text.back() == ')') {
    const std::string_view name = trimmed(text.substr(open + 1, text.size() - open - 2));
    if (const std::optional<uint32_t> base = scalar_register(name))
      return {trimmed(text.substr(0, open)), name, base};
  }
  return {text, {}, std::nullopt};
}

std::string with_operands(std::string_view text, const std::vector<std::string_view>& operands) {
  std::string filled;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 1 < text.size() && is_digit(text[i + 1]))
      filled += operands[static_cast<size_t>(text[++i] - '1')];
    else
      filled += text[i];
  }
  return filled;
}

bool fits_signed(uint64_t number) {
  return number + 0x8000 < 0x10000 || (number <= 0xFFFFFFFF && number >= 0xFFFF8000);
}

}  // namespace

Expression Assembler::whole_expression(std::string_view text) {
  Cursor cursor(text);
  Expression expression = take_expression(cursor, symbols(), here_);
  cursor.expect_end();
  return expression;
}

std::optional<uint64_t> Assembler::known_number(std::string_view text) {
  const std::optional<Value> value = evaluate(whole_expression(text), nullptr);
  if (!value || value->section != kAbsolute) return std::nullopt;
  return value->number;
}

bool Assembler::matches(std::string_view pattern, const Operands& operands) {
  if (operands.size() != pattern.size()) return false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const std::optional<uint32_t> number = scalar_register(operands[i]);
    const char kind = pattern[i];
    if (kind == 'a') continue;
    if (kind == 'r' || kind == 'z') {
      if (!number || (kind == 'z' && *number != 0)) return false;
      continue;
    }
    if (number || operands[i].empty()) return false;
    if (kind == 'x') continue;
    const std::optional<uint64_t> value = known_number(operands[i]);
    if (!value) {  // known later, and checked then: %lo(label)
      if (kind == 's') continue;
      return false;
    }
    if (kind == 's' && !fits_signed(*value)) return false;
    if (kind == 'm' && !fits_signed(0 - *value)) return false;
    if (kind == 'p' && (!fits_signed(*value + 1) || (*value + 1) << 32 == 0)) return false;
    if (kind == '0' && *value != 0) return false;
    if (kind == 'u' && *value > 0xFFFF) return false;
    if (kind == 'c' && *value > 0x3FF) return false;
  }
  return true;
}

void Assembler::expand(std::string_view expansion, const Operands& operands) {
  const bool uses_at = expansion.find("$at") != std::string_view::npos ||
                       (operands.size() == 4 && operands[3] == "$at");  // only ours have a fourth
  if (uses_at && !may_use_at_) throw Mistake{nullptr, kNoAt};
  while (!expansion.empty()) {
    const size_t end = std::min(expansion.find('\n'), expansion.size());
    Cursor cursor(expansion.substr(0, end));
    const bool may_expand = !cursor.take("!");
    const std::string_view mnemonic = cursor.take_name();
    Operands filled = split_at_commas(cursor.rest());
    std::deque<std::string> made;  // what |filled| refers to
    for (std::string_view& operand : filled) {
      if (operand.size() == 2 && operand[0] == '%')
        operand = operands[static_cast<size_t>(operand[1] - '1')];  // with its place in the source
      else
        operand = made.emplace_back(with_operands(operand, operands));
    }
    assemble_instruction(mnemonic, filled, may_expand);
    expansion.remove_prefix(std::min(end + 1, expansion.size()));
  }
}

bool Assembler::expand_pseudo(std::string_view mnemonic, const Operands& operands) {
  if (mnemonic == "li" && matches("rx", operands)) return load_number(operands), true;
  if (mnemonic == "la" && operands.size() == 2) return load_address(operands), true;
  if (expand_unaligned(mnemonic, operands)) return true;
  for (const Pseudo& pseudo : kPseudos) {
    if (pseudo.mnemonic == mnemonic && matches(pseudo.operands, operands)) {
      expand(pseudo.expansion, operands);
      return true;
    }
  }
  return false;
}

void Assembler::load_number(const Operands& operands) {
  const std::optional<uint64_t> known = known_number(operands[1]);
  if (!known) return expand("lui %1,((%2)>>16)&0xFFFF\nori %1,%1,(%2)&0xFFFF", operands);
  if (*known + 0x80000000 > 0x17FFFFFFF)
    throw Mistake{operands[1].data(), "the number does not fit into 32 bits"};
  const uint32_t number = static_cast<uint32_t>(*known);
  if (fits_signed(number))
    expand("addiu %1,$0,%2", operands);
  else if (number <= 0xFFFF)
    expand("ori %1,$0,%2", operands);
  else if ((number & 0xFFFF) == 0)
    expand("lui %1,((%2)>>16)&0xFFFF", operands);
  else
    expand("lui %1,((%2)>>16)&0xFFFF\nori %1,%1,(%2)&0xFFFF", operands);
}

void Assembler::load_address(const Operands& operands) {
  const Address address = address_of(operands[1]);
  if (!address.base) {
    if (known_number(address.offset)) return load_number(operands);
    return expand("lui %1,%hi(%2)\naddiu %1,%1,%lo(%2)", operands);
  }
  const bool through_target = scalar_register(operands[0]) != address.base;
  const Operands parts = {operands[0], address.offset.empty() ? "0" : address.offset,
                          address.base_name, through_target ? operands[0] : "$at"};
  const std::optional<uint64_t> known = known_number(parts[1]);
  if (known && fits_signed(*known)) return expand("addiu %1,%3,%2", parts);
  expand("lui %4,%hi(%2)\naddiu %4,%4,%lo(%2)\naddu %1,%4,%3", parts);
}

// lw $4, label and lw $4, 0x12345($5): the upper half of the address goes through the register that
// is loaded if that is possible, or $at.
bool Assembler::expand_memory_access(const Insn& insn, const OperandList& list,
                                     const Operands& operands) {
  if (list.num != 2 || list.operands[1].kind != OperandKind::base_offset) return false;
  const Address address = address_of(operands[1]);
  if (address.base && address.offset.empty()) return false;
  const std::optional<uint64_t> known = known_number(address.offset);
  const bool is_short = known ? fits_signed(*known) : address.offset.front() == '%';
  if (address.base && is_short) return false;
  const std::optional<uint32_t> target = scalar_register(operands[0]);
  const bool through_target = (insn.traits & kLoad) != 0 && (insn.reads & kRt) == 0 && target &&
                              *target != 0 && target != address.base;
  const Operands parts = {operands[0], address.offset, address.base_name,
                          through_target ? operands[0] : "$at"};
  const std::string name = "!" + std::string(insn.mnemonic);
  if (is_short)
    expand(name + " %1,%2($0)", parts);
  else
    expand((address.base ? "lui %4,%hi(%2)\naddu %4,%4,%3\n" : "lui %4,%hi(%2)\n") + name +
               " %1,%lo(%2)(%4)",
           parts);
  return true;
}

bool Assembler::expand_unaligned(std::string_view mnemonic, const Operands& operands) {
  const auto* const row =
      std::find_if(std::begin(kUnaligned), std::end(kUnaligned),
                   [&](const Unaligned& unaligned) { return unaligned.mnemonic == mnemonic; });
  if (row == std::end(kUnaligned) || !matches("ra", operands)) return false;
  constexpr std::string_view kAt = "$at";
  Address address = address_of(operands[1]);
  if (address.offset.empty()) address.offset = "0";
  const std::optional<uint64_t> known = known_number(address.offset);
  if (!address.base || !known || !fits_signed(*known) || !fits_signed(*known + row->len - 1)) {
    if (mnemonic == "ush")
      throw Mistake{operands[1].data(),
                    "the address of ush is number($register) with a number of 16 bits"};
    if (!may_use_at_) throw Mistake{nullptr, kNoAt};
    load_address({kAt, operands[1]});
    address = {"0", kAt, scalar_register(kAt)};
  }
  const std::string base = "(" + std::string(address.base_name) + ")",
                    first = std::string(address.offset) + base,
                    last = "(" + std::string(address.offset) + ")+" + std::to_string(row->len - 1) +
                           base;
  const bool swaps = options_.little_endian, same = scalar_register(operands[0]) == address.base;
  const bool at_first = mnemonic == "ulw" ? same : address.base != scalar_register(kAt);
  expand(row->expansion, {operands[0], swaps ? last : first, swaps ? first : last,
                          at_first ? kAt : operands[0], at_first ? operands[0] : kAt});
  if (mnemonic == "ulw" && same) expand("nop\nmove %1,$at", operands);
  return true;
}

}  // namespace incore::vemicry
