// What an executed instruction would have taken on the model's silicon, for `--stats`. The key is
// taken to be loaded anew where the program names another key or control word than with the
// REP XCRYPT before, or has used an instruction in between that clears EFLAGS bit 30: what
// well-written programs do, since the run-time cannot see PUSHF. A random number takes the time in
// which the generator makes it.
#include "padlock/insn.h"
#include "padlock/insn_time.h"
#include "padlock/work.h"
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

using padlock::KeyLoad;
using padlock::Model;
using padlock::State;
using padlock::Unit;

// Key and control word of this process's last REP XCRYPT; threads may overwrite each other's, as
// a switch between them would on silicon.
constexpr uint64_t kNoKey = 1;  // an address that no key can have
constinit std::atomic<uint64_t> last_key = kNoKey;

KeyLoad load_of(uint64_t key_at, uint64_t control_word_at, padlock::ControlWord control_word) {
  const uint64_t key = key_at ^ control_word_at << 32 ^ control_word_at >> 32;
  if (last_key.load(std::memory_order_relaxed) == key) return KeyLoad::bypassed;
  last_key.store(key, std::memory_order_relaxed);
  return control_word.keys_in_memory() ? KeyLoad::memory : KeyLoad::hardware;
}

void forget_key() {
  last_key.store(kNoKey, std::memory_order_relaxed);
}

uint64_t xstore(const padlock::Processor& processor, bool rep, unsigned quality, uint64_t bytes) {
  const Model& model = processor.model();
  const uint32_t rate = padlock::rng_kbits_per_second(model, processor.rng.fields());
  const uint64_t buffer =
      padlock::generation_ticks(padlock::Rng::kBufferLen, rate, model.clock_mhz);
  if (rep) return padlock::rep_xstore_ticks(quality, bytes, 0, buffer);
  const uint64_t one = padlock::xstore_ticks(quality, true);
  return one > buffer ? one : buffer;
}

}  // namespace

uint64_t model_ticks(const padlock::Decoded& decoded, const padlock::Processor& processor,
                     const State& before, bool done) {
  KeyLoad keys = KeyLoad::bypassed;
  switch (decoded.insn->unit) {
    case Unit::rng: {
      const uint64_t bytes = way_of(&State::rdi, decoded, before, processor.state);
      return bytes == 0 ? 0 : xstore(processor, decoded.rep, before.rdx & 3, bytes);
    }
    case Unit::ace:
    case Unit::ace_ctr:
      if (done || before.rcx != processor.state.rcx)
        keys = load_of(before.rbx, before.rdx, processor.control_word());
      break;
    case Unit::phe:
    case Unit::phe2:
    case Unit::ccs:
      forget_key();
      break;
    case Unit::pmm:
      break;
  }
  return padlock::insn_ticks(decoded, processor, before, done, keys);
}

uint64_t one_block_ticks(const padlock::Insn* insn, padlock::ControlWord control_word,
                         const FastFrame& frame) {
  return padlock::one_block_ticks(insn, config().model, control_word,
                                  load_of(frame.rbx, frame.rdx, control_word));
}

}  // namespace incore::run
