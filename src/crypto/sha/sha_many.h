// Digests of many messages side by side: gives the lanes of the many-message kernels to messages.
// FIPS 180-4 says how each is padded; what is particular is the order. Messages are taken out of a
// window of those added last, the longest first; a lane that becomes free gets the next; and the
// kernel is chosen anew for the lanes that are at work, so that the last few messages do not cost
// as much as full lanes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/sha/sha_many_kernel.h"
#include "crypto/sha/sha_stream.h"

namespace incore {

struct ShaMessage {
  const uint8_t* data;
  size_t data_len;
  uint8_t* out_digest;  // sha_digest_len() bytes
};

// Kernels for many messages: those of |list| whose bit is set, at least one.
struct ShaManyKernels {
  const KernelList* list;
  uint32_t usable;
};

// What serves this process for |algorithm|: the kernel that INCORE_KERNEL names, or the first, and
// those behind it in the list that this CPU can run. The list is null if INCORE_KERNEL is wrong.
ShaManyKernels sha_many_kernels(ShaAlgorithm algorithm);

// |Word| is that of the algorithm: uint32_t, or uint64_t for SHA-384 and SHA-512. What it holds of
// the messages is left to who clears its stack (crypto/clean/clean_call.h).
template <class Word>
class ShaManyHasher {
 public:
  ShaManyHasher(ShaAlgorithm algorithm, const ShaManyKernels& kernels);
  ShaManyHasher(const ShaManyHasher&) = delete;

  // The data must stay until finish(). Digests are written from now on, in any order.
  void add(const ShaMessage& message);
  void finish() { run(true); }

 private:
  static constexpr size_t kBlockLen = ShaLanes<Word>::kBlockLen;
  static constexpr size_t kWindow = 128;

  // What a lane does: first the message's whole blocks, then its end with the padding.
  struct Job {
    ShaMessage message;
    size_t num_blocks;  // left of those that the lane's data points to
    bool at_end;
    uint8_t end[2 * kBlockLen];
  };

  void run(bool to_the_end);
  void sort_window();
  void start(size_t lane, const ShaMessage& message);
  void start_end(size_t lane);
  void write_digest(size_t lane);
  void move_last_job_to(size_t lane);
  void compress(size_t num_blocks);

  const ShaManyKernels kernels_;
  const ShaAlgorithm algorithm_;
  size_t num_waiting_ = 0;  // in the window
  size_t num_jobs_ = 0;     // they have the lanes from 0 on
  ShaMessage window_[kWindow];
  uint8_t order_[kWindow];
  Job jobs_[ShaLanes<Word>::kNum];
  ShaLanes<Word> lanes_;
};

extern template class ShaManyHasher<uint32_t>;
extern template class ShaManyHasher<uint64_t>;

}  // namespace incore
