// The functions of incore/aes.h that encrypt many messages at once: checks all of them, then hands
// them to the kernel in portions.
#include "base/bytes.h"
#include "capi/aes_key.h"
#include "capi/many_overlap.h"
#include "capi/overlap.h"
#include "crypto/clean/clean_call.h"

namespace incore {
namespace {

// See clean_call.h: of encrypt_single_blocks and of finish_cfb, without the kernel.
constexpr size_t kSinglesStack = 1024, kPartialStack = 256;

using Message = incore_aes_message;

constexpr size_t kPortion = 128;      // messages for which there is room here
constexpr size_t kSingleBlocks = 32;  // as many as the widest kernel takes at a time
constexpr size_t kFewBlocks = 16;     // of all messages together: nothing is gained side by side
constexpr size_t kFewSingles = 6;     // blocks, likewise

// As surely_right below for the layouts that matter most, where a look must cost less than a block:
// whole blocks, in the order of their addresses; the outputs apart from the inputs, or all in
// place; the ivs likewise, all of them apart from the texts or, in place, each next to its text.
bool surely_right_blocks(const Message* messages, size_t num_messages) {
  const incore_aes_key* key = nullptr;
  uintptr_t ivs_end = 1, ins_end = 1, outs_end = 1, end = 1;  // so that NULL is out of order
  bool in_place = true, next_to_each_other = true;
  for (const Message* m = messages; m != messages + num_messages; ++m) {
    const uintptr_t iv = address_of(m->iv), in = address_of(m->in), out = address_of(m->out);
    if (iv < ivs_end || in < ins_end || out < outs_end || m->len == 0 ||
        m->len % kAesBlockLen != 0 || __builtin_add_overflow(in, m->len, &ins_end) ||
        __builtin_add_overflow(out, m->len, &outs_end))
      return false;
    ivs_end = iv + kAesBlockLen;
    if (m->key != key) {
      key = m->key;
      if (key == nullptr || !is_set(key)) return false;
    }
    in_place &= in == out;
    if (iv < in) {
      next_to_each_other &= iv >= end && ivs_end <= in;
      end = ins_end;
    } else {
      next_to_each_other &= in >= end && ins_end <= iv;
      end = ivs_end;
    }
  }
  const uintptr_t ivs = address_of(messages->iv), ins = address_of(messages->in);
  const uintptr_t outs = address_of(messages->out);
  const uintptr_t table = address_of(messages), table_end = address_of(messages + num_messages);
  const auto apart = [](uintptr_t begin, uintptr_t begin_end, uintptr_t other,
                        uintptr_t other_end) { return begin_end <= other || other_end <= begin; };
  if (!apart(ivs, ivs_end, table, table_end) || !apart(outs, outs_end, table, table_end))
    return false;
  if (in_place && next_to_each_other) return true;
  return apart(ivs, ivs_end, outs, outs_end) && apart(ivs, ivs_end, ins, ins_end) &&
         (in_place || apart(ins, ins_end, outs, outs_end));
}

// True if nothing is wrong, in the usual layouts: the messages one behind the other, each with its
// iv; or the ivs apart from all texts, one behind the other, and the texts likewise, or the outputs
// and apart from them the inputs. False: something may be wrong.
bool surely_right(const Message* messages, size_t num_messages, size_t unit) {
  Span ivs, inputs, outputs, texts, all, table;
  table.add(address_of(messages), last_address_of(messages, num_messages * sizeof *messages));
  for (const Message* m = messages; m != messages + num_messages; ++m) {
    if (m->key == nullptr || m->iv == nullptr || !is_set(m->key) || m->len % unit != 0)
      return false;
    uintptr_t first = address_of(m->iv), last = last_address_of(m->iv, kAesBlockLen);
    ivs.add(first, last);
    if (m->len != 0) {
      if (m->in == nullptr || m->out == nullptr || overlap_wrongly(m->in, m->out, m->len) ||
          overlap_either(m->iv, kAesBlockLen, m->in, m->out, m->len))
        return false;
      const uintptr_t in = address_of(m->in), in_last = last_address_of(m->in, m->len);
      const uintptr_t out = address_of(m->out), out_last = last_address_of(m->out, m->len);
      inputs.add(in, in_last);
      outputs.add(out, out_last);
      texts.add(std::min(in, out), std::max(in_last, out_last));
      first = std::min({first, in, out});
      last = std::max({last, in_last, out_last});
    }
    all.add(first, last);
  }
  if (!ivs.apart_from(table) || !outputs.apart_from(table)) return false;
  if (all.in_order()) return true;
  return ivs.in_order() && ivs.apart_from(inputs) && ivs.apart_from(outputs) &&
         (texts.in_order() || (outputs.in_order() && outputs.apart_from(inputs)));
}

// Whether a message would overwrite what another one needs.
bool overlap_each_other(const Message* messages, size_t num_messages) {
  return any_overlap(3 * num_messages, [=](size_t i, ByteRange* out) {
    const Message& m = messages[i / 3];
    const bool is_iv = i % 3 == 0, written = i % 3 != 1;
    const void* const p = is_iv ? m.iv : written ? m.out : m.in;
    const size_t len = is_iv ? kAesBlockLen : m.len;
    if (len == 0) return false;
    *out = {address_of(p), last_address_of(p, len), i / 3, written};
    return true;
  });
}

// Whether |m| would overwrite |messages| themselves.
bool overlaps_table(const Message& m, const Message* messages, size_t num_messages) {
  const size_t table_len = num_messages * sizeof *messages;
  return ranges_overlap(m.out, m.len, messages, table_len) ||
         ranges_overlap(m.iv, kAesBlockLen, messages, table_len);
}

// The fault that comes first in the order of incore/aes.h, whichever message has it.
incore_status check(const Message* messages, size_t num_messages, size_t unit) {
  if (num_messages == 0) return INCORE_OK;
  if (messages == nullptr) return INCORE_ERROR_NULL;
  if (surely_right_blocks(messages, num_messages) || surely_right(messages, num_messages, unit))
    return INCORE_OK;
  const Message* const end = messages + num_messages;
  for (const Message* m = messages; m != end; ++m)
    if (m->key == nullptr || m->iv == nullptr ||
        (m->len != 0 && (m->in == nullptr || m->out == nullptr)))
      return INCORE_ERROR_NULL;
  for (const Message* m = messages; m != end; ++m)
    if (!is_set(m->key)) return INCORE_ERROR_STATE;
  for (const Message* m = messages; m != end; ++m)
    if (m->len % unit != 0) return INCORE_ERROR_LENGTH;
  for (const Message* m = messages; m != end; ++m) {
    if (overlap_wrongly(m->in, m->out, m->len) ||
        overlap_either(m->iv, kAesBlockLen, m->in, m->out, m->len) ||
        overlaps_table(*m, messages, num_messages))
      return INCORE_ERROR_OVERLAP;
  }
  return overlap_each_other(messages, num_messages) ? INCORE_ERROR_OVERLAP : INCORE_OK;
}

// The last, partial block of a CFB128 message, behind its whole ones.
[[gnu::noinline]] void finish_cfb(const Message& m) {
  const size_t len = m.len % kAesBlockLen, whole = m.len - len;
  const AesKey& key = context_of(m.key)->forward;
  uint8_t keystream[kAesBlockLen];
  key.kernel->ecb_encrypt(key, m.iv, keystream, 1);
  const uint8_t* const in = static_cast<const uint8_t*>(m.in) + whole;
  uint8_t* const out = static_cast<uint8_t*>(m.out) + whole;
  for (size_t i = 0; i < len; ++i) out[i] = in[i] ^ keystream[i];
}

enum class Mode { cbc, cfb };

// |sum| ^= |block|, by one store: a load of the block would wait for two of its halves.
void add(uint8_t* sum, const void* block) {
  uint64_t a __attribute__((vector_size(kAesBlockLen))),
      b __attribute__((vector_size(kAesBlockLen)));
  std::memcpy(&a, sum, sizeof a);
  std::memcpy(&b, block, sizeof b);
  a ^= b;
  std::memcpy(sum, &a, sizeof a);
}

// Of |n| > 0 messages with one key, one block of each: the mode is ECB of iv and block together, or
// of the iv.
template <Mode mode>
[[gnu::noinline]] void encrypt_single_blocks(const Message* messages, size_t n) {
  const AesKey& key = context_of(messages->key)->forward;
  alignas(64) uint8_t x[kSingleBlocks * kAesBlockLen];
  size_t i = 0;
  do {
    std::memcpy(x + kAesBlockLen * i, messages[i].iv, kAesBlockLen);
    if (mode == Mode::cbc) add(x + kAesBlockLen * i, messages[i].in);
  } while (++i < n);
  key.kernel->ecb_encrypt(key, x, x, n);
  for (i = 0; i < n; ++i) {
    if (mode == Mode::cfb) add(x + kAesBlockLen * i, messages[i].in);
    std::memcpy(messages[i].out, x + kAesBlockLen * i, kAesBlockLen);
    std::memcpy(messages[i].iv, x + kAesBlockLen * i, kAesBlockLen);
  }
}

// How many of the messages from |m| on have one block and one key; at most kSingleBlocks.
size_t num_single_blocks(const Message* m, const Message* end) {
  const incore_aes_key* const key = m->key;
  size_t n = 0;
  while (n != kSingleBlocks && m + n != end && m[n].len / kAesBlockLen == 1 && m[n].key == key) ++n;
  return n;
}

// The blocks of all messages together; counts no further than |limit|.
size_t count_blocks(const Message* messages, size_t num_messages, size_t limit) {
  size_t blocks = 0;
  for (const Message* m = messages; m != messages + num_messages && blocks < limit; ++m)
    blocks += m->len / kAesBlockLen;
  return blocks;
}

// The whole blocks of |messages|, one by one.
template <Mode mode>
void encrypt_one_by_one(const Message* messages, size_t num_messages) {
  const AesKernel& kernel = *context_of(messages->key)->forward.kernel;
  const auto one = mode == Mode::cbc ? kernel.cbc_encrypt : kernel.cfb_encrypt;
  for (const Message* m = messages; m != messages + num_messages; ++m)
    one(context_of(m->key)->forward, m->iv, static_cast<const uint8_t*>(m->in),
        static_cast<uint8_t*>(m->out), m->len / kAesBlockLen);
}

// The whole blocks of |messages|: single ones of one key together, the others in portions. Clears
// |stack| bytes of traces.
template <Mode mode>
[[gnu::noinline]] void encrypt_side_by_side(const Message* messages, size_t num_messages,
                                            size_t stack) {
  const AesKernel& kernel = *context_of(messages->key)->forward.kernel;
  const auto many = mode == Mode::cbc ? kernel.cbc_encrypt_many : kernel.cfb_encrypt_many;
  AesChain chains[kPortion];
  size_t n = 0;
  const Message* const end = messages + num_messages;
  for (const Message* m = messages; m != end; ++m) {
    const size_t blocks = m->len / kAesBlockLen;
    if (blocks == 0) continue;
    if (blocks == 1)
      if (const size_t singles = num_single_blocks(m, end); singles >= kFewSingles) {
        encrypt_single_blocks<mode>(m, singles);
        m += singles - 1;
        continue;
      }
    chains[n++] = {&context_of(m->key)->forward, m->iv, static_cast<const uint8_t*>(m->in),
                   static_cast<uint8_t*>(m->out), blocks};
    if (n != kPortion) continue;
    many(chains, n);
    n = 0;
  }
  if (n != 0) many(chains, n);
  (void)clear_behind(INCORE_OK, stack);
}

// All keys are of one kernel, as one process has one.
template <Mode mode>
incore_status encrypt(const Message* messages, size_t num_messages) {
  const size_t stack = context_of(messages->key)->forward.kernel->stack;
  const size_t blocks = count_blocks(messages, num_messages, kAesLanesBlocks);
  if (num_messages == 1 || blocks < kFewBlocks)
    encrypt_one_by_one<mode>(messages, num_messages);
  else
    encrypt_side_by_side<mode>(messages, num_messages,
                               blocks < kAesLanesBlocks ? stack + kSinglesStack : kAesLanesStack);
  bool has_partial = false;
  if (mode == Mode::cfb)
    for (const Message* m = messages; m != messages + num_messages; ++m)
      if (m->len % kAesBlockLen != 0) {
        finish_cfb(*m);
        has_partial = true;
      }
  return clear_behind(INCORE_OK, has_partial ? stack + kPartialStack : stack);
}

}  // namespace
}  // namespace incore

using namespace incore;

incore_status incore_aes_cbc_encrypt_many(const incore_aes_message* messages, size_t num_messages) {
  if (num_messages == 1 && messages != nullptr && !overlaps_table(*messages, messages, 1))
    return incore_aes_cbc_encrypt(messages->key, messages->iv, messages->in, messages->len,
                                  messages->out);
  const incore_status status = check(messages, num_messages, kAesBlockLen);
  return status != INCORE_OK || num_messages == 0 ? status
                                                  : encrypt<Mode::cbc>(messages, num_messages);
}

incore_status incore_aes_cfb_encrypt_many(const incore_aes_message* messages, size_t num_messages) {
  const incore_status status = check(messages, num_messages, 1);
  return status != INCORE_OK || num_messages == 0 ? status
                                                  : encrypt<Mode::cfb>(messages, num_messages);
}
