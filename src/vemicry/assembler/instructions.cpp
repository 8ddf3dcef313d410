// Instructions: from mnemonic and operands to a word, by the records in insns().
#include <algorithm>
#include <unordered_map>

#include "vemicry/assembler/assembler.h"

namespace incore::vemicry {
namespace {

struct Form {
  const Insn* insn;
  OperandList operands;
};

const std::unordered_map<std::string_view, std::vector<Form>>& forms() {
  static const auto map = [] {
    std::unordered_map<std::string_view, std::vector<Form>> result;
    size_t num_insns = 0;
    const Insn* const* const all = insns(&num_insns);
    for (size_t i = 0; i < num_insns; ++i)
      result[all[i]->mnemonic].push_back({all[i], operands_of(all[i]->operands)});
    return result;
  }();
  return map;
}

// "v0 is a register name with a vector register's place" and the like.
std::string usage(const Insn& insn) {
  std::string text = std::string(insn.mnemonic) + " ";
  for (const char* c = insn.operands; *c != '\0'; ++c) {
    text += *c;
    if (*c == ',') text += ' ';
  }
  return text;
}

std::string range_text(int64_t low, int64_t high) {
  return std::to_string(low) + " to " + std::to_string(high);
}

}  // namespace

void Assembler::assemble_instruction(std::string_view mnemonic, const Operands& operands,
                                     bool may_expand) {
  if (may_expand && expand_pseudo(mnemonic, operands)) return;
  const auto found = forms().find(mnemonic);
  if (found == forms().end())
    throw Mistake{nullptr, "there is no instruction '" + std::string(mnemonic) + "'"};
  const Form* form = &found->second.front();
  for (const Form& candidate : found->second) {  // those of cfc2 differ in the register they name
    const Operand& last = candidate.operands.operands[candidate.operands.num - 1];
    if (last.kind == OperandKind::fixed_register && !operands.empty() &&
        scalar_register(operands.back()) == last.fixed)
      form = &candidate;
  }
  if (operands.size() != form->operands.num)
    throw Mistake{nullptr, std::string(mnemonic) + " takes " + std::to_string(form->operands.num) +
                               (form->operands.num == 1 ? " operand: " : " operands: ") +
                               usage(*form->insn)};
  if (may_expand && expand_memory_access(*form->insn, form->operands, operands)) return;
  encode(*form->insn, form->operands, operands);
  if (reorders_ && may_expand && (form->insn->traits & kBranch) != 0) output_.put(0, 4);
}

uint32_t Assembler::register_bits(const Operand& operand, std::string_view text) const {
  const std::string quoted = "'" + std::string(text) + "'";
  if (operand.kind == OperandKind::vector_register) {
    const std::optional<uint32_t> number = vector_register(text);
    if (!number)
      throw Mistake{text.data(),
                    quoted + " is not a vector register: v0 to v" + std::to_string(options_.q - 1)};
    if (*number >= options_.q)
      throw Mistake{text.data(), quoted + " does not exist: this machine has v0 to v" +
                                     std::to_string(options_.q - 1)};
    return *number << operand.low;
  }
  if (operand.kind == OperandKind::base && text.size() > 1 && text.front() == '(' &&
      text.back() == ')')
    text = trimmed(text.substr(1, text.size() - 2));
  const std::optional<uint32_t> number = scalar_register(text);
  if (!number)
    throw Mistake{text.data(), quoted + " is not a scalar register" +
                                   (operand.kind == OperandKind::base ? " in brackets" : "")};
  if (operand.kind == OperandKind::fixed_register) {
    if (*number != operand.fixed)
      throw Mistake{text.data(), "the vector unit has no control register " + quoted +
                                     " to be accessed so: $1 CAR, $2 length, $3 p, $4 q, $5 r are "
                                     "read, $2 is written; mfvcr and mtvcr access VCR"};
    return 0;
  }
  return *number << operand.low;
}

uint32_t Assembler::number_bits(const Operand& operand, uint64_t value, uint32_t address,
                                const char* where) const {
  const uint32_t mask = static_cast<uint32_t>((uint64_t{1} << operand.width) - 1);
  int64_t number = static_cast<int64_t>(value);
  int64_t low = 0, high = mask;
  switch (operand.kind) {
    case OperandKind::branch_label:
    case OperandKind::jump_label: {
      const uint32_t target = static_cast<uint32_t>(value), slot = address + 4;
      if (target % 4 != 0) throw Mistake{where, "the target is not at a multiple of 4"};
      if (operand.kind == OperandKind::jump_label) {
        if ((target ^ slot) >> 28 != 0)
          throw Mistake{where, "the target is not in the same 256 MiB as the jump"};
        return target >> 2 & mask;
      }
      const int64_t distance = int64_t{static_cast<int32_t>(target - slot)} / 4;
      if (distance < -32768 || distance > 32767)
        throw Mistake{where, "the target is " + std::to_string(distance) +
                                 " instructions away; a branch reaches -32768 to 32767"};
      return static_cast<uint32_t>(distance) & mask;
    }
    case OperandKind::signed_number:
    case OperandKind::base_offset:
      low = -(int64_t{mask} + 1) / 2;
      high = mask / 2;
      if (number > 0xFFFF7FFF && number <= 0xFFFFFFFF) number -= int64_t{1} << 32;
      break;
    default:
      break;
  }
  if (number < low || number > high)
    throw Mistake{where, std::to_string(number) + " is out of range: " + range_text(low, high)};
  return (static_cast<uint32_t>(number) & mask) << operand.low;
}

void Assembler::check_count(const Insn& insn, const Operand& operand, const Value& value,
                            const char* where) const {
  if (operand.name != "n") return;
  if (!has_count(insn, value.number))
    throw Mistake{where, "vtransp takes the counts 0, 1, 2 and 4"};
  if (counts_words(insn) && value.number > options_.p)
    throw Mistake{where, "the count is " + std::to_string(value.number) +
                             "; this machine has registers of " + std::to_string(options_.p) +
                             " words"};
}

void Assembler::encode(const Insn& insn, const OperandList& list, const Operands& operands) {
  align_to(4, true);
  const Value place = output_.here();
  uint32_t word = insn.word;
  for (size_t i = 0; i < list.num; ++i) {
    const Operand& operand = list.operands[i];
    std::string_view text = operands[i];
    switch (operand.kind) {
      case OperandKind::scalar_register:
      case OperandKind::vector_register:
      case OperandKind::base:
      case OperandKind::fixed_register:
        try {
          word |= register_bits(operand, text);
        } catch (Mistake& mistake) {
          if (&insn == &vstore) mistake.text += "; the order is " + usage(insn);
          throw;
        }
        continue;
      case OperandKind::base_offset: {
        const size_t open = text.rfind('(');
        if (open == std::string_view::npos || text.back() != ')')
          throw Mistake{text.data(),
                        "'" + std::string(text) + "' is not an address: number($register)"};
        word |= register_bits({"rs", OperandKind::scalar_register, 21, 5},
                              trimmed(text.substr(open + 1, text.size() - open - 2)));
        text = trimmed(text.substr(0, open));
        if (text.empty()) continue;
        break;
      }
      default:
        break;
    }
    Expression expression = whole_expression(text);
    const std::optional<Value> value = evaluate(expression, nullptr);
    const bool is_label =
        operand.kind == OperandKind::branch_label || operand.kind == OperandKind::jump_label;
    if (value && value->section == kAbsolute && !is_label) {
      check_count(insn, operand, *value, text.data());
      word |= number_bits(operand, value->number, 0, text.data());
    } else {
      if (operand.name == "n") throw Mistake{text.data(), "the value must be known here"};
      // The record's list lives as long as the program.
      wait_for({place, 4, &operand, std::move(expression), statement_});
    }
  }
  output_.put(word, 4);
}

}  // namespace incore::vemicry
