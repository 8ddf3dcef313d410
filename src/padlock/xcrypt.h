// What the five REP XCRYPT instructions share: checks, the key load, the loop over blocks and the
// advance of the registers. PadLock guide 1.66, section 3.1. A mode adds what SP 800-38A says of
// one block.
//
//   EAX vector (not ECB)   EBX key      ECX blocks left
//   EDX control word       ESI source   EDI destination
#pragma once

#include <type_traits>

#include "padlock/execution.h"
#include "padlock/one_block.h"

namespace incore::padlock {

// AES on one block with the loaded key: rounds of any number, the last one full if INTER = 1.
class BlockCipher {
 public:
  BlockCipher(KeyRam& key_ram, bool decrypt)
      : keys_(key_ram.round_keys(decrypt)),
        decrypt_(decrypt),
        intermediate_(key_ram.control_word().intermediate()) {}
  Block operator()(const Block& in) const;

 private:
  const AesRoundKeys& keys_;
  const bool decrypt_, intermediate_;
};

struct XcryptMode {
  bool has_vector = true;  // ES:EAX is used
  // When encrypting, the vector is rewritten in memory; else EAX moves. Decryption always rewrites.
  bool vector_in_memory = false;
  bool inverse_cipher = false;  // decryption uses the inverse cipher
  bool in_pairs = false;        // interrupts come after two blocks
  bool may_hold_edi = false;    // DGEST = 1 counts
  bool may_realign = true;      // ALIGN = 1 counts
  // With so many blocks left, or fewer, no interrupt is taken.
  unsigned last_blocks_uninterrupted = 0;

  // One block of the mode, by the standard's definition: the output for |in|. Moves |vector| on.
  Block (*one_block)(const BlockCipher& cipher, bool decrypt, Block& vector, const Block& in);
  // The same for |blocks| blocks, with the kernel's code.
  void (*many_blocks)(const AesKey& key, bool decrypt, uint8_t* vector, const uint8_t* in,
                      uint8_t* out, size_t blocks);
  // Null, or what happens to the vector after a stretch of |blocks| > 0 that ends for any reason:
  // errata.
  void (*end_stretch)(const Model& model, uint64_t blocks, uint8_t* vector) = nullptr;
};

Trap xcrypt(Execution& x, const XcryptMode& mode);

// Insn::one_block. False: the processor does not hold this key, or the control word is one whose
// effects are left to xcrypt(). Nothing has changed then.
template <const XcryptMode& mode>
bool one_block(const Processor& cpu, OneBlock& call) {
  constexpr uint32_t kOther =
      kCwInter | (mode.may_realign ? kCwAlign : 0) | (mode.may_hold_edi ? kCwDgest : 0);
  const ControlWord control_word = call.control_word;
  const bool decrypt = control_word.decrypt();
  const KeyRam& key_ram = cpu.key_ram();
  const AesKey* const key = key_ram.made_key(decrypt && mode.inverse_cipher);
  if ((control_word.bits & kOther) != 0 || key == nullptr || !key_ram.holds(control_word, call.key))
    return false;
  call.stores_vector = mode.has_vector && (mode.vector_in_memory || decrypt);
  if (mode.has_vector && !call.stores_vector && cpu.model().vector_written) return false;
  mode.many_blocks(*key, decrypt, call.vector.bytes, call.in, call.out.bytes, 1);
  if constexpr (mode.end_stretch != nullptr) mode.end_stretch(cpu.model(), 1, call.vector.bytes);
  return true;
}

// XcryptMode::many_blocks by two functions of the kernel, with a vector or without.
template <auto encrypt, auto decrypt = encrypt>
void by_kernel(const AesKey& key, bool decrypts, [[maybe_unused]] uint8_t* vector,
               const uint8_t* in, uint8_t* out, size_t blocks) {
  const auto function = key.kernel->*(decrypts ? decrypt : encrypt);
  if constexpr (std::is_invocable_v<decltype(function), decltype(key), uint8_t*, decltype(in),
                                    uint8_t*, size_t>)
    function(key, vector, in, out, blocks);
  else
    function(key, in, out, blocks);
}

inline constexpr char kXcryptOperands[] =
    "EAX vector, EBX key, ECX blocks, EDX control word, ESI source, EDI destination";

// The record of the instruction F3 0F A7 |opcode| for a mode. Static, since GCC 14 would make one
// function of those that files have for modes of the same name.
template <const XcryptMode& mode>
static constexpr Insn xcrypt_insn(const char* mnemonic, uint8_t opcode, Unit unit = Unit::ace,
                                  const char* operands = kXcryptOperands) {
  return {
      .mnemonic = mnemonic,
      .opcode = {0x0F, 0xA7, opcode},
      .rep = true,
      .unit = unit,
      .kind = Kind::xcrypt,
      .operands = operands,
      .execute = [](Execution& x) { return xcrypt(x, mode); },
      .one_block = one_block<mode>,
  };
}

}  // namespace incore::padlock
