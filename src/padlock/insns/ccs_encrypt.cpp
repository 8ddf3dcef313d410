// REP CCS_ENCRYPT: SM4 (GB/T 32907-2016) in five modes. Zhaoxin GMI User Manual 1.0, SM4. Needs
// CCS. See docs/quirks.md for what the manual leaves open.
//
//   EAX control word   EBX key   ECX blocks of 16 bytes
//   EDX vector, not for ECB      ESI in   EDI out
//
//   31  12   11   10   9   8   7   6  5     1   0
//  +------+-----+---+---+---+---+---+-------+-----+
//  |  -   | MAC |CTR|OFB|CFB|CBC|ECB| 10000 | DEC |   one mode; MAC: EDI stays, for CBC and CFB
//  +------+-----+---+---+---+---+---+-------+-----+
#include <cstring>

#include "base/wipe.h"
#include "crypto/sm4/sm4_steps.h"
#include "padlock/block.h"
#include "padlock/execution.h"

namespace incore::padlock {
namespace {

constexpr uint32_t kDecrypt = 1u << 0;
constexpr uint32_t kAlgorithmMask = 0x1Fu << 1, kAlgorithmSm4 = 0x10u << 1;
constexpr uint32_t kEcb = 1u << 6, kCbc = 1u << 7, kCfb = 1u << 8, kOfb = 1u << 9, kCtr = 1u << 10;
constexpr uint32_t kModeMask = kEcb | kCbc | kCfb | kOfb | kCtr;
constexpr uint32_t kMac = 1u << 11;

bool is_known(uint32_t control_word) {
  const uint32_t mode = control_word & kModeMask;
  return (control_word & kAlgorithmMask) == kAlgorithmSm4 && mode != 0 && (mode & (mode - 1)) == 0;
}

// SP 800-38A's modes over SM4. Returns the output for |in| and moves |vector| on.
Block process(uint32_t control_word, const sm4::RoundKeys& keys, const Block& in, Block* vector) {
  const auto cipher = [&keys](Block block, bool decrypt) {
    sm4::cipher(keys, decrypt, block.bytes, block.bytes);
    return block;
  };
  const bool decrypt = (control_word & kDecrypt) != 0;
  Block out = in;
  switch (control_word & kModeMask) {
    case kEcb:
      return cipher(in, decrypt);
    case kCbc:
      out = decrypt ? cipher(in, true) ^ *vector : cipher(in ^ *vector, false);
      *vector = decrypt ? in : out;
      return out;
    case kCfb:
      out = cipher(*vector, false) ^ in;
      *vector = decrypt ? in : out;
      return out;
    case kOfb:
      *vector = cipher(*vector, false);
      return *vector ^ in;
    default: {  // CTR; only 16 bits count
      out = cipher(*vector, false) ^ in;
      uint8_t* const counter = vector->bytes + sm4::kBlockLen - 2;
      store_be16(counter, static_cast<uint16_t>(load_be16(counter) + 1));
      return out;
    }
  }
}

Trap run_blocks(Execution& x, uint32_t control_word, const sm4::RoundKeys& keys) {
  const bool has_vector = (control_word & kEcb) == 0;
  const bool hold_edi = (control_word & kMac) != 0 && (control_word & (kCbc | kCfb)) != 0;
  uint64_t vector_at = 0;
  Block vector = {};
  if (has_vector) {
    if (Trap trap = x.linear(x.get(x.s.rdx), sizeof vector, Access::write, &vector_at)) return trap;
    if (Trap trap = x.memory.read(vector_at, vector.bytes, sizeof vector)) return trap;
    if (Trap trap = x.memory.probe_write(vector_at, sizeof vector)) return trap;
  }
  for (uint64_t done = 0; x.get(x.s.rcx) != 0;) {
    uint64_t in_at, out_at;
    Block in;
    if (Trap trap = x.linear(x.get(x.s.rsi), sizeof in, Access::read, &in_at)) return trap;
    if (Trap trap = x.linear(x.get(x.s.rdi), sizeof in, Access::write, &out_at)) return trap;
    if (Trap trap = x.memory.read(in_at, in.bytes, sizeof in)) return trap;
    const Block out = process(control_word, keys, in, &vector);
    if (Trap trap = x.memory.write(out_at, out.bytes, sizeof out)) return trap;
    if (has_vector)  // probed, so that a block is never done by half
      if (Trap trap = x.memory.write(vector_at, vector.bytes, sizeof vector)) return trap;
    x.set(x.s.rsi, x.s.rsi + sizeof in);
    if (!hold_edi) x.set(x.s.rdi, x.s.rdi + sizeof out);
    x.set(x.s.rcx, x.s.rcx - 1);
    if (x.get(x.s.rcx) != 0 && x.interrupt(++done)) return {};
  }
  return {};
}

Trap execute(Execution& x) {
  if (Trap trap = x.require_usable(false)) return trap;
  const uint32_t control_word = static_cast<uint32_t>(x.s.rax);
  if (!is_known(control_word))
    return Trap::gp("the control word in EAX does not select SM4 and one of its modes");
  if (x.get(x.s.rcx) == 0) return {};
  x.s.rflags &= ~kEflagsKeyLoaded;

  uint64_t key_at;
  uint8_t key[sm4::kKeyLen];
  if (Trap trap = x.linear(x.get(x.s.rbx), sizeof key, Access::read, &key_at)) return trap;
  if (Trap trap = x.memory.read(key_at, key, sizeof key)) return trap;
  sm4::RoundKeys keys;
  sm4::expand_key(key, &keys);
  const Trap trap = run_blocks(x, control_word, keys);
  wipe(key);
  wipe(keys);
  return trap;
}

}  // namespace

const Insn ccs_encrypt = {
    .mnemonic = "ccs-encrypt",
    .opcode = {0x0F, 0xA7, 0xF0},
    .rep = true,
    .unit = Unit::ccs,
    .kind = Kind::ccs_encrypt,
    .operands = "EAX control word, EBX key, ECX blocks, EDX vector, ESI in, EDI out",
    .execute = execute,
};

}  // namespace incore::padlock
