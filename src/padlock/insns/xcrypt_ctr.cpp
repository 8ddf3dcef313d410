// REP XCRYPTCTR: AES, counter mode (SP 800-38A section 6.5) with a 16-bit big-endian counter in
// bytes 14 and 15 that wraps without carry. PadLock guide 1.66, sections 3.1 and 6.6. Needs ACE of
// Esther or later. Both directions are the same and rewrite the counter in memory. Interrupts come
// after pairs while at least three blocks remain.
#include "padlock/xcrypt.h"

namespace incore::padlock {
namespace {

constexpr size_t kCounterAt = 14;

void count_up(uint8_t* vector) {
  store_be16(vector + kCounterAt, static_cast<uint16_t>(load_be16(vector + kCounterAt) + 1));
}

Block one_block(const BlockCipher& cipher, bool, Block& vector, const Block& in) {
  const Block out = in ^ cipher(vector);
  count_up(vector.bytes);
  return out;
}

void many_blocks(const AesKey& key, bool, uint8_t* vector, const uint8_t* in, uint8_t* out,
                 size_t blocks) {
  key.kernel->ctr(key, vector, in, out, blocks, 16);
}

// The erratum of Esther stepping 8: a stretch of an even number of blocks leaves the counter one
// too high.
void end_stretch(const Model& model, uint64_t blocks, uint8_t* vector) {
  if (model.ctr_erratum && blocks % 2 == 0) count_up(vector);
}

constexpr XcryptMode kMode = {
    .vector_in_memory = true,
    .in_pairs = true,
    .last_blocks_uninterrupted = 2,
    .one_block = one_block,
    .many_blocks = many_blocks,
    .end_stretch = end_stretch,
};

}  // namespace

constinit const Insn xcrypt_ctr = xcrypt_insn<kMode>(
    "xcrypt-ctr", 0xD8, Unit::ace_ctr,
    "EAX counter block, EBX key, ECX blocks, EDX control word, ESI source, EDI destination");

}  // namespace incore::padlock
