// Checks of REP MONTMUL: its size, its start, and the numbers of its context. PadLock guide 1.66,
// section 5.1.
#include "crypto/mont/mont_steps.h"
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

constexpr uint64_t kSpareLen = 16;  // T needs 128 further zero bits for its overflow

void look_at_size(const Look& look) {
  enum { kSmall, kLarge, kNoMultiple };
  const MontmulOperands* o = look.montmul;
  if (o == nullptr || o->bits == 0 || o->size_allowed) return;
  const unsigned rule = o->bits < kMontMinBits   ? kSmall
                        : o->bits > kMontMaxBits ? kLarge
                                                 : kNoMultiple;
  look.report(rule, Operand::count, o->bits);
}

// EAX is not 0 in a restart either, but it is then the work of the instruction itself, which nobody
// else can know to be complete; programs do not see it.
void look_at_start(const Look& look) {
  const MontmulOperands* o = look.montmul;
  if (o != nullptr && o->size_allowed && o->done != 0) look.report(0, Operand::start, o->done);
}

bool is_zero(const Look& look, Range range) {
  uint8_t chunk[64], set = 0;
  while (range.len != 0) {
    const size_t len = range.len < sizeof chunk ? static_cast<size_t>(range.len) : sizeof chunk;
    if (look.x.memory.read(range.begin, chunk, len)) return true;  // a fault of its own
    for (size_t i = 0; i < len; ++i) set |= chunk[i];
    range = {range.begin + len, range.len - len};
  }
  return set == 0;
}

void look_at_result(const Look& look) {
  enum { kNotZero, kNoSpare, kSpareNotZero };
  const MontmulOperands* o = look.montmul;
  if (o == nullptr || !o->size_allowed || o->done != 0) return;
  if (!is_zero(look, o->t)) look.report(kNotZero, Operand::mont_t, o->t.begin);
  const Range spare = {o->t.end(), kSpareLen};
  if (!look.can_write(spare))
    look.report(kNoSpare, Operand::mont_t, spare.begin);
  else if (!is_zero(look, spare))
    look.report(kSpareNotZero, Operand::mont_t, spare.begin);
}

void look_at_modulus(const Look& look) {
  enum { kEven, kZeroPrime };
  const MontmulOperands* o = look.montmul;
  uint8_t bytes[4];
  if (o == nullptr || !o->size_allowed || look.x.memory.read(o->m.begin, bytes, sizeof bytes))
    return;
  const uint32_t lowest = load_le32(bytes);
  if (lowest % 2 == 0)
    look.report(kEven, Operand::mont_m, o->m.begin);
  else if (lowest * o->zero_prime != ~uint32_t{0})  // M * mZeroPrime = -1 modulo 2^32
    look.report(kZeroPrime, Operand::mont_prime, o->zero_prime);
}

void look_at_overlap(const Look& look) {
  enum { kResult, kScratch, kNoScratch };
  const MontmulOperands* o = look.montmul;
  if (o == nullptr || !o->size_allowed) return;
  const Range result = {o->t.begin, o->t.len + kSpareLen};
  const Range* const inputs[] = {&o->a, &o->b, &o->m};
  const Operand names[] = {Operand::mont_a, Operand::mont_b, Operand::mont_m};
  for (unsigned i = 0; i < 3; ++i) {
    if (overlap(result, *inputs[i])) look.report(kResult, names[i], inputs[i]->begin);
    if (overlap(o->scratch, *inputs[i])) look.report(kScratch, names[i], inputs[i]->begin);
  }
  if (overlap(o->scratch, result)) look.report(kScratch, Operand::mont_t, result.begin);
  if (!look.can_write(o->scratch)) look.report(kNoScratch, Operand::mont_scratch, o->scratch.begin);
}

}  // namespace

const Check check_montmul_size = {
    .name = "montmul-size",
    .remedy = "pad the numbers with zeros to a multiple of 128 bits, from 256 to 32768",
    .rules = {{"PLK-PMM-009", "MONTMUL works on 256 bits at least"},
              {"PLK-PMM-010", "MONTMUL works on 32768 bits at most"},
              {"PLK-PMM-011", "the size for MONTMUL is no multiple of 128 bits"}},
    .before_insn = look_at_size};

const Check check_montmul_start = {
    .name = "montmul-start",
    .remedy = "set EAX to 0 before MONTMUL",
    .rules = {{"PLK-PMM-017", "EAX is not 0 at the start of MONTMUL"}},
    .before_insn = look_at_start};

const Check check_montmul_result = {
    .name = "montmul-result",
    .remedy = "give T four words more than the modulus, and clear it all before MONTMUL",
    .rules = {{"PLK-PMM-030", "T is not 0 at the start of MONTMUL"},
              {"PLK-PMM-032",
               "T needs 128 bits behind its own for the overflow, which are not "
               "writable memory"},
              {"PLK-PMM-032",
               "the 128 bits behind T, which take the overflow, are not 0 at the "
               "start of MONTMUL"}},
    .before_insn = look_at_result};

const Check check_montmul_modulus = {
    .name = "montmul-modulus",
    .remedy = "an odd modulus M, and mZeroPrime = -1 / M modulo 2^32",
    .rules = {{"PLK-PMM-035", "the modulus is even"},
              {"PLK-PMM-034", "mZeroPrime is not the negative inverse of the modulus modulo 2^32"}},
    .before_insn = look_at_modulus};

const Check check_montmul_overlap = {
    .name = "montmul-overlap",
    .remedy = "keep T and the 32 bytes of scratch apart from all other numbers",
    .rules = {{"PLK-PMM-043", "T overlaps an input of MONTMUL"},
              {"PLK-PMM-028", "the scratch area overlaps a number of MONTMUL"},
              {"PLK-PMM-028", "the 32 bytes of scratch are not writable memory"}},
    .before_insn = look_at_overlap};

}  // namespace incore::padlock
