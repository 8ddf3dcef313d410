// A REP XCRYPT of one block by a processor that holds the key already: what programs that give each
// block an instruction of its own call most. The front-end has executed the instruction before and
// finds its operands aligned and accessible; it reads and writes them itself, with the results of
// Insn::one_block. The processor is only read, so that several threads may share one.
#pragma once

#include "padlock/block.h"
#include "padlock/processor.h"

namespace incore::padlock {

struct OneBlock {
  ControlWord control_word;
  const uint8_t* key;  // control_word.key_bytes()
  const uint8_t* in;
  Block vector;        // that of EAX; the one to be stored there if |stores_vector|
  Block out;           // the result
  bool stores_vector;  // else EAX moves to the destination, if there is a vector
};

// How many blocks the hardware reads at a time, also beyond the count.
unsigned fetch_blocks(const Model& model, bool has_vector);

}  // namespace incore::padlock
