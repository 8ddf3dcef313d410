// The assembler's state while it goes through a source once. Instructions are in instructions.cpp,
// pseudo-instructions in pseudo.cpp, directives in directives.cpp.
#pragma once

#include <deque>
#include <map>
#include <optional>

#include "vemicry/assemble.h"
#include "vemicry/assembler/input.h"
#include "vemicry/assembler/output.h"
#include "vemicry/insn.h"

namespace incore::vemicry {

class Assembler {
 public:
  explicit Assembler(const AssembleOptions& options);
  Assembly run(std::span<const Source> sources);

 private:
  using Operands = std::vector<std::string_view>;

  // A place that waits for an address.
  struct Fixup {
    Value place;
    uint32_t size;           // bytes, of data
    const Operand* operand;  // null: data
    Expression expression;
    Statement statement;
  };
  struct Conditional {
    bool is_taken, was_taken;  // this branch; any branch so far
    bool has_else = false;
    size_t depth;  // of the input where it began
  };

  // Sources.
  void assemble_source(const Source& source);
  void include(Cursor& cursor);
  // Gives symbols that a source names the values that others give them.
  void join_symbols();
  void note_lines(const std::vector<uint32_t>& bases, Assembly* out_result) const;

  // Statements.
  void wait_for(Fixup fixup);
  void assemble_statement();
  bool take_label(Cursor& cursor);
  void define(AsmSymbol& symbol, Value value, const char* where);
  void assign(std::string_view name, Cursor& cursor, bool only_once);
  void patch(const Fixup& fixup, uint64_t value, uint32_t address);
  void patch_all(const std::vector<uint32_t>& bases);
  void name_symbols(const std::vector<uint32_t>& bases, Image* out_image) const;
  void report(const Mistake& mistake, const Statement& statement);

  // Directives.
  struct Directive;
  static const Directive kDirectives[];
  bool is_skipped_in_unloaded(std::string_view name);
  void do_directive(std::string_view name, Cursor& cursor);
  bool do_conditional(std::string_view name, Cursor& cursor);
  bool is_skipping() const { return !conditionals_.empty() && !conditionals_.back().is_taken; }
  void define_macro(Cursor& cursor);
  void select_section(Cursor& cursor);
  void put_numbers(Cursor& cursor, uint32_t size);
  void put_strings(Cursor& cursor, bool with_zero);
  void put_space(Cursor& cursor);
  void put_fill(Cursor& cursor);
  void put_common(Cursor& cursor, bool is_global);
  void align(Cursor& cursor, bool is_power);
  void set(Cursor& cursor);
  void org(Cursor& cursor);
  void mark_function(Cursor& cursor, bool begins);
  void mark_type(Cursor& cursor);
  void mark_size(Cursor& cursor);
  // Zeros up to a multiple; labels right before them move along.
  void align_to(uint32_t alignment, bool moves_labels);

  // Instructions.
  void assemble_instruction(std::string_view mnemonic, const Operands& operands, bool may_expand);
  void encode(const Insn& insn, const OperandList& list, const Operands& operands);
  uint32_t register_bits(const Operand& operand, std::string_view text) const;
  void check_count(const Insn& insn, const Operand& operand, const Value& value,
                   const char* where) const;
  // The field of |operand| for |value| in an instruction at |address|.
  uint32_t number_bits(const Operand& operand, uint64_t value, uint32_t address,
                       const char* where) const;

  // Pseudo-instructions. True: it was one.
  bool expand_pseudo(std::string_view mnemonic, const Operands& operands);
  bool matches(std::string_view pattern, const Operands& operands);
  void expand(std::string_view expansion, const Operands& operands);
  void load_number(const Operands& operands);
  void load_address(const Operands& operands);
  bool expand_unaligned(std::string_view mnemonic, const Operands& operands);
  bool expand_memory_access(const Insn& insn, const OperandList& list, const Operands& operands);
  std::optional<uint64_t> known_number(std::string_view text);
  Expression whole_expression(std::string_view text);

  const AssembleOptions options_;
  Input input_;
  Output output_;
  // What each source has of its own.
  struct Names {
    SymbolTable symbols;
    std::map<std::string, Macro, std::less<>> macros;
  };
  std::deque<Names> sources_;
  SymbolTable& symbols() { return sources_.back().symbols; }
  std::vector<Conditional> conditionals_;
  std::vector<Fixup> fixups_;
  std::vector<std::pair<size_t, Diagnostic>> errors_;  // with the number of the file
  struct Line {
    Value place;
    uint32_t len, line;
    Input::Place source;
  };
  std::vector<Line> lines_;
  Statement statement_;                   // being assembled
  Value here_;                            // '.' of it
  std::vector<AsmSymbol*> fresh_labels_;  // nothing follows them yet
  std::vector<int> section_stack_;
  int previous_section_ = 0;
  AsmSymbol* function_ = nullptr;  // behind .ent
  bool reorders_ = false;          // .set reorder: delay slots are filled
  bool may_use_at_ = true;
};

// The number of a scalar register: $4, $a0, a0, r4; none if |text| is none.
std::optional<uint32_t> scalar_register(std::string_view text);
// The number of a vector register: v3, $v3.
std::optional<uint32_t> vector_register(std::string_view text);

}  // namespace incore::vemicry
