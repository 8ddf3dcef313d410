// The usual layouts are seen to be right by one look at each message: digests on one side of all
// data, each behind the one before it. For others, digests are sorted by address, as many at a time
// as fit on the stack, and each message is looked up in them: no memory is allocated, and the work
// is about the square of the number of messages divided by kChunk.
#include "capi/sha_overlap.h"

#include <cstdint>

#include "base/bytes.h"

namespace incore {
namespace {

constexpr size_t kChunk = 256;

uintptr_t address(const void* p) {
  return reinterpret_cast<uintptr_t>(p);
}

// The smallest range that has all added ranges in it.
struct Span {
  uintptr_t begin = UINTPTR_MAX, end = 0;
  void add(uintptr_t first, size_t len) {
    if (len == 0) return;
    if (first < begin) begin = first;
    if (first + len > end) end = first + len;
  }
  bool meets(uintptr_t first, size_t len) const {
    return len != 0 && first < end && begin < first + len;
  }
};

struct Digest {
  uintptr_t begin;
  size_t message;
};

// Sorted by address.
class Chunk {
 public:
  Chunk(const incore_sha_message* messages, size_t first, size_t num, size_t digest_len)
      : num_(num), digest_len_(digest_len) {
    for (size_t i = 0; i < num; ++i) {
      const Digest digest = {address(messages[first + i].out_digest), first + i};
      size_t place = i;
      for (; place != 0 && digests_[place - 1].begin > digest.begin; --place)
        digests_[place] = digests_[place - 1];
      digests_[place] = digest;
      span_.add(digest.begin, digest_len);
    }
  }

  // True if a digest of another message than |own| has a byte in the range.
  bool meets(uintptr_t first, size_t len, size_t own) const {
    if (!span_.meets(first, len)) return false;
    size_t low = 0, high = num_;  // the first digest that ends behind |first|
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (digests_[middle].begin + digest_len_ <= first)
        low = middle + 1;
      else
        high = middle;
    }
    for (; low < num_ && digests_[low].begin < first + len; ++low)
      if (digests_[low].message != own) return true;
    return false;
  }

 private:
  Digest digests_[kChunk];
  size_t num_, digest_len_;
  Span span_;
};

}  // namespace

bool sha_digests_overlap(const incore_sha_message* messages, size_t num_messages,
                         size_t digest_len) {
  Span data, digests;
  bool in_order = true;
  for (size_t i = 0; i < num_messages; ++i) {
    const uintptr_t digest = address(messages[i].out_digest);
    if (ranges_overlap(messages[i].out_digest, digest_len, messages,
                       num_messages * sizeof *messages))
      return true;
    if (i != 0 && digest < digests.end) in_order = false;
    data.add(address(messages[i].data), messages[i].data_len);
    digests.add(digest, digest_len);
  }
  if (in_order && !digests.meets(data.begin, data.end > data.begin ? data.end - data.begin : 0))
    return false;

  for (size_t first = 0; first < num_messages; first += kChunk) {
    const size_t rest = num_messages - first;
    const Chunk chunk(messages, first, rest < kChunk ? rest : kChunk, digest_len);
    for (size_t i = 0; i < num_messages; ++i)
      if (chunk.meets(address(messages[i].data), messages[i].data_len, i) ||
          chunk.meets(address(messages[i].out_digest), digest_len, i))
        return true;
  }
  return false;
}

}  // namespace incore
