// Processors for patched sites, kept because a processor that still holds the same key need not
// expand it again. A site takes one by its key's address; a taken one is passed over. One that a
// program leaves by a jump out of its own signal handler stays taken; where none is free the signal
// handler does the work, with a processor of its own.
#pragma once

#include "run/runtime/runtime.h"

namespace incore::run {

// With what a call from a patched site ended. The signal handler delivers it, rather than issue the
// instruction again, which may have overwritten its own operands.
struct FastFault {
  uint64_t stack;  // the program's stack pointer at the site
  padlock::Trap trap;
  LiveMemory memory;
};

// What all processors of the run-time are before they execute anything.
void prepare(padlock::Processor& processor, RandomStock* stock);
const padlock::HostKernels& host_kernels();

class PooledProcessor {
 public:
  // The one by which a call with this key on this stack is served, unless it is taken.
  static unsigned first_choice(Word key_address, const void* stack) {
    const Word hash = key_address >> 4 ^ reinterpret_cast<Word>(stack) >> 16;
    return static_cast<uint32_t>(hash) * 0x9E3779B1u >> 25;
  }

  explicit PooledProcessor(unsigned first_choice) {
    constexpr unsigned kTries = 4;
    for (unsigned i = 0; i < kTries; ++i) {
      const unsigned index = (first_choice + i) % kNumProcessors;
      std::atomic<uint8_t>& use = wiped().processors[index];
      uint8_t before = use.load(std::memory_order_relaxed);
      if (before >= kTaken ||
          !use.compare_exchange_strong(before, kTaken, std::memory_order_acquire))
        continue;
      index_ = index;
      processor_ = processor_at(index);
      versions[index].store((versions[index].load(std::memory_order_relaxed) + 1) | 1,
                            std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_release);
      if (before == kUnused)
        prepare(*new (processor_) padlock::Processor(config().model, host_kernels()),
                &wiped().random_stocks[index]);
      return;
    }
  }
  ~PooledProcessor() {
    if (processor_ != nullptr) release(index_);
  }
  PooledProcessor(const PooledProcessor&) = delete;
  PooledProcessor& operator=(const PooledProcessor&) = delete;

  padlock::Processor* get() { return processor_; }  // null: all were taken

  // Leaves a fault for the signal handler, and the processor taken until it is there.
  void keep(const FastFault& fault) {
    faults[index_] = fault;
    wiped().processors[index_].store(kFaulted, std::memory_order_release);
    processor_ = nullptr;
  }
  // The fault that was left at |stack|; false: none.
  static bool take_fault(uint64_t stack, FastFault* out) {
    for (unsigned i = 0; i < kNumProcessors; ++i) {
      std::atomic<uint8_t>& use = wiped().processors[i];
      if (use.load(std::memory_order_acquire) != kFaulted || faults[i].stack != stack) continue;
      *out = faults[i];
      release(i);
      return true;
    }
    return false;
  }

 private:
  friend class SharedProcessor;

  enum : uint8_t { kUnused, kReady, kTaken, kFaulted };  // in the page that is wiped by fork
  static constexpr unsigned kNumProcessors = sizeof(Wiped::processors);
  static_assert(kNumProcessors == 1u << (32 - 25));

  struct alignas(64) Storage {
    alignas(padlock::Processor) uint8_t bytes[sizeof(padlock::Processor)];
  };
  static padlock::Processor* processor_at(unsigned index) {
    return reinterpret_cast<padlock::Processor*>(storage[index].bytes);
  }
  static void release(unsigned index) {
    versions[index].store(versions[index].load(std::memory_order_relaxed) + 1,
                          std::memory_order_release);
    wiped().processors[index].store(kReady, std::memory_order_release);
  }

  INCORE_LARGE static Storage storage[kNumProcessors];
  static FastFault faults[kNumProcessors];
  // Odd while a processor is taken, else the number of times that it was. 0: it is none yet. Not
  // wiped by fork, so that no number comes back.
  static std::atomic<Word> versions[kNumProcessors];

  padlock::Processor* processor_ = nullptr;
  unsigned index_ = 0;
};

// A processor that is only read, and not taken for that. Others may take it meanwhile, so that what
// was read counts only if it is_unchanged() afterwards.
class SharedProcessor {
 public:
  explicit SharedProcessor(unsigned index)
      : index_(index), version_(PooledProcessor::versions[index].load(std::memory_order_acquire)) {}

  // Null: it is taken, or there is none.
  const padlock::Processor* get() const {
    return version_ == 0 || version_ % 2 != 0 ? nullptr : PooledProcessor::processor_at(index_);
  }
  bool is_unchanged() const {
    std::atomic_thread_fence(std::memory_order_acquire);  // no instruction on x86
    return PooledProcessor::versions[index_].load(std::memory_order_relaxed) == version_;
  }

 private:
  const unsigned index_;
  const Word version_;
};

}  // namespace incore::run
