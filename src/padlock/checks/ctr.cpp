// Checks of the counter of REP XCRYPTCTR: its 16 bits, and the erratum of Esther stepping 8.
// PadLock guide 1.66, sections 3.1 (CTR) and 6.6.
#include <cstring>

#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

constexpr uint64_t kCounterEnd = 0x10000;
constexpr size_t kCounterAt = 14;
constexpr uint64_t kErratumBlocks = 64 * 1024 / kAesBlockLen;

bool read_vector(const Look& look, uint8_t* out_vector) {
  const XcryptOperands* o = look.xcrypt;
  return o != nullptr && o->is_ctr && o->blocks != 0 &&
         !look.x.memory.read(o->vector.begin, out_vector, kAesBlockLen);
}

void look_at_counter(const Look& look) {
  enum { kReused, kWraps };
  uint8_t vector[kAesBlockLen];
  if (!read_vector(look, vector)) return;
  if (look.xcrypt->blocks > kCounterEnd)
    look.report(kReused, Operand::count, look.xcrypt->blocks);
  else if (load_be16(vector + kCounterAt) + look.xcrypt->blocks > kCounterEnd)
    look.report(kWraps, Operand::vector, look.xcrypt->vector.begin);
}

void look_at_erratum(const Look& look) {
  enum { kTooLong, kWrongCounter };
  uint8_t vector[kAesBlockLen];
  if (!look.x.cpu.model().ctr_erratum || !read_vector(look, vector)) return;
  const XcryptOperands& o = *look.xcrypt;
  CheckHistory& history = look.history;
  if (o.blocks > kErratumBlocks) look.report(kTooLong, Operand::count, o.blocks);
  if (history.ctr_was_even && std::memcmp(history.ctr_left, vector, sizeof vector) == 0)
    look.report(kWrongCounter, Operand::vector, o.vector.begin);

  history.ctr_was_even = o.blocks % 2 == 0;
  std::memcpy(history.ctr_left, vector, sizeof vector);
  store_be16(history.ctr_left + kCounterAt,
             static_cast<uint16_t>(load_be16(vector + kCounterAt) + o.blocks + 1));
}

}  // namespace

const Check check_counter_wrap = {
    .name = "counter-wrap",
    .remedy =
        "end the instruction where the last two bytes of the counter reach 65536, and carry "
        "into byte 13 in software",
    .rules = {{"PLK-ACE-024",
               "more than 65536 blocks with one nonce: counter blocks are used "
               "twice"},
              {"PLK-ACE-023",
               "the 16-bit counter wraps inside the instruction, without a carry "
               "into byte 13"}},
    .before_insn = look_at_counter};

const Check check_ctr_erratum = {
    .name = "ctr-erratum",
    .remedy = "at most 64 KB per instruction; set the counter anew before each one",
    .rules = {{"PLK-ERR-014",
               "Esther stepping 8 has a CTR erratum: more than 64 KB in one "
               "instruction will be interrupted and go wrong"},
              {"PLK-ERR-006",
               "Esther stepping 8 has a CTR erratum: this counter was left by an "
               "instruction with an even count and is one too high"}},
    .before_insn = look_at_erratum};

}  // namespace incore::padlock
