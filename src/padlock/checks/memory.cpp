// Checks of the memory around the operands of REP XCRYPT: too small, overlapping, or read beyond
// its end. PadLock guide 1.66, chapter 1 (Exception Handling), sections 3.1 and 3.2.
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

void look_at_scratch(const Look& look) {
  enum { kNotWritable, kOverlap };
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr || !o->aligns || o->blocks == 0) return;
  const Range& scratch = o->scratch;
  if (!look.can_write(scratch)) return look.report(kNotWritable, Operand::scratch, scratch.begin);
  const auto test = [&](const Range& range, Operand operand) {
    if (overlap(scratch, range)) look.report(kOverlap, operand, range.begin);
  };
  test(o->key, Operand::key);
  test(o->source, Operand::source);
  test(o->destination, Operand::destination);
  // The instruction itself leaves a vector at the beginning of the scratch space.
  if (o->vector.begin != scratch.begin) test(o->vector, Operand::vector);
}

void look_at_key_slots(const Look& look) {
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o != nullptr && o->blocks != 0 && o->control_word.keys_in_memory() && !look.can_read(o->key))
    look.report(0, Operand::key, o->key.begin);
}

// CTR works on pairs of blocks; OpenSSL's engine keeps 32 bytes away from a page end there.
constexpr uint64_t kCtrFetchBlocks = 2;

void look_at_over_read(const Look& look) {
  enum { kEcb, kOthers, kNoBlocks };
  const XcryptOperands* o = look.xcrypt;
  if (o == nullptr) return;
  const Model& model = look.x.cpu.model();
  uint64_t group = o->is_ecb ? model.ecb_fetch_blocks : model.cbc_fetch_blocks;
  if (o->is_ctr && group < kCtrFetchBlocks) group = kCtrFetchBlocks;
  const uint64_t rest = o->blocks % group;
  if (rest == 0 && o->blocks != 0) return;
  const Range beyond = {o->source.end(), (group - rest) * kAesBlockLen};
  if (o->source.begin == 0) return;  // null-operand
  const bool all_readable = o->blocks == 0 || look.can_read({o->source.end() - 1, 1});
  if (!all_readable || look.can_read(beyond)) return;
  look.report(o->blocks == 0 ? kNoBlocks
              : o->is_ecb    ? kEcb
                             : kOthers,
              Operand::source, beyond.begin);
}

void look_at_destination(const Look& look) {
  const XcryptOperands* o = look.xcrypt;
  if (o == nullptr || o->destination.len <= kAesBlockLen) return;
  if (look.can_write({o->destination.begin, kAesBlockLen}) && !look.can_write(o->destination))
    look.report(0, Operand::destination, o->destination.begin);
}

void look_at_overlap(const Look& look) {
  enum { kSource, kVector };
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr) return;
  if (o->destination.begin > o->source.begin && overlap(o->source, o->destination))
    look.report(kSource, Operand::destination, o->destination.begin);
  if (o->rewrites_vector && overlap(o->vector, o->destination))
    look.report(kVector, Operand::vector, o->vector.begin);
}

void look_at_key_place(const Look& look) {
  enum { kKey, kControlWord };
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr) return;
  if (overlap(o->key, o->destination)) look.report(kKey, Operand::key, o->key.begin);
  if (overlap(o->control, o->destination))
    look.report(kControlWord, Operand::control_word, o->control.begin);
}

}  // namespace

const Check check_scratch_space = {
    .name = "scratch-space",
    .remedy = "reserve 128 bytes for the control word: 16 and 112 of scratch space",
    .rules = {{"PLK-ACE-079",
               "ALIGN = 1, and the 112 bytes behind the control word are not "
               "writable memory"},
              {"PLK-ACE-080",
               "ALIGN = 1, and an operand lies in the 112 bytes of scratch space "
               "behind the control word, which may be overwritten"}},
    .before_insn = look_at_scratch};

const Check check_key_slots = {
    .name = "key-slots",
    .remedy = "give the schedule 256 bytes, whatever the key size",
    .rules = {{"PLK-ACE-076", "KEYGN = 1 reads 256 bytes of keys, and not all can be read"}},
    .before_insn = look_at_key_slots};

const Check check_over_read = {
    .name = "over-read",
    .remedy = "copy the last blocks away from the end of a page that no readable page follows",
    .rules = {{"PLK-ACE-062",
               "ECB loads groups of source blocks, and behind the last one there is "
               "no readable memory: #PF"},
              {"PLK-EXC-003",
               "the processor may load source blocks ahead, and behind the last one "
               "there is no readable memory: #PF"},
              {"PLK-EXC-010",
               "ECX = 0 still loads the first source blocks, which cannot be read: "
               "#PF"}},
    .before_insn = look_at_over_read};

const Check check_short_destination = {
    .name = "short-destination",
    .remedy = "make the destination as large as the source",
    .rules = {{"LJ-036", "the destination ends before the blocks do: #PF midway"}},
    .before_insn = look_at_destination};

const Check check_partial_overlap = {
    .name = "partial-overlap",
    .remedy = "work in place (ESI equal to EDI) or on separate buffers",
    .rules = {{"PLK-ACE-039",
               "the destination begins inside the source: blocks are overwritten "
               "before they are read"},
              {"PLK-ACE-055",
               "the vector, which the instruction rewrites, lies in the "
               "destination"}},
    .before_insn = look_at_overlap};

const Check check_overwritten_key = {
    .name = "overwritten-key",
    .remedy = "keep key and control word out of the destination",
    .rules = {{"PLK-MULTI-019",
               "the destination covers the key, which is loaded again after any "
               "interrupt"},
              {"PLK-MULTI-019",
               "the destination covers the control word, which is loaded again "
               "after any interrupt"}},
    .before_insn = look_at_key_place};

}  // namespace incore::padlock
