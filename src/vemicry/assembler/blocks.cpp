// Directives that begin and end blocks: conditions and macros.
#include "vemicry/assembler/assembler.h"

namespace incore::vemicry {

// .if and its relatives, which are looked at even where statements are skipped.
bool Assembler::do_conditional(std::string_view name, Cursor& cursor) {
  const bool skips = is_skipping();
  if (name == ".if" || name == ".ifdef" || name == ".ifndef" || name == ".ifeq" ||
      name == ".ifne" || name == ".ifb" || name == ".ifnb") {
    // If the condition is a mistake, the block is there all the same.
    conditionals_.push_back({false, true, false, input_.depth()});
    if (skips) return true;
    bool is_true = false;
    if (name == ".ifdef" || name == ".ifndef") {
      const AsmSymbol* const symbol = symbols().find(cursor.take_name());
      is_true = (symbol != nullptr && symbol->defined) == (name == ".ifdef");
    } else if (name == ".ifb" || name == ".ifnb") {
      is_true = trimmed(cursor.rest()).empty() == (name == ".ifb");
    } else {
      const std::optional<uint64_t> value = known_number(cursor.rest());
      if (!value) cursor.fail("the condition must be known here");
      is_true = (*value != 0) == (name != ".ifeq");
    }
    conditionals_.back().is_taken = conditionals_.back().was_taken = is_true;
    return true;
  }
  if (name != ".else" && name != ".elseif" && name != ".endif") return false;
  if (conditionals_.empty() || conditionals_.back().depth != input_.depth())
    throw Mistake{nullptr, "there is no .if before this"};
  Conditional& current = conditionals_.back();
  if (name == ".endif") {
    conditionals_.pop_back();
    return true;
  }
  if (current.has_else) throw Mistake{nullptr, "the .if has had its .else"};
  current.has_else = name == ".else";
  current.is_taken = false;
  if (!current.was_taken) {
    if (name == ".elseif") {
      const std::optional<uint64_t> value = known_number(cursor.rest());
      if (!value) cursor.fail("the condition must be known here");
      current.is_taken = *value != 0;
    } else {
      current.is_taken = true;
    }
    current.was_taken = current.is_taken;
  }
  return true;
}

void Assembler::define_macro(Cursor& cursor) {
  Macro macro;
  macro.body = input_.take_block({".macro"}, ".endm", &macro.body_line);
  macro.file = statement_.file;
  macro.name = lower_case(cursor.take_name());
  if (macro.name.empty()) cursor.fail("the macro has no name");
  (void)cursor.take(",");
  while (!cursor.at_end()) {
    Macro::Parameter parameter;
    parameter.name = cursor.take_name();
    if (parameter.name.empty()) cursor.fail("this is not a parameter's name");
    for (const Macro::Parameter& other : macro.parameters)
      if (other.name == parameter.name) cursor.fail("the macro has two parameters of this name");
    if (cursor.take(":")) {
      const std::string_view kind = cursor.take_name();
      parameter.is_required = kind == "req";
      parameter.takes_rest = kind == "vararg";
      if (!parameter.is_required && !parameter.takes_rest)
        cursor.fail("of kinds of parameters there are :req and :vararg");
    }
    if (cursor.take("=")) {
      cursor.skip_spaces();
      size_t len = 0;
      while (cursor.peek(len) != '\0' && cursor.peek(len) != ',') ++len;
      parameter.value = trimmed(cursor.rest().substr(0, len));
      cursor.skip(len);
    }
    macro.parameters.push_back(std::move(parameter));
    (void)cursor.take(",");
  }
  std::string name = macro.name;
  if (!sources_.back().macros.emplace(std::move(name), std::move(macro)).second)
    throw Mistake{nullptr, "the macro is already defined"};
}

}  // namespace incore::vemicry
