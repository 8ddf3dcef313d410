// Directives.
#include <algorithm>

#include "vemicry/assembler/assembler.h"

namespace incore::vemicry {
namespace {

constexpr uint64_t kMaxAlignment = 4096;
const std::vector<std::string_view> kRepetitions = {".rept", ".irp"};

// Sections of debuggers and linkers: not loaded.
bool is_for_tools(std::string_view name) {
  for (const std::string_view begin :
       {".debug", ".mdebug", ".comment", ".note", ".gnu", ".pdr", ".stab", ".reginfo", ".MIPS"})
    if (name.substr(0, begin.size()) == begin) return true;
  return false;
}

}  // namespace

struct Assembler::Directive {
  std::string_view name;
  void (*act)(Assembler& a, Cursor& cursor);  // null: accepted, and nothing is done
};

const Assembler::Directive Assembler::kDirectives[] = {
    {".text", [](Assembler& a, Cursor&) { a.output_.select(".text"); }},
    {".data", [](Assembler& a, Cursor&) { a.output_.select(".data"); }},
    {".sdata", [](Assembler& a, Cursor&) { a.output_.select(".sdata"); }},
    {".rdata", [](Assembler& a, Cursor&) { a.output_.select(".rodata"); }},
    {".bss", [](Assembler& a, Cursor&) { a.output_.select(".bss"); }},
    {".section", [](Assembler& a, Cursor& c) { a.select_section(c); }},
    {".previous", [](Assembler& a, Cursor&) {
       a.output_.select(std::string(a.output_.sections()[static_cast<size_t>(a.previous_section_)].name));
     }},
    {".pushsection", [](Assembler& a, Cursor& c) {
       a.section_stack_.push_back(a.output_.current());
       a.select_section(c);
     }},
    {".popsection", [](Assembler& a, Cursor& c) {
       if (a.section_stack_.empty()) c.fail("there is no .pushsection before this");
       a.output_.select(std::string(a.output_.sections()[static_cast<size_t>(a.section_stack_.back())].name));
       a.section_stack_.pop_back();
     }},
    {".byte", [](Assembler& a, Cursor& c) { a.put_numbers(c, 1); }},
    {".half", [](Assembler& a, Cursor& c) { a.put_numbers(c, 2); }},
    {".hword", [](Assembler& a, Cursor& c) { a.put_numbers(c, 2); }},
    {".short", [](Assembler& a, Cursor& c) { a.put_numbers(c, 2); }},
    {".word", [](Assembler& a, Cursor& c) { a.put_numbers(c, 4); }},
    {".long", [](Assembler& a, Cursor& c) { a.put_numbers(c, 4); }},
    {".int", [](Assembler& a, Cursor& c) { a.put_numbers(c, 4); }},
    {".4byte", [](Assembler& a, Cursor& c) { a.put_numbers(c, 4); }},
    {".dword", [](Assembler& a, Cursor& c) { a.put_numbers(c, 8); }},
    {".ascii", [](Assembler& a, Cursor& c) { a.put_strings(c, false); }},
    {".asciiz", [](Assembler& a, Cursor& c) { a.put_strings(c, true); }},
    {".asciz", [](Assembler& a, Cursor& c) { a.put_strings(c, true); }},
    {".string", [](Assembler& a, Cursor& c) { a.put_strings(c, true); }},
    {".space", [](Assembler& a, Cursor& c) { a.put_space(c); }},
    {".skip", [](Assembler& a, Cursor& c) { a.put_space(c); }},
    {".zero", [](Assembler& a, Cursor& c) { a.put_space(c); }},
    {".fill", [](Assembler& a, Cursor& c) { a.put_fill(c); }},
    {".comm", [](Assembler& a, Cursor& c) { a.put_common(c, true); }},
    {".lcomm", [](Assembler& a, Cursor& c) { a.put_common(c, false); }},
    {".align", [](Assembler& a, Cursor& c) { a.align(c, true); }},
    {".p2align", [](Assembler& a, Cursor& c) { a.align(c, true); }},
    {".balign", [](Assembler& a, Cursor& c) { a.align(c, false); }},
    {".org", [](Assembler& a, Cursor& c) { a.org(c); }},
    {".set", [](Assembler& a, Cursor& c) { a.set(c); }},
    {".equ", [](Assembler& a, Cursor& c) { a.set(c); }},
    {".equiv", [](Assembler& a, Cursor& c) {
       const std::string_view name = c.take_name();
       if (!c.take(",")) c.fail("a comma is missing");
       a.assign(name, c, true);
     }},
    {".eqv", [](Assembler& a, Cursor& c) {
       const std::string_view name = c.take_name();
       (void)c.take(",");
       a.assign(name, c, true);
     }},
    {".macro", [](Assembler& a, Cursor& c) { a.define_macro(c); }},
    {".endm", [](Assembler&, Cursor&) { throw Mistake{nullptr, "there is no .macro before this"}; }},
    {".exitm", [](Assembler& a, Cursor& c) {
       if (!a.input_.leave_macro()) c.fail(".exitm leaves macros, and this is none");
       while (!a.conditionals_.empty() && a.conditionals_.back().depth > a.input_.depth())
         a.conditionals_.pop_back();
     }},
    {".rept", [](Assembler& a, Cursor& c) {
       uint32_t line = 0;
       std::string body = a.input_.take_block(kRepetitions, ".endr", &line);
       const std::optional<uint64_t> number = a.known_number(c.rest());
       if (!number) c.fail("the number of repetitions must be known here");
       if (static_cast<int64_t>(*number) < 0) c.fail("the number of repetitions is negative");
       c.skip(c.rest().size());
       a.input_.repeat(std::move(body), line, *number);
     }},
    {".irp", [](Assembler& a, Cursor& c) {
       Macro macro{".irp", {}, "", 0};
       macro.body = a.input_.take_block(kRepetitions, ".endr", &macro.body_line);
       macro.parameters.push_back({std::string(c.take_name()), ""});
       if (macro.parameters[0].name.empty()) c.fail("the form is .irp NAME, VALUE, VALUE ...");
       (void)c.take(",");
       a.input_.repeat_with(macro, split_at_commas(c.rest()));
       c.skip(c.rest().size());
     }},
    {".endr", [](Assembler&, Cursor&) {
       throw Mistake{nullptr, "there is no .rept or .irp before this"};
     }},
    {".global", [](Assembler& a, Cursor& c) {
       do a.symbols().get(c.take_name()).is_global = true;
       while (c.take(","));
     }},
    {".ent", [](Assembler& a, Cursor& c) { a.mark_function(c, true); }},
    {".end", [](Assembler& a, Cursor& c) { a.mark_function(c, false); }},
    {".type", [](Assembler& a, Cursor& c) { a.mark_type(c); }},
    {".size", [](Assembler& a, Cursor& c) { a.mark_size(c); }},
    {".error", [](Assembler&, Cursor& c) { c.fail(c.take_string()); }},
    {".include", [](Assembler& a, Cursor& c) { a.include(c); }},
    {".incbin", [](Assembler&, Cursor& c) {
       c.fail("other files are not read: put the bytes here");
     }},
};

namespace {

// What compilers write and what makes no difference here.
constexpr std::string_view kIgnored[] = {
    ".file",     ".ident",    ".frame",     ".mask",    ".fmask",  ".nan",           ".module",
    ".abicalls", ".loc",      ".local",     ".option",  ".weak",   ".gnu_attribute", ".insn",
    ".hidden",   ".internal", ".protected", ".addrsig", ".extern",
};

}  // namespace

// Other sections than those that are loaded hold what only debuggers understand.
bool Assembler::is_skipped_in_unloaded(std::string_view name) {
  constexpr std::string_view kSelecting[] = {".text",        ".data",       ".sdata",
                                             ".rdata",       ".bss",        ".section",
                                             ".pushsection", ".popsection", ".previous"};
  return !output_.section().is_loaded &&
         std::find(std::begin(kSelecting), std::end(kSelecting), name) == std::end(kSelecting);
}

void Assembler::do_directive(std::string_view name, Cursor& cursor) {
  if (name == ".globl") name = ".global";
  for (const Directive& directive : kDirectives) {
    if (directive.name != name) continue;
    const int section = output_.current();
    directive.act(*this, cursor);
    if (output_.current() != section) {
      previous_section_ = section;
      fresh_labels_.clear();
    }
    cursor.expect_end();
    return;
  }
  if (std::find(std::begin(kIgnored), std::end(kIgnored), name) == std::end(kIgnored) &&
      name.substr(0, 5) != ".cfi_")
    throw Mistake{nullptr, "there is no directive '" + std::string(name) + "'"};
}

void Assembler::select_section(Cursor& cursor) {
  cursor.skip_spaces();
  size_t len = 0;
  while (cursor.peek(len) != '\0' && cursor.peek(len) != ',' && !is_space(cursor.peek(len))) ++len;
  const std::string_view name = cursor.rest().substr(0, len);
  if (name.empty()) cursor.fail("the section has no name");
  cursor.skip(len);
  const size_t num_before = output_.sections().size();
  output_.select(name == ".rdata" ? ".rodata" : name);
  const bool is_new = output_.sections().size() != num_before;
  Section& section = output_.section();
  if (cursor.take(",")) {
    const std::string flags = cursor.take_string();
    cursor.skip(cursor.rest().size());  // type and entry size
    if (!is_new) return;
    section.is_loaded = flags.find('a') != std::string::npos;
    section.is_writable = flags.find('w') != std::string::npos;
    section.is_executable = flags.find('x') != std::string::npos;
  } else if (is_new && !section.is_loaded && !is_for_tools(name)) {
    throw Mistake{name.data(), "of section '" + std::string(name) +
                                   "' the flags are needed: \"a\" it is loaded, \"w\" written, "
                                   "\"x\" code"};
  }
}

void Assembler::put_numbers(Cursor& cursor, uint32_t size) {
  align_to(std::min(size, 4u), true);
  for (const std::string_view text : split_at_commas(cursor.rest())) {
    Expression expression = whole_expression(text);
    const std::optional<Value> value = evaluate(expression, nullptr);
    const Value place = output_.here();
    output_.put(0, size);
    Fixup fixup{place, size, nullptr, std::move(expression), statement_};
    if (value && value->section == kAbsolute)
      patch(fixup, value->number, 0);
    else
      wait_for(std::move(fixup));
  }
  cursor.skip(cursor.rest().size());
}

void Assembler::put_strings(Cursor& cursor, bool with_zero) {
  do {
    for (const char c : cursor.take_string()) output_.put(static_cast<uint8_t>(c), 1);
    if (with_zero) output_.put(0, 1);
  } while (cursor.take(","));
}

void Assembler::put_space(Cursor& cursor) {
  const Operands operands = split_at_commas(cursor.rest());
  if (operands.empty() || operands.size() > 2) cursor.fail("the form is .space BYTES [, VALUE]");
  const std::optional<uint64_t> num_bytes = known_number(operands[0]);
  const std::optional<uint64_t> byte = operands.size() == 2 ? known_number(operands[1]) : 0;
  if (!num_bytes || !byte) cursor.fail("the value must be known here");
  output_.fill(*num_bytes, static_cast<uint8_t>(*byte));
  cursor.skip(cursor.rest().size());
}

void Assembler::put_fill(Cursor& cursor) {
  const Operands operands = split_at_commas(cursor.rest());
  if (operands.empty() || operands.size() > 3)
    cursor.fail("the form is .fill NUMBER [, SIZE [, VALUE]]");
  const std::optional<uint64_t> number = known_number(operands[0]),
                                size = operands.size() > 1 ? known_number(operands[1]) : 1,
                                value = operands.size() > 2 ? known_number(operands[2]) : 0;
  if (!number || !size || !value) cursor.fail("the value must be known here");
  if (*size != 1 && *size != 2 && *size != 4 && *size != 8)
    throw Mistake{operands[1].data(), "the size of a value is 1, 2, 4 or 8 bytes"};
  if (static_cast<int64_t>(*number) < 0) cursor.fail("the number of values is negative");
  for (uint64_t i = 0; i < *number; ++i) output_.put(*value, static_cast<uint32_t>(*size));
  cursor.skip(cursor.rest().size());
}

void Assembler::put_common(Cursor& cursor, bool is_global) {
  const Operands operands = split_at_commas(cursor.rest());
  if (operands.size() < 2 || operands.size() > 3)
    cursor.fail("the form is .comm NAME, BYTES [, ALIGNMENT]");
  const std::optional<uint64_t> num_bytes = known_number(operands[1]);
  const std::optional<uint64_t> alignment = operands.size() == 3 ? known_number(operands[2]) : 8;
  if (!num_bytes || !alignment || *alignment > kMaxAlignment || *alignment == 0)
    cursor.fail("size and alignment (1 to 4096) must be known here");
  const std::string section = output_.section().name;
  output_.select(".bss");
  align_to(static_cast<uint32_t>(*alignment), false);
  AsmSymbol& symbol = symbols().get(operands[0]);
  define(symbol, output_.here(), operands[0].data());
  symbol.is_global = symbol.is_global || is_global;
  output_.fill(*num_bytes, 0);
  output_.select(section);
  cursor.skip(cursor.rest().size());
}

void Assembler::align(Cursor& cursor, bool is_power) {
  const Operands operands = split_at_commas(cursor.rest());
  if (operands.empty()) cursor.fail("the alignment is missing");
  const std::optional<uint64_t> value = known_number(operands[0]);
  if (!value) cursor.fail("the alignment must be known here");
  const uint64_t alignment = is_power && *value <= 12 ? uint64_t{1} << *value : *value;
  if ((is_power && *value > 12) || alignment == 0 || alignment > kMaxAlignment ||
      (alignment & (alignment - 1)) != 0)
    throw Mistake{operands[0].data(), is_power ? "2 to the power of this is more than 4096 bytes"
                                               : "an alignment is a power of two, 1 to 4096"};
  align_to(static_cast<uint32_t>(alignment), false);
  cursor.skip(cursor.rest().size());
}

void Assembler::align_to(uint32_t alignment, bool moves_labels) {
  Section& section = output_.section();
  section.alignment = std::max(section.alignment, alignment);
  const uint64_t excess = section.bytes.size() % alignment;
  if (excess == 0) return;
  output_.fill(alignment - excess, 0);
  if (!moves_labels) return;
  for (AsmSymbol* const label : fresh_labels_) label->value = output_.here();
  here_ = output_.here();
}

void Assembler::set(Cursor& cursor) {
  const std::string_view name = cursor.take_name();
  if (cursor.take(",")) return assign(name, cursor, false);
  if (name == "reorder" || name == "noreorder")
    reorders_ = name == "reorder";
  else if (name == "at" || name == "noat")
    may_use_at_ = name == "at";
  cursor.skip(cursor.rest().size());  // others are choices of other assemblers
}

void Assembler::org(Cursor& cursor) {
  const std::optional<Value> value = evaluate(whole_expression(cursor.rest()), nullptr);
  if (!value || (value->section != kAbsolute && value->section != output_.current()))
    cursor.fail("the place must be known here: an offset in this section");
  if (value->number < output_.here().number) cursor.fail("this is behind here: .org goes forward");
  output_.fill(value->number - output_.here().number, 0);
  cursor.skip(cursor.rest().size());
}

void Assembler::mark_function(Cursor& cursor, bool begins) {
  const std::string_view name = cursor.take_name();
  if (begins) {
    function_ = &symbols().get(name);
    function_->is_function = true;
  } else if (function_ != nullptr) {
    if (!name.empty() && function_->name != name)
      cursor.fail(".end of another function than .ent began: '" + function_->name + "'");
    if (function_->defined && function_->value.section == output_.current())
      function_->len = static_cast<uint32_t>(output_.here().number - function_->value.number);
    function_ = nullptr;
  }
  cursor.skip(cursor.rest().size());
}

void Assembler::mark_type(Cursor& cursor) {
  AsmSymbol& symbol = symbols().get(cursor.take_name());
  symbol.is_function = cursor.rest().find("function") != std::string_view::npos;
  cursor.skip(cursor.rest().size());
}

void Assembler::mark_size(Cursor& cursor) {
  AsmSymbol& symbol = symbols().get(cursor.take_name());
  if (!cursor.take(",")) cursor.fail("the form is .size NAME, BYTES");
  if (const std::optional<uint64_t> len = known_number(cursor.rest()))
    symbol.len = static_cast<uint32_t>(*len);
  cursor.skip(cursor.rest().size());
}

}  // namespace incore::vemicry
