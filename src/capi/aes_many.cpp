// The functions of incore/aes.h that encrypt many messages at once: checks all of them, then hands
// them to the kernel in portions.
#include "base/bytes.h"
#include "base/wipe.h"
#include "capi/aes_key.h"
#include "capi/overlap.h"

namespace incore {
namespace {

using Message = incore_aes_message;

constexpr size_t kPortion = 128;  // messages for which there is room here

// The smallest range that holds what was added to it: as long as what comes next does not touch it,
// no part of it has to be looked at. So messages in the order of their addresses are checked in one
// pass.
class Hull {
 public:
  void add(const void* p, size_t len) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(p);
    if (len == 0) return;
    if (begin < begin_) begin_ = begin;
    if (begin + len > end_) end_ = begin + len;
  }
  bool touches(const void* p, size_t len) const {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(p);
    return len != 0 && begin < end_ && begin + len > begin_;
  }

 private:
  uintptr_t begin_ = UINTPTR_MAX, end_ = 0;
};

bool overlap_each_other(const Message& a, const Message& b) {
  return overlap_either(a.iv, kAesBlockLen, b.in, b.out, b.len) ||
         overlap_either(b.iv, kAesBlockLen, a.in, a.out, a.len) ||
         ranges_overlap(a.iv, kAesBlockLen, b.iv, kAesBlockLen) ||
         ranges_overlap(a.out, a.len, b.in, b.len) || ranges_overlap(a.out, a.len, b.out, b.len) ||
         ranges_overlap(a.in, a.len, b.out, b.len);
}

bool any_overlap(const Message* messages, size_t num_messages) {
  Hull read, written;
  for (size_t i = 0; i < num_messages; ++i) {
    const Message& m = messages[i];
    const bool near = written.touches(m.in, m.len) || written.touches(m.out, m.len) ||
                      written.touches(m.iv, kAesBlockLen) || read.touches(m.out, m.len) ||
                      read.touches(m.iv, kAesBlockLen);
    for (size_t j = 0; near && j < i; ++j)
      if (overlap_each_other(messages[j], m)) return true;
    read.add(m.in, m.len);
    written.add(m.out, m.len);
    written.add(m.iv, kAesBlockLen);
  }
  return false;
}

// The fault that comes first in the order of incore/aes.h, whichever message has it.
incore_status check(const Message* messages, size_t num_messages, size_t unit) {
  if (num_messages == 0) return INCORE_OK;
  if (messages == nullptr) return INCORE_ERROR_NULL;
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
    const size_t table_len = num_messages * sizeof *messages;
    if (overlap_wrongly(m->in, m->out, m->len) ||
        overlap_either(m->iv, kAesBlockLen, m->in, m->out, m->len) ||
        ranges_overlap(m->out, m->len, messages, table_len) ||
        ranges_overlap(m->iv, kAesBlockLen, messages, table_len))
      return INCORE_ERROR_OVERLAP;
  }
  return any_overlap(messages, num_messages) ? INCORE_ERROR_OVERLAP : INCORE_OK;
}

// The last, partial block of a CFB128 message, behind its whole ones.
void finish_cfb(const Message& m) {
  const size_t len = m.len % kAesBlockLen, whole = m.len - len;
  if (len == 0) return;
  const AesKey& key = context_of(m.key)->forward;
  uint8_t keystream[kAesBlockLen];
  key.kernel->ecb_encrypt(key, m.iv, keystream, 1);
  const uint8_t* const in = static_cast<const uint8_t*>(m.in) + whole;
  uint8_t* const out = static_cast<uint8_t*>(m.out) + whole;
  for (size_t i = 0; i < len; ++i) out[i] = in[i] ^ keystream[i];
  wipe(keystream);
}

using EncryptMany = decltype(AesKernel::cbc_encrypt_many);

void encrypt(EncryptMany AesKernel::*mode, const Message* messages, size_t num_messages) {
  AesChain chains[kPortion];
  for (size_t done = 0; done < num_messages;) {
    size_t n = 0;
    for (; n < kPortion && done + n < num_messages; ++n) {
      const Message& m = messages[done + n];
      chains[n] = {&context_of(m.key)->forward, m.iv, static_cast<const uint8_t*>(m.in),
                   static_cast<uint8_t*>(m.out), m.len / kAesBlockLen};
    }
    // One process has one kernel for AES, so all keys are of the first one's.
    (chains[0].key->kernel->*mode)(chains, n);
    done += n;
  }
}

}  // namespace
}  // namespace incore

using namespace incore;

incore_status incore_aes_cbc_encrypt_many(const incore_aes_message* messages, size_t num_messages) {
  const incore_status status = check(messages, num_messages, kAesBlockLen);
  if (status == INCORE_OK) encrypt(&AesKernel::cbc_encrypt_many, messages, num_messages);
  return status;
}

incore_status incore_aes_cfb_encrypt_many(const incore_aes_message* messages, size_t num_messages) {
  const incore_status status = check(messages, num_messages, 1);
  if (status != INCORE_OK) return status;
  encrypt(&AesKernel::cfb_encrypt_many, messages, num_messages);
  for (size_t i = 0; i < num_messages; ++i) finish_cfb(messages[i]);
  return INCORE_OK;
}
