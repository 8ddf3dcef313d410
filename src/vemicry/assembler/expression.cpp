#include "vemicry/assembler/expression.h"

namespace incore::vemicry {
namespace {

using Op = Expression::Op;

struct Operator {
  std::string_view text;
  int binds;  // the more the higher
  Op op;
};
// Longer ones before those that begin them.
constexpr Operator kOperators[] = {
    {"||", 1, Op::logical_or},  {"&&", 2, Op::logical_and}, {"==", 3, Op::equal},
    {"!=", 3, Op::not_equal},   {"<>", 3, Op::not_equal},   {"<<", 6, Op::shift_left},
    {">>", 6, Op::shift_right}, {"<=", 3, Op::less_equal},  {">=", 3, Op::greater_equal},
    {"<", 3, Op::less},         {">", 3, Op::greater},      {"+", 4, Op::add},
    {"-", 4, Op::subtract},     {"|", 5, Op::bit_or},       {"&", 5, Op::bit_and},
    {"^", 5, Op::bit_xor},      {"*", 6, Op::multiply},     {"/", 6, Op::divide},
    {"%", 6, Op::remainder},
};
constexpr int kMaxDepth = 200;

class Parser {
 public:
  Parser(Cursor& cursor, SymbolTable& symbols, Value here, Expression& out)
      : cursor_(cursor), symbols_(symbols), here_(here), out_(out) {}

  void binary(int binds) {
    unary();
    for (;;) {
      const Operator* const found = peek_operator();
      if (found == nullptr || found->binds < binds) return;
      cursor_.take(found->text);
      binary(found->binds + 1);
      push(found->op);
    }
  }

 private:
  const Operator* peek_operator() {
    cursor_.skip_spaces();
    for (const Operator& candidate : kOperators)
      if (cursor_.rest().substr(0, candidate.text.size()) == candidate.text) return &candidate;
    return nullptr;
  }
  void push(Op op) { out_.nodes.push_back({op, {}, nullptr}); }
  void push(Value value) { out_.nodes.push_back({Op::value, value, nullptr}); }
  void push(const AsmSymbol& symbol) {
    if (symbol.defined)
      push(symbol.value);
    else
      out_.nodes.push_back({Op::symbol, {}, &symbol});
  }
  void unary() {
    if (++depth_ > kMaxDepth) cursor_.fail("the expression is nested too deep");
    if (cursor_.take("-")) {
      unary();
      push(Op::negate);
    } else if (cursor_.take("~")) {
      unary();
      push(Op::complement);
    } else if (cursor_.take("!")) {
      unary();
      push(Op::logical_not);
    } else if (cursor_.take("+")) {
      unary();
    } else if (cursor_.take("%")) {
      half();
    } else {
      primary();
    }
    --depth_;
  }
  void half() {
    const std::string name = lower_case(cursor_.take_name());
    if (name != "hi" && name != "lo") cursor_.fail("of operators with % there are %hi() and %lo()");
    bracketed();
    push(name == "hi" ? Op::high_half : Op::low_half);
  }
  void bracketed() {
    if (!cursor_.take("(")) cursor_.fail("a bracket '(' is missing");
    binary(1);
    if (!cursor_.take(")")) cursor_.fail("a bracket ')' is missing");
  }
  void primary() {
    cursor_.skip_spaces();
    const char c = cursor_.peek();
    if (c == '(') return bracketed();
    if (c == '\'') return push(Value{kAbsolute, cursor_.take_character()});
    if (is_digit(c)) return number();
    const std::string_view name = cursor_.take_name();
    if (name == ".") return push(here_);
    if (name.empty())
      cursor_.fail(cursor_.at_end() ? "an expression is missing"
                                    : "'" + std::string(cursor_.rest()) + "' is not an expression");
    push(symbols_.get(name));
  }
  void number() {
    size_t len = 0;
    while (is_digit(cursor_.peek(len))) ++len;
    const char kind = cursor_.peek(len);
    const bool binary_number = len == 1 && cursor_.peek() == '0' && is_digit(cursor_.peek(2));
    if ((kind == 'f' || kind == 'b') && !is_name_char(cursor_.peek(len + 1)) && !binary_number) {
      const std::string_view digits = cursor_.rest().substr(0, len);
      const char* const where = cursor_.where();
      cursor_.skip(len + 1);
      const AsmSymbol& label = symbols_.numeric(digits, kind == 'f');
      if (kind == 'b' && !label.defined)
        throw Mistake{where, "there is no label " + std::string(digits) + " before this"};
      return push(label);
    }
    push(Value{kAbsolute, cursor_.take_number()});
  }

