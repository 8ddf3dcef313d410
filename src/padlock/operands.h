// What an instruction that is about to execute is given: for those who look on, such as checks.
// Registers are read, and the memory that says what the operands are; nothing changes.
#pragma once

#include "padlock/execution.h"

namespace incore::padlock {

struct Range {
  uint64_t begin = 0;  // linear address
  uint64_t len = 0;
  uint64_t end() const { return begin + len; }
  // |len|, or the greatest there is.
  size_t size() const { return len < SIZE_MAX ? static_cast<size_t>(len) : SIZE_MAX; }
};
inline bool overlap(const Range& a, const Range& b) {
  return a.len != 0 && b.len != 0 && a.begin < b.end() && b.begin < a.end();
}

// What REP XCRYPT is given.
struct XcryptOperands {
  bool is_ecb, is_ctr, is_ofb;
  bool inverse_cipher;      // decryption uses the inverse cipher
  bool control_word_known;  // false: it cannot be read, and what follows from it is not set
  uint8_t control_word_bytes[kControlWordLen];
  ControlWord control_word;
  bool aligns;           // ALIGN = 1 counts
  bool rewrites_vector;  // in memory
  uint64_t blocks;
  Range control, scratch, key, vector, source, destination;  // vector.len is 0 in ECB

  // Bytes of the key that are used; slots behind the last round key are not.
  size_t used_key_len() const {
    return control_word.keys_in_memory() && control_word.rounds() < 16
               ? (control_word.rounds() + 1) * kAesBlockLen
               : static_cast<size_t>(key.len);
  }
};

// What REP XSHA and REP CCS_HASH are given.
struct HashOperands {
  Unit unit;                       // PHE2 takes whole blocks and has no use for EAX
  uint64_t done, total, all_ones;  // EAX, ECX, and what means "whole blocks" in EAX
  Range state, message;            // the state with the bytes that must be reserved behind it
};

struct MontmulOperands {
  uint32_t bits, done, zero_prime;
  bool size_allowed;
  Range a, b, t, m, scratch;  // len is 0 if the size is not allowed; t without its spare words
};

// What |reg| points to, whether or not ES reaches there.
uint64_t linear_address(const Execution& x, uint64_t reg);

// Of a REP XCRYPT, a hash, a REP MONTMUL that can start. False: its context cannot be read, or the
// address size is 64 bits.
XcryptOperands xcrypt_operands(const Execution& x);
HashOperands hash_operands(const Execution& x);
bool montmul_operands(const Execution& x, MontmulOperands* out);

// False: it cannot be read.
inline bool read_range(const Execution& x, const Range& range, void* out) {
  return !x.memory.read(range.begin, out, static_cast<size_t>(range.len));
}

}  // namespace incore::padlock
