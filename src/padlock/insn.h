// The record that a PadLock instruction exports, and what its execute() works on.
#pragma once

#include <cstdint>

#include "padlock/processor.h"

namespace incore::padlock {

struct Execution;
struct OneBlock;

// What an instruction takes its operands for.
enum class Kind : uint8_t { random, xcrypt, ccs_encrypt, hash, montmul };

struct Insn {
  const char* mnemonic;  // as users write it: "xcrypt-cbc"
  uint8_t opcode[3];     // 0F A7 D0; the ModRM byte's low three bits are ignored
  bool rep;              // needs F3
  Unit unit;
  Kind kind;
  const char* operands;  // register roles, for `incore scan` and people
  Trap (*execute)(Execution& x);
  // Only REP XCRYPT has this: see one_block.h.
  bool (*one_block)(const Processor& cpu, OneBlock& call) = nullptr;
};

#define X(name) extern const Insn name;
#include "padlock/insns.def"
#undef X

const Insn* const* insns(size_t* out_num_insns);

}  // namespace incore::padlock
