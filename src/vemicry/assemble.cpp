// The assembler goes through the source once; places that need labels defined later are patched at
// the end, when the sections have their addresses.
#include "vemicry/assemble.h"

#include <algorithm>

#include "vemicry/assembler/assembler.h"

namespace incore::vemicry {
namespace {

constexpr size_t kMaxErrors = 50;
constexpr size_t kMaxFixups = 1'000'000;
constexpr const char* kNothing = "";  // a statement's text where there is none

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

Assembler::Assembler(const AssembleOptions& options)
    : options_(options), output_(options.little_endian) {}

void Assembler::report(const Mistake& mistake, const Statement& statement) {
  Diagnostic error;
  error.file = input_.file(statement.file).name;
  error.line = statement.line;
  const char* where = mistake.where;
  const char* const end = statement.text.data() + statement.text.size();
  if (where == nullptr || std::less<>()(where, statement.text.data()) || std::less<>()(end, where))
    where = statement.text.data();
  if (statement.line_begin != nullptr)
    error.column = static_cast<uint32_t>(where - statement.line_begin) + 1;
  error.text = readable(mistake.text) + input_.describe(statement);
  errors_.emplace_back(statement.file, std::move(error));
}

void Assembler::assemble_source(const Source& source) {
  sources_.emplace_back();
  for (const auto& [name, value] : options_.symbols) {
    AsmSymbol& symbol = symbols().get(name);
    symbol.defined = symbol.constant = true;
    symbol.value = {kAbsolute, value};
  }
  output_.select(".text");
  previous_section_ = output_.current();
  section_stack_.clear();
  conditionals_.clear();
  fresh_labels_.clear();
  function_ = nullptr;
  reorders_ = false;
  may_use_at_ = true;
  statement_ = {kNothing, 1, input_.num_files(), kNothing, 0};
  bool more = true;
  try {
    input_.begin(source);
  } catch (const Mistake& mistake) {
    return report(mistake, statement_);
  }
  while (more && errors_.size() < kMaxErrors) {
    try {
      more = input_.next(&statement_);
      while (!conditionals_.empty() && conditionals_.back().depth > input_.depth()) {
        conditionals_.pop_back();
        throw Mistake{nullptr,
                      ".endif is missing at the end of the macro, repetition or file before this"};
      }
      if (more) assemble_statement();
    } catch (const Mistake& mistake) {
      report(mistake, statement_);
      if (mistake.is_fatal) break;
    }
  }
  if (errors_.empty() && !conditionals_.empty()) report({nullptr, ".endif is missing"}, statement_);
}

Assembly Assembler::run(std::span<const Source> sources) {
  Assembly result;
  for (const Source& source : sources) assemble_source(source);
  join_symbols();
  try {
    const std::vector<uint32_t> bases = output_.lay_out();
    patch_all(bases);
    if (errors_.empty()) {
      result.image = output_.image(bases);
      name_symbols(bases, &result.image);
      note_lines(bases, &result);
    }
  } catch (const Mistake& mistake) {
    report(mistake, statement_);
  }
  std::stable_sort(errors_.begin(), errors_.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.line) < std::pair(b.first, b.second.line);
  });
  for (auto& [file, error] : errors_) result.errors.push_back(std::move(error));
  return result;
}

void Assembler::note_lines(const std::vector<uint32_t>& bases, Assembly* out_result) const {
  Image& image = out_result->image;
  for (size_t i = 0; i < input_.num_files(); ++i) image.files.push_back(input_.file(i).name);
  for (const Line& line : lines_) {
    const size_t number = static_cast<size_t>(line.place.section);
    const Section& section = output_.sections()[number];
    if (!section.is_loaded || section.is_zero) continue;
    const uint32_t address = bases[number] + static_cast<uint32_t>(line.place.number);
    out_result->lines.push_back({address, line.len, line.line});
    if (section.is_executable)
      image.places.push_back(
          {address, line.len, static_cast<uint32_t>(line.source.file), line.source.line});
  }
  image.sort_places();
}

