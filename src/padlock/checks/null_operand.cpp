// Check of operands at address 0, where nothing is mapped: a register that was never loaded, as by
// assembly whose operands the compiler counts from a stack pointer that has moved. PadLock guide
// 1.66, sections 3.1 (XCRYPT), 4.1 (XSHA) and 5.1 (MONTMUL).
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

enum { kSource, kDestination, kKey, kControlWord, kVector, kMessage, kState };

// What the instruction does not use may be 0: all but the source if there are no blocks.
void look_at_pointers(const Look& look) {
  const auto test = [&](unsigned rule, Operand operand, const Range& range) {
    if (range.begin == 0 && !look.can_read({0, 1})) look.report(rule, operand, 0);
  };
  if (const XcryptOperands* o = look.xcrypt) {
    test(kSource, Operand::source, o->source);
    if (o->blocks == 0) return;
    test(kDestination, Operand::destination, o->destination);
    test(kKey, Operand::key, o->key);
    test(kControlWord, Operand::control_word, o->control);
    if (!o->is_ecb) test(kVector, Operand::vector, o->vector);
  }
  if (const HashOperands* o = look.hash) {
    if (o->message.len != 0) test(kMessage, Operand::source, o->message);
    test(kState, Operand::hash_state, o->state);
  }
}

}  // namespace

const Check check_null_operand = {
    .name = "null-operand",
    .remedy =
        "load the register; in inline assembly name it as an operand of its own and move no stack "
        "pointer",
    .rules = {{"PLK-ACE-006", "ESI is 0, where nothing is mapped: the source was never loaded"},
              {"PLK-ACE-007",
               "EDI is 0, where nothing is mapped: the destination was never loaded"},
              {"PLK-ACE-008", "EBX is 0, where nothing is mapped: the key was never loaded"},
              {"PLK-ACE-009",
               "EDX is 0, where nothing is mapped: the control word was never loaded"},
              {"PLK-ACE-012", "EAX is 0, where nothing is mapped: the vector was never loaded"},
              {"PLK-PHE-005", "ESI is 0, where nothing is mapped: the message was never loaded"},
              {"PLK-PHE-007", "EDI is 0, where nothing is mapped: the state was never loaded"}},
    .before_insn = look_at_pointers};

}  // namespace incore::padlock
