// An instruction in memory, as it was decoded: pages keep these beside their bytes, so that a store
// into code makes the one it changes invalid, and no other.
#pragma once

#include "vemicry/trap.h"
#include "vemicry/word.h"

namespace incore::vemicry {

struct Insn;
struct State;
class Memory;

struct Decoded {
  Trap (*execute)(State& state, Memory& memory, Word word);  // null: to be decoded
  const Insn* insn;                                          // null: reserved
  Word word;
};

}  // namespace incore::vemicry
