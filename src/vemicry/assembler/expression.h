// Expressions: numbers, symbols, '.', numeric labels, %hi() and %lo(), and operators with the
// precedence that GNU as gives them (shifts bind as multiplication, bitwise operators more than
// sums). Kept in postfix form, as symbols may be defined later.
#pragma once

#include <optional>
#include <vector>

#include "vemicry/assembler/cursor.h"
#include "vemicry/assembler/symbols.h"

namespace incore::vemicry {

struct Expression {
  enum class Op : uint8_t {
    value,
    symbol,  // push
    negate,
    complement,
    logical_not,
    high_half,
    low_half,  // of one
    multiply,
    divide,
    remainder,
    shift_left,
    shift_right,  // of two
    bit_or,
    bit_and,
    bit_xor,
    add,
    subtract,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    logical_and,
    logical_or,
  };
  struct Node {
    Op op = Op::value;
    Value value;
    const AsmSymbol* symbol = nullptr;
  };
  std::vector<Node> nodes;
  const char* where = nullptr;  // in the source
};

// Takes an expression; |here| is the value of '.'. Constants have the value of this moment.
Expression take_expression(Cursor& cursor, SymbolTable& symbols, Value here);

// Its value, if that is known already: no undefined symbol, and no address that only the layout
// gives. |bases|, if not null, are the addresses of the sections: then undefined symbols are
// mistakes, and the value is a number.
std::optional<Value> evaluate(const Expression& expression, const std::vector<uint32_t>* bases);

}  // namespace incore::vemicry
