// The assembler goes through the source once; places that need labels defined later are patched at
// the end, when the sections have their addresses.
#include "vemicry/assemble.h"

#include <algorithm>

#include "vemicry/assembler/assembler.h"

namespace incore::vemicry {
namespace {

constexpr size_t kMaxErrors = 50;
constexpr size_t kMaxFixups = 1'000'000;

// Names that compilers and macros make up stay inside.
bool is_private(const AsmSymbol& symbol) {
  return symbol.name.substr(0, 2) == ".L" || symbol.name.substr(0, 2) == "$L" ||
         SymbolTable::is_numeric(symbol);
}

// A message, which may quote the source, as one line that is not endless.
std::string readable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) c = '?';
  constexpr size_t kMaxLen = 300;
  if (text.size() > kMaxLen) text = text.substr(0, kMaxLen) + "...";
  return text;
}

}  // namespace

Assembler::Assembler(std::string_view source, const AssembleOptions& options)
    : options_(options), input_(source), output_(options.little_endian) {
  for (const auto& [name, value] : options.symbols) {
    AsmSymbol& symbol = symbols_.get(name);
    symbol.defined = symbol.constant = true;
    symbol.value = {kAbsolute, value};
  }
}

void Assembler::report(const Mistake& mistake, const Statement& statement) {
  Diagnostic error;
  error.line = statement.line;
  const char* where = mistake.where;
  const char* const end = statement.text.data() + statement.text.size();
  if (where == nullptr || std::less<>()(where, statement.text.data()) || std::less<>()(end, where))
    where = statement.text.data();
  if (statement.line_begin != nullptr)
    error.column = static_cast<uint32_t>(where - statement.line_begin) + 1;
  error.text = readable(mistake.text) + input_.describe(statement.context);
  errors_.push_back(std::move(error));
}

