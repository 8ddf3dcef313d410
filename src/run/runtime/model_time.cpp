// What an executed instruction would have taken on the model's silicon, for `--stats`. The key is
// taken to be loaded anew where the program names another key or control word than with the
// REP XCRYPT before, or has used an instruction in between that clears EFLAGS bit 30: what
// well-written programs do, since the run-time cannot see PUSHF. A random number takes the time in
// which the generator makes it.
#include "padlock/insn.h"
#include "padlock/timing.h"
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

using padlock::AceMode;
using padlock::DataPath;
using padlock::KeyLoad;
using padlock::Model;
using padlock::State;

// Key and control word of this process's last REP XCRYPT; threads may overwrite each other's, as
// a switch between them would on silicon.
constexpr uint64_t kNoKey = 1;  // an address that no key can have
constinit std::atomic<uint64_t> last_key = kNoKey;

bool takes_another_key(const State& before) {
  const uint64_t key = before.rbx ^ before.rdx << 32 ^ before.rdx >> 32;
  if (last_key.load(std::memory_order_relaxed) == key) return false;
  last_key.store(key, std::memory_order_relaxed);
  return true;
}

void forget_key() {
  last_key.store(kNoKey, std::memory_order_relaxed);
}

uint64_t xcrypt(AceMode mode, const padlock::Processor& processor, const State& before,
                uint64_t blocks) {
  const Model& model = processor.model();
  const padlock::ControlWord control_word = processor.control_word();
  padlock::XcryptWork work;
  work.mode = mode;
  work.blocks = blocks;
  work.rounds = control_word.rounds();
  work.digest = control_word.digest() && model.ace2;
  if (control_word.align() && model.ace2)
    work.path = (before.rsi | before.rdi) % 16 != 0 ? DataPath::misaligned : DataPath::realigning;
  if (takes_another_key(before))
    work.keys = control_word.keys_in_memory() ? KeyLoad::memory : KeyLoad::hardware;
  return padlock::xcrypt_ticks(model.timing, padlock::Engine::measured, work);
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

uint64_t xsha(padlock::XshaKind kind, const padlock::Processor& processor, bool narrow,
              const State& before, uint64_t bytes, bool done) {
  forget_key();
  const uint64_t ones = narrow ? 0xFFFFFFFF : ~uint64_t{0};
  const bool whole_blocks = processor.model().xsha_partial && (before.rax & ones) == ones;
  return padlock::xsha_ticks(kind,
                             done && !whole_blocks ? padlock::padded_blocks(bytes) : bytes / 64);
}

}  // namespace

uint64_t model_ticks(const padlock::Decoded& decoded, const padlock::Processor& processor,
                     const State& before, bool done) {
  const State& after = processor.state;
  const auto kind = static_cast<StatKind>(decoded.index);
  switch (kind) {
    case StatKind::xstore:
    case StatKind::rep_xstore: {
      const uint64_t bytes = after.rdi - before.rdi;
      return bytes == 0 ? 0 : xstore(processor, decoded.rep, before.rdx & 3, bytes);
    }
    case StatKind::xsha1:
    case StatKind::xsha256: {
      const uint64_t bytes = after.rsi - before.rsi;
      const bool narrow = after.code_size != padlock::CodeSize::bits64 || decoded.address_size;
      const auto hash =
          kind == StatKind::xsha1 ? padlock::XshaKind::sha1 : padlock::XshaKind::sha256;
      return bytes == 0 && !done ? 0 : xsha(hash, processor, narrow, before, bytes, done);
    }
    case StatKind::montmul:
      return done ? padlock::montmul_ticks(static_cast<uint32_t>(before.rcx)) : 0;
    case StatKind::xsha384:
    case StatKind::xsha512:
    case StatKind::ccs_hash:
    case StatKind::ccs_encrypt:
      forget_key();
      return 0;  // nothing was published
    default: {
      const uint64_t blocks = before.rcx - after.rcx;
      const unsigned mode = decoded.index - static_cast<unsigned>(StatKind::xcrypt_ecb);
      if (mode >= padlock::kNumAceModes || (blocks == 0 && !done)) return 0;
      return xcrypt(static_cast<AceMode>(mode), processor, before, blocks);
    }
  }
}

}  // namespace incore::run
