// What the REP hash instructions share: checks, the loop over message blocks, padding, and the
// state a fault leaves. PadLock guide 1.66, section 4.1; FIPS 180-4, section 5.1.1 (padding).
//
//   EAX bytes hashed so far (0 at the start)   ECX message bytes in all   ESI rest of the message
//   EDI state, 128 bytes
//
// Beyond the guide: all ones in EAX makes Nano and later take ECX as a number of whole blocks and
// add no padding; some instructions know that form only. See docs/quirks.md for end registers and
// for EAX > ECX.
#pragma once

#include "padlock/execution.h"

namespace incore::padlock {

struct HashAlgorithm {
  // What EAX may ask for.
  enum class Forms : uint8_t {
    by_model,     // bytes with padding; whole blocks where the model has xsha_partial
    both,         // bytes with padding, or whole blocks
    blocks_only,  // whole blocks, whatever EAX holds
  };

  size_t state_len;  // bytes at EDI, read at the start and written after each block
  size_t block_len;
  Forms forms;
  // |state| holds the running value as it lies in memory.
  void (*compress)(const HostKernels& kernels, uint8_t* state, const uint8_t* blocks,
                   size_t num_blocks);
};

inline constexpr size_t kMaxHashStateLen = 64;

Trap xsha(Execution& x, const HashAlgorithm& algorithm);

// The record of the instruction F3 0F A6 |opcode| for a hash that is the same on every model. Static
// as xcrypt_insn() is.
template <const HashAlgorithm& algorithm>
static constexpr Insn xsha_insn(const char* mnemonic, uint8_t opcode, Unit unit, const char* operands) {
  return {
      .mnemonic = mnemonic,
      .opcode = {0x0F, 0xA6, opcode},
      .rep = true,
      .unit = unit,
      .kind = Kind::hash,
      .operands = operands,
      .execute = [](Execution& x) { return xsha(x, algorithm); },
  };
}

// The running value of SHA is an array of little-endian words.
template <class Word, size_t kNumWords>
inline void compress_words(void (*compress)(Word* state, const uint8_t* blocks, size_t num_blocks),
                           uint8_t* state, const uint8_t* blocks, size_t num_blocks) {
  Word words[kNumWords];
  for (size_t i = 0; i < kNumWords; ++i) words[i] = load_le<Word>(state + i * sizeof(Word));
  compress(words, blocks, num_blocks);
  for (size_t i = 0; i < kNumWords; ++i) store_le<Word>(state + i * sizeof(Word), words[i]);
}

}  // namespace incore::padlock