void Assembler::include(Cursor& cursor) {
  if (!options_.read_file) cursor.fail("other files are not read: put the text here");
  const std::string given = cursor.take_string();
  if (given.empty() || given.find('\0') != std::string::npos) cursor.fail("this is no file's name");
  const std::string& from = input_.file(statement_.file).path;
  const size_t slash = from.rfind('/');
  const std::string path =
      given[0] == '/' || slash == std::string::npos ? given : from.substr(0, slash + 1) + given;
  std::string text;
  if (const std::string error = options_.read_file(path, &text); !error.empty())
    throw Mistake{nullptr, path + ": " + error};
  cursor.expect_end();
  input_.include({readable(path), path, text}, statement_);
}

void Assembler::join_symbols() {
  std::map<std::string_view, const AsmSymbol*> shared;
  for (const Names& names : sources_) {
    for (const AsmSymbol& symbol : names.symbols.all()) {
      if (!symbol.is_global || !symbol.defined || symbol.line == 0) continue;
      if (const auto [other, is_new] = shared.emplace(symbol.name, &symbol); !is_new)
        report({nullptr, "'" + symbol.name + "' is already defined, in " +
                             input_.place(other->second->file, other->second->line, symbol.file)},
               {kNothing, symbol.line, symbol.file, kNothing, 0});
    }
  }
  for (Names& names : sources_) {
    for (AsmSymbol& symbol : names.symbols.all()) {
      const auto found = shared.find(symbol.name);
      if (symbol.defined || found == shared.end()) continue;
      symbol.defined = symbol.is_elsewhere = true;
      symbol.value = found->second->value;
    }
  }
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
  if (const auto macro = sources_.back().macros.find(name); macro != sources_.back().macros.end())
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
    lines_.push_back({{section, offset},
                      static_cast<uint32_t>(len),
                      input_.line_in_source(statement_),
                      input_.place_of(statement_)});
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
  AsmSymbol& symbol = len != 0 ? symbols().numeric(name, true) : symbols().get(name);
  if (len != 0) symbols().begin_numeric(name);
  define(symbol, output_.here(), where);
  fresh_labels_.push_back(&symbol);
  return true;
}

void Assembler::define(AsmSymbol& symbol, Value value, const char* where) {
  if (symbol.defined)
    throw Mistake{where, "'" + symbol.name + "' is already defined, " +
                             (symbol.line == 0 ? "before the first line"
                                               : "in " + input_.place(symbol.file, symbol.line,
                                                                      statement_.file))};
  if (symbol.name == "." || symbol.name.empty()) throw Mistake{where, "this cannot be a label"};
  symbol.defined = true;
  symbol.value = value;
  symbol.file = statement_.file;
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
  AsmSymbol& symbol = symbols().get(name);
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
  for (const Names& names : sources_) {
    for (const AsmSymbol& symbol : names.symbols.all()) {
      if (!symbol.defined || symbol.is_elsewhere || symbol.value.section == kAbsolute ||
          is_private(symbol))
        continue;
      const size_t section = static_cast<size_t>(symbol.value.section);
      if (!output_.sections()[section].is_loaded) continue;
      out_image->symbols.push_back(
          {symbol.name, bases[section] + static_cast<uint32_t>(symbol.value.number), symbol.len,
           symbol.is_function, sources_.size() > 1 && !symbol.is_global});
    }
  }
  out_image->sort_symbols();
  for (const char* name : {"__start", "_start", "main"})
    if (const Symbol* const symbol = out_image->find(name)) {
      out_image->entry = symbol->address;
      break;
    }
}

Assembly assemble(std::span<const Source> sources, const AssembleOptions& options) {
  return Assembler(options).run(sources);
}

Assembly assemble(std::string_view source, const AssembleOptions& options) {
  const Source only = {"", "", source};
  return assemble(std::span(&only, 1), options);
}

}  // namespace incore::vemicry
