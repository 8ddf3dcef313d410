// State of threads without thread-local storage: a thread takes one of a few slots for as long as
// it needs it. Who has which stands in memory that is zero in the child of a fork.
#pragma once

#include "run/runtime/runtime.h"

namespace incore::run {

template <class T, auto kOwners>
class ThreadSlots {
 public:
  // That of this thread, or null.
  T* find() {
    const int32_t tid = thread_id();
    for (size_t i = 0; i < kNum; ++i)
      if (owner(i).load(std::memory_order_relaxed) == tid) return &slots_[i];
    return nullptr;
  }

  // The same, a new one if it has none; null if all are taken.
  T* claim() {
    if (T* const own = find()) return own;
    for (size_t i = 0; i < kNum; ++i) {
      int32_t nobody = 0;
      if (!owner(i).compare_exchange_strong(nobody, thread_id())) continue;
      slots_[i] = {};
      return &slots_[i];
    }
    return nullptr;
  }

  void release(const T* slot) {
    owner(static_cast<size_t>(slot - slots_)).store(0, std::memory_order_release);
  }

 private:
  static constexpr size_t kNum = kNumThreadSlots;

  static int32_t thread_id() { return static_cast<int32_t>(sys(__NR_gettid)); }
  static std::atomic<int32_t>& owner(size_t index) { return (wiped().*kOwners)[index]; }

  T slots_[kNum] = {};
};

}  // namespace incore::run
