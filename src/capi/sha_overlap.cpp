#include "capi/sha_overlap.h"

#include "capi/many_overlap.h"

namespace incore {
namespace {

// Digests apart from all data, one behind the other; or the messages one behind the other, each
// with its digest.
bool surely_apart(const incore_sha_message* messages, size_t num_messages, size_t digest_len) {
  Span data, digests, both, table;
  table.add(address_of(messages), last_address_of(messages, num_messages * sizeof *messages));
  for (const incore_sha_message* m = messages; m != messages + num_messages; ++m) {
    uintptr_t first = address_of(m->out_digest), last = last_address_of(m->out_digest, digest_len);
    digests.add(first, last);
    if (m->data_len != 0) {
      const uintptr_t data_first = address_of(m->data);
      const uintptr_t data_last = last_address_of(m->data, m->data_len);
      data.add(data_first, data_last);
      first = std::min(first, data_first);
      last = std::max(last, data_last);
    }
    both.add(first, last);
  }
  return digests.apart_from(table) &&
         (both.in_order() || (digests.in_order() && digests.apart_from(data)));
}

}  // namespace

bool sha_digests_overlap(const incore_sha_message* messages, size_t num_messages,
                         size_t digest_len) {
  if (num_messages == 0 || surely_apart(messages, num_messages, digest_len)) return false;
  // The table is what one more message reads.
  return any_overlap(2 * num_messages + 1, [=](size_t i, ByteRange* out) {
    if (i == 2 * num_messages) {
      *out = {address_of(messages), last_address_of(messages, num_messages * sizeof *messages),
              num_messages, false};
      return true;
    }
    const incore_sha_message& m = messages[i / 2];
    if (i % 2 == 0) {
      *out = {address_of(m.out_digest), last_address_of(m.out_digest, digest_len), i / 2, true};
    } else {
      if (m.data_len == 0) return false;
      *out = {address_of(m.data), last_address_of(m.data, m.data_len), i / 2, false};
    }
    return true;
  });
}

}  // namespace incore