Assembly Assembler::run() {
  Assembly result;
  bool more = true;
  while (more && errors_.size() < kMaxErrors) {
    try {
      more = input_.next(&statement_);
      while (!conditionals_.empty() && conditionals_.back().depth > input_.depth()) {
        conditionals_.pop_back();
        throw Mistake{nullptr,
                      ".endif is missing at the end of the macro or repetition before this"};
      }
      if (more) assemble_statement();
    } catch (const Mistake& mistake) {
      report(mistake, statement_);
      if (mistake.is_fatal) break;
    }
  }
  if (errors_.empty() && !conditionals_.empty()) report({nullptr, ".endif is missing"}, statement_);
  try {
    const std::vector<uint32_t> bases = output_.lay_out();
    patch_all(bases);
    if (errors_.empty()) {
      result.image = output_.image(bases);
      name_symbols(bases, &result.image);
      for (const Line& line : lines_)
        if (const size_t section = static_cast<size_t>(line.place.section);
            output_.sections()[section].is_loaded && !output_.sections()[section].is_zero)
          result.lines.push_back(
              {bases[section] + static_cast<uint32_t>(line.place.number), line.len, line.line});
    }
  } catch (const Mistake& mistake) {
    report(mistake, statement_);
  }
  std::stable_sort(errors_.begin(), errors_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  result.errors = std::move(errors_);
  return result;
}

void Assembler::assemble_statement() {
  Cursor cursor(statement_.text);
  if (is_skipping()) {
    const std::string word = lower_case(cursor.take_name());
    do_conditional(word, cursor);
    return;
  }
  while (take_label(cursor)) {
  }
  if (cursor.at_end()) return;
  here_ = output_.here();
  const char* const where = cursor.where();
  // A mistake without a place of its own is the instruction's, not its label's.
  statement_.text.remove_prefix(static_cast<size_t>(where - statement_.text.data()));
  const std::string_view word = cursor.take_name();
  if (word.empty()) cursor.fail("'" + std::string(cursor.rest()) + "' is not a statement");
  if (cursor.peek() != '\0' && !is_space(cursor.peek()) && cursor.peek() != '=' &&
      cursor.peek() != '"')
    throw Mistake{where, "'" + std::string(cursor.rest()) + "' is not expected behind '" +
                             std::string(word) + "'"};
  if (cursor.take("=")) {
    (void)cursor.take("=");
    return assign(word, cursor, false);
  }
  const std::string name = lower_case(word);
  if (const auto macro = macros_.find(name); macro != macros_.end())
    return input_.call(macro->second, cursor.rest(), statement_);
  if (name[0] == '.' && do_conditional(name, cursor)) return;
  if (is_skipped_in_unloaded(name)) return;
  const uint64_t offset = output_.here().number;
  const int section = output_.current();
  if (name[0] == '.')
    do_directive(name, cursor);
  else
    assemble_instruction(name, split_at_commas(cursor.rest()), true);
  if (output_.current() != section) return;
  if (const uint64_t len = output_.here().number - offset; len != 0) {
    fresh_labels_.clear();
    lines_.push_back(
        {{section, offset}, static_cast<uint32_t>(len), input_.line_in_file(statement_)});
  }
}

bool Assembler::take_label(Cursor& cursor) {
  Cursor ahead = cursor;
  ahead.skip_spaces();
  const char* const where = ahead.where();
  size_t len = 0;
  while (is_digit(ahead.peek(len))) ++len;
  std::string_view name;
  if (len != 0) {
    name = ahead.rest().substr(0, len);
    ahead.skip(len);
  } else {
    name = ahead.take_name();
  }
  if (name.empty() || !ahead.take(":")) return false;
  cursor = ahead;
  AsmSymbol& symbol = len != 0 ? symbols_.numeric(name, true) : symbols_.get(name);
  if (len != 0) symbols_.begin_numeric(name);
  define(symbol, output_.here(), where);
  fresh_labels_.push_back(&symbol);
  return true;
}

void Assembler::define(AsmSymbol& symbol, Value value, const char* where) {
  if (symbol.defined)
    throw Mistake{where, "'" + symbol.name + "' is already defined, " +
                             (symbol.line == 0 ? "before the first line"
                                               : "in line " + std::to_string(symbol.line))};
  if (symbol.name == "." || symbol.name.empty()) throw Mistake{where, "this cannot be a label"};
  symbol.defined = true;
  symbol.value = value;
  symbol.line = statement_.line;
}

void Assembler::assign(std::string_view name, Cursor& cursor, bool only_once) {
  if (name.empty()) cursor.fail("the name is missing");
  const std::string_view text = cursor.rest();
  const std::optional<Value> value = evaluate(whole_expression(text), nullptr);
  if (!value) throw Mistake{text.data(), "the value must be known here"};
  cursor.skip(text.size());
  if (name == ".") {
    if (value->section != output_.current() || value->number < output_.here().number)
      throw Mistake{text.data(), "'.' can only go forward in this section"};
    output_.fill(value->number - output_.here().number, 0);
    return;
  }
  AsmSymbol& symbol = symbols_.get(name);
  if (symbol.constant && !only_once) symbol.defined = false;
  define(symbol, *value, name.data());
  symbol.constant = true;
}

void Assembler::wait_for(Fixup fixup) {
  if (fixups_.size() == kMaxFixups)
    throw Mistake{nullptr, "more than a million places need addresses", true};
  fixups_.push_back(std::move(fixup));
}

void Assembler::patch(const Fixup& fixup, uint64_t value, uint32_t address) {
  if (fixup.operand != nullptr) {
    const uint32_t word = output_.word_at(fixup.place);
    output_.replace(fixup.place,
                    word | number_bits(*fixup.operand, value, address, fixup.expression.where), 4);
    return;
  }
  const uint32_t bits = 8 * fixup.size;
  const int64_t number = static_cast<int64_t>(value);
  if (bits < 64 && (number >= int64_t{1} << bits || number < -(int64_t{1} << (bits - 1))))
    throw Mistake{fixup.expression.where,
                  std::to_string(number) + " does not fit into " + std::to_string(bits) + " bits"};
  output_.replace(fixup.place, value, fixup.size);
}

void Assembler::patch_all(const std::vector<uint32_t>& bases) {
  for (const Fixup& fixup : fixups_) {
    if (errors_.size() >= kMaxErrors) return;
    try {
      const uint32_t address = bases[static_cast<size_t>(fixup.place.section)] +
                               static_cast<uint32_t>(fixup.place.number);
      patch(fixup, evaluate(fixup.expression, &bases)->number, address);
    } catch (const Mistake& mistake) {
      report(mistake, fixup.statement);
    }
  }
}

void Assembler::name_symbols(const std::vector<uint32_t>& bases, Image* out_image) const {
  for (const AsmSymbol& symbol : symbols_.all()) {
    if (!symbol.defined || symbol.value.section == kAbsolute || is_private(symbol)) continue;
    const size_t section = static_cast<size_t>(symbol.value.section);
    if (!output_.sections()[section].is_loaded) continue;
    out_image->symbols.push_back({symbol.name,
                                  bases[section] + static_cast<uint32_t>(symbol.value.number),
                                  symbol.len, symbol.is_function});
  }
  out_image->sort_symbols();
  for (const char* name : {"__start", "_start", "main"})
    if (const Symbol* const symbol = out_image->find(name)) {
      out_image->entry = symbol->address;
      break;
    }
}

Assembly assemble(std::string_view source, const AssembleOptions& options) {
  if (const size_t zero = source.find('\0'); zero != std::string_view::npos)
    return {{}, {}, {{1, 1, "this is no text: byte " + std::to_string(zero) + " is zero"}}};
  return Assembler(source, options).run();
}

}  // namespace incore::vemicry
