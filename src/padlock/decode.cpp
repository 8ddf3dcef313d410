// Finds the PadLock instruction in a run of bytes.
#include "padlock/decode.h"

#include "padlock/insn.h"

namespace incore::padlock {
namespace {

// True if |byte| is a prefix; notes it.
bool take_prefix(uint8_t byte, CodeSize code_size, Decoded* d) {
  switch (byte) {
    case 0xF3:
      return d->rep = true;
    case 0xF2:
      return d->repne = true;
    case 0x66:
      return d->operand_size = true;
    case 0x67:
      return d->address_size = true;
    case 0xF0:
      return d->lock = true;
    case 0x26:  // segment overrides: PadLock always uses ES
    case 0x2E:
    case 0x36:
    case 0x3E:
    case 0x64:
    case 0x65:
      return true;
    default:  // REX selects nothing here: no operand is named by the ModRM byte
      return code_size == CodeSize::bits64 && (byte & 0xF0) == 0x40;
  }
}

}  // namespace

Decoded decode(const uint8_t* code, size_t len, CodeSize code_size) {
  Decoded d = {};
  if (len > kMaxInsnLen) len = kMaxInsnLen;
  size_t at = 0;
  while (at < len && take_prefix(code[at], code_size, &d)) ++at;
  const size_t rest = len - at;
  if (rest >= 1 && code[at] != 0x0F) return d;
  if (rest >= 2 && (code[at + 1] & 0xFE) != 0xA6) return d;
  if (rest < 3) {
    d.too_long = len == kMaxInsnLen;
    d.cut_short = !d.too_long && rest == 2;
    return d;
  }

  size_t num_insns;
  const Insn* const* const all = insns(&num_insns);
  for (size_t i = 0; i < num_insns; ++i) {
    const uint8_t* const opcode = all[i]->opcode;
    if (code[at + 1] != opcode[1] || (code[at + 2] & 0xF8) != opcode[2]) continue;
    // XSTORE has a form with REP and one without. The others have one, found also where the prefix
    // is missing.
    d.insn = all[i];
    d.index = static_cast<uint8_t>(i);
    if (all[i]->rep == d.rep) break;
  }
  if (d.insn != nullptr) d.length = static_cast<uint8_t>(at + 3);
  return d;
}

Decoded decoded_as(Encoding encoding) {
  size_t num_insns;
  return {encoding, insns(&num_insns)[encoding.index], false, false};
}

}  // namespace incore::padlock