  Cursor& cursor_;
  SymbolTable& symbols_;
  const Value here_;
  Expression& out_;
  int depth_ = 0;
};

uint64_t low_half(uint64_t a) {
  return static_cast<uint64_t>(static_cast<int16_t>(a));
}

uint64_t apply(Op op, uint64_t a) {
  switch (op) {
    case Op::negate:
      return 0 - a;
    case Op::complement:
      return ~a;
    case Op::logical_not:
      return a == 0;
    case Op::high_half:
      return (a - low_half(a)) >> 16 & 0xFFFF;
    default:
      return low_half(a);
  }
}

uint64_t apply(Op op, uint64_t a, uint64_t b, const char* where) {
  const int64_t signed_a = static_cast<int64_t>(a), signed_b = static_cast<int64_t>(b);
  switch (op) {
    case Op::multiply:
      return a * b;
    case Op::divide:
    case Op::remainder:
      if (b == 0) throw Mistake{where, "division by zero"};
      if (signed_b == -1) return op == Op::divide ? 0 - a : 0;
      return static_cast<uint64_t>(op == Op::divide ? signed_a / signed_b : signed_a % signed_b);
    case Op::shift_left:
      return b < 64 ? a << b : 0;
    case Op::shift_right:
      return b < 64 ? a >> b : 0;
    case Op::bit_or:
      return a | b;
    case Op::bit_and:
      return a & b;
    case Op::bit_xor:
      return a ^ b;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    case Op::less:
      return signed_a < signed_b;
    case Op::less_equal:
      return signed_a <= signed_b;
    case Op::greater:
      return signed_a > signed_b;
    case Op::greater_equal:
      return signed_a >= signed_b;
    case Op::logical_and:
      return a != 0 && b != 0;
    default:
      return a != 0 || b != 0;
  }
}

// Of places in sections, only sums with numbers and differences within a section are known before
// the layout.
std::optional<Value> apply(Op op, Value a, Value b, const char* where) {
  if (a.section == kAbsolute && b.section == kAbsolute)
    return Value{kAbsolute, apply(op, a.number, b.number, where)};
  if (op == Op::add && (a.section == kAbsolute || b.section == kAbsolute))
    return Value{a.section == kAbsolute ? b.section : a.section, a.number + b.number};
  if (op == Op::subtract && b.section == kAbsolute) return Value{a.section, a.number - b.number};
  if (a.section == b.section &&
      (op == Op::subtract || (op >= Op::equal && op <= Op::greater_equal)))
    return Value{kAbsolute, apply(op, a.number, b.number, where)};
  return std::nullopt;
}

}  // namespace

Expression take_expression(Cursor& cursor, SymbolTable& symbols, Value here) {
  Expression expression;
  cursor.skip_spaces();
  expression.where = cursor.where();
  Parser(cursor, symbols, here, expression).binary(1);
  return expression;
}

std::optional<Value> evaluate(const Expression& expression, const std::vector<uint32_t>* bases) {
  std::vector<Value> stack;
  for (const Expression::Node& node : expression.nodes) {
    if (node.op <= Op::symbol) {
      if (node.op == Op::symbol && !node.symbol->defined) {
        if (bases == nullptr) return std::nullopt;
        throw Mistake{expression.where, SymbolTable::is_numeric(*node.symbol)
                                            ? "there is no such numeric label behind this"
                                            : "'" + node.symbol->name + "' is not defined"};
      }
      Value value = node.op == Op::symbol ? node.symbol->value : node.value;
      if (bases != nullptr && value.section != kAbsolute)
        value = {kAbsolute, value.number + (*bases)[static_cast<size_t>(value.section)]};
      stack.push_back(value);
    } else if (node.op <= Op::low_half) {
      if (stack.back().section != kAbsolute) return std::nullopt;
      stack.back().number = apply(node.op, stack.back().number);
    } else {
      const Value b = stack.back();
      stack.pop_back();
      const std::optional<Value> value = apply(node.op, stack.back(), b, expression.where);
      if (!value) return std::nullopt;
      stack.back() = *value;
    }
  }
  return stack.back();
}

}  // namespace incore::vemicry
