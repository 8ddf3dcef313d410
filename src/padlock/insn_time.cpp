// From registers to work to time.
#include "padlock/insn_time.h"

#include "padlock/insn.h"
#include "padlock/work.h"

namespace incore::padlock {
namespace {

uint64_t xcrypt(AceMode mode, const Model& model, ControlWord control_word, bool aligned,
                uint64_t blocks, KeyLoad keys) {
  XcryptWork work;
  work.mode = mode;
  work.blocks = blocks;
  work.rounds = control_word.rounds();
  work.digest = control_word.digest() && model.ace2;
  if (control_word.align() && model.ace2)
    work.path = aligned ? DataPath::realigning : DataPath::misaligned;
  work.keys = keys;
  return xcrypt_ticks(model.timing, Engine::measured, work);
}

constexpr const Insn* kModes[kNumAceModes] = {&xcrypt_ecb, &xcrypt_cbc, &xcrypt_ctr, &xcrypt_cfb,
                                              &xcrypt_ofb};

// kNumAceModes: it is none of them.
unsigned mode_of(const Insn* insn) {
  unsigned mode = 0;
  while (mode < kNumAceModes && kModes[mode] != insn) ++mode;
  return mode;
}

uint64_t xsha(XshaKind kind, const Decoded& decoded, const Processor& processor,
              const State& before, bool done) {
  const uint64_t bytes = way_of(&State::rsi, decoded, before, processor.state);
  if (bytes == 0 && !done) return 0;
  const bool is_wide =
      effective_address_bits(processor.state.code_size, decoded.address_size) == 64;
  const uint64_t ones = is_wide ? ~uint64_t{0} : 0xFFFFFFFF;
  const bool whole_blocks = processor.model().xsha_partial && (before.rax & ones) == ones;
  return xsha_ticks(kind, done && !whole_blocks ? padded_blocks(bytes) : bytes / 64);
}

}  // namespace

uint64_t insn_ticks(const Decoded& decoded, const Processor& processor, const State& before,
                    bool done, KeyLoad keys) {
  const Insn* const insn = decoded.insn;
  if (insn == &xsha1) return xsha(XshaKind::sha1, decoded, processor, before, done);
  if (insn == &xsha256) return xsha(XshaKind::sha256, decoded, processor, before, done);
  if (insn == &montmul) return done ? montmul_ticks(static_cast<uint32_t>(before.rcx)) : 0;

  const unsigned mode = mode_of(insn);
  const uint64_t blocks = before.rcx - processor.state.rcx;
  if (mode == kNumAceModes || (blocks == 0 && !done)) return 0;
  return xcrypt(static_cast<AceMode>(mode), processor.model(), processor.control_word(),
                (before.rsi | before.rdi) % 16 == 0, blocks, keys);
}

uint64_t one_block_ticks(const Insn* insn, const Model& model, ControlWord control_word,
                         KeyLoad keys) {
  return xcrypt(static_cast<AceMode>(mode_of(insn)), model, control_word, true, 1, keys);
}

}  // namespace incore::padlock
