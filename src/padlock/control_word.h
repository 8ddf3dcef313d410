// The ACE control word and the hidden key RAM that it is loaded into. PadLock guide 1.66,
// sections 3.2 (Control Word, Extended Keys) and 3.2 EFLAGS[30].
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "crypto/aes/aes_kernel.h"
#include "padlock/snapshot.h"

namespace incore::padlock {

// 16 bytes at ES:EDX, little-endian:
//
//   127      12 11  10    9      8      7      6      5      4    3     0
//  +-----------+------+-------+-------+-------+-------+-------+-------+-------+
//  | reserved  | KSIZE| CRYPT | INTER | KEYGN | CIPHR | ALIGN | DGEST | ROUND |
//  +-----------+------+-------+-------+-------+-------+-------+-------+-------+
//
//   ROUND  rounds, 1 to 15; 0 means 16
//   DGEST  1: EDI stays in CBC and CFB (Esther)
//   ALIGN  1: data at any address (Esther)
//   CIPHR  0: AES
//   KEYGN  0: the hardware makes the round keys, 1: they come from memory
//   INTER  1: the last round is a full round, with MixColumns
//   CRYPT  0: encrypt, 1: decrypt
//   KSIZE  0, 1, 2: 128, 192, 256 bits
inline constexpr uint32_t kCwRoundMask = 0x00F;
inline constexpr uint32_t kCwDgest = 1u << 4;
inline constexpr uint32_t kCwAlign = 1u << 5;
inline constexpr uint32_t kCwCiphr = 1u << 6;
inline constexpr uint32_t kCwKeygn = 1u << 7;
inline constexpr uint32_t kCwInter = 1u << 8;
inline constexpr uint32_t kCwCrypt = 1u << 9;
inline constexpr unsigned kCwKsizeShift = 10;
inline constexpr uint32_t kCwDefined = 0xFFF;  // the others are reserved

inline constexpr size_t kControlWordLen = 16;
inline constexpr size_t kScratchLen = 112;     // behind the control word, used while ALIGN = 1
inline constexpr size_t kHardwareKeyLen = 16;  // read at ES:EBX while KEYGN = 0
// Read at ES:EBX while KEYGN = 1: sixteen slots, whatever KSIZE says.
inline constexpr size_t kMemoryKeyLen = 16 * 16;

// The defined fields of a control word. CIPHR, KSIZE and the reserved bits do not change what the
// processor does.
struct ControlWord {
  uint32_t bits = 0;  // the low 32 bits

  static ControlWord from_bytes(const uint8_t bytes[kControlWordLen]) { return {load_le32(bytes)}; }

  unsigned rounds() const { return (bits & kCwRoundMask) == 0 ? 16 : bits & kCwRoundMask; }
  bool digest() const { return (bits & kCwDgest) != 0; }
  bool align() const { return (bits & kCwAlign) != 0; }
  bool keys_in_memory() const { return (bits & kCwKeygn) != 0; }
  bool intermediate() const { return (bits & kCwInter) != 0; }
  bool decrypt() const { return (bits & kCwCrypt) != 0; }
  unsigned key_size() const { return bits >> kCwKsizeShift & 3; }
  size_t key_bytes() const { return keys_in_memory() ? kMemoryKeyLen : kHardwareKeyLen; }
};

// What is in a key RAM, as a front-end remembers it.
struct LoadedKey {
  ControlWord control_word;
  uint8_t key[kMemoryKeyLen];  // of these, key_bytes()
};

// The key RAM: a control word, the keys loaded with it, and those keys in the form of the host's
// AES kernel. Loading the bytes that it already holds costs a comparison, so that reloading before
// every instruction (as a front-end that cannot see PUSHF must) stays cheap.
class KeyRam {
 public:
  // Loads |key| (control_word.key_bytes() bytes).
  void load(ControlWord control_word, const uint8_t* key, const AesKernel& kernel);

  // The copy that is in force while EFLAGS bit 30 is set.
  ControlWord control_word() const { return control_word_; }

  // The schedule for the cipher in the given direction, for the host's kernel and plain. If KEYGN
  // is 1, both directions are what the program supplied.
  const AesKey& key(bool decrypt);
  const AesRoundKeys& round_keys(bool decrypt);

  // Whether |key| was loaded last, with this control word; and the schedule as far as it is made
  // already, else null. For those who must not change anything.
  bool holds(ControlWord control_word, const uint8_t* key) const;
  const AesKey* made_key(bool decrypt) const;

  bool loaded() const { return kernel_ != nullptr; }
  void clear();

  void exchange(Snapshot& snapshot, const AesKernel& kernel);

 private:
  bool needs_inverse(bool decrypt);

  const AesKernel* kernel_ = nullptr;  // null: nothing loaded
  ControlWord control_word_ = {};
  bool inverse_made_ = false;  // inverse_ and inverse_key_ are made when first used
  uint8_t loaded_[kMemoryKeyLen];
  AesRoundKeys forward_, inverse_;
  AesKey forward_key_, inverse_key_;
};

}  // namespace incore::padlock
