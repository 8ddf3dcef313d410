#include "run/runtime/one_block.h"

#include "base/wipe.h"
#include "padlock/one_block.h"
#include "run/runtime/pooled_processor.h"
#include "run/runtime/probe.h"

namespace incore::run {
namespace {

using padlock::ControlWord;

constexpr Word kAlignMask = kAesBlockLen - 1;

}  // namespace

bool execute_one_block(const Trampoline& trampoline, unsigned processor, FastFrame* frame) {
  const padlock::Decoded decoded = padlock::decoded_as(trampoline.encoding);
  const auto one_block = decoded.insn->one_block;
  if (one_block == nullptr || decoded.address_size || frame->rcx != 1 || config().trace != 0)
    return false;
  const bool has_vector = decoded.insn != &padlock::xcrypt_ecb;
  const Word control_word = frame->rdx, key = frame->rbx, source = frame->rsi,
             destination = frame->rdi, vector = has_vector ? frame->rax : 0;
  if (((control_word | key | source | destination | vector) & kAlignMask) != 0) return false;

  const SharedProcessor shared(processor);
  const padlock::Processor* const cpu = shared.get();
  if (cpu == nullptr) return false;
  const Word source_len = padlock::fetch_blocks(cpu->model(), has_vector) * kAesBlockLen;
  if ((probe_read(control_word) | probe_read(key) | probe_read(source) |
       probe_read(source + source_len - 1)) != 0 ||
      (has_vector && probe_read(vector) != 0))
    return false;

  padlock::OneBlock call;
  call.control_word = ControlWord::from_bytes(at_address<const uint8_t>(control_word));
  const Word last_of_key = key + call.control_word.key_bytes() - 1;
  if (probe_read(last_of_key) != 0) return false;
  call.key = at_address<const uint8_t>(key);
  call.in = at_address<const uint8_t>(source);
  if (has_vector) call.vector = *at_address<const padlock::Block>(vector);
  if (!one_block(*cpu, call)) return false;

  const bool done = probe_write(destination) == 0 &&
                    (!call.stores_vector || probe_write(vector) == 0) && shared.is_unchanged();
  if (done) {
    *at_address<padlock::Block>(destination) = call.out;
    if (call.stores_vector)
      *at_address<padlock::Block>(vector) = call.vector;
    else if (has_vector)
      frame->rax = destination;
    frame->rsi += kAesBlockLen;
    frame->rdi += kAesBlockLen;
    frame->rcx = 0;
    add_to_shared(stats().one_block[processor % kNumOneBlockCounters].calls[decoded.index], 1);
    if (config().count_model_time != 0)
      add_to_shared(stats().insns[decoded.index].model_ticks,
                    one_block_ticks(decoded.insn, call.control_word, *frame));
  }
  wipe(call.vector);
  wipe(call.out);
  return done;
}

}  // namespace incore::run
