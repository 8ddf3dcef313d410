// REP CCS_HASH: SM3 (GB/T 32905-2016). Zhaoxin GMI User Manual 1.0, SM3. Needs CCS.
//
//   EAX 0, or all ones for whole blocks without padding   EBX 20h: SM3   ECX bytes, or blocks
//   ESI message   EDI state: eight words in the standard's byte order, big-endian, unlike XSHA's
#include "crypto/sm3/sm3_steps.h"
#include "padlock/xsha.h"

namespace incore::padlock {
namespace {

constexpr uint32_t kSelectSm3 = 0x20;

void compress(const HostKernels&, uint8_t* state, const uint8_t* blocks, size_t num_blocks) {
  uint32_t V[sm3::kNumWords];
  for (size_t i = 0; i < sm3::kNumWords; ++i) V[i] = load_be32(state + 4 * i);
  for (size_t i = 0; i < num_blocks; ++i) sm3::compress_block(V, blocks + i * sm3::kBlockLen);
  for (size_t i = 0; i < sm3::kNumWords; ++i) store_be32(state + 4 * i, V[i]);
}

constexpr HashAlgorithm kSm3 = {32, sm3::kBlockLen, HashAlgorithm::Forms::both, compress};

Trap execute(Execution& x) {
  if (Trap trap = x.require_usable(false)) return trap;
  if (static_cast<uint32_t>(x.s.rbx) != kSelectSm3)
    return Trap::gp("EBX selects no hash: only 20h, SM3, is known");
  return xsha(x, kSm3);
}

}  // namespace

const Insn ccs_hash = {
    .mnemonic = "ccs-hash",
    .opcode = {0x0F, 0xA6, 0xE8},
    .rep = true,
    .unit = Unit::ccs,
    .kind = Kind::hash,
    .operands = "EAX bytes done, EBX 20h, ECX bytes, ESI message, EDI state",
    .execute = execute,
};

}  // namespace incore::padlock
