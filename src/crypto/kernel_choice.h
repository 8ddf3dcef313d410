// How an algorithm finds its kernel: the first record, in the order of the algorithm's .def file,
// whose features this CPU has and which passes its self-test; or the one that INCORE_KERNEL names.
// The choice is made once, at first use, and then stays.
//
// INCORE_KERNEL is a comma-separated list of algorithm:kernel pairs, such as
// "aes:portable,sha256:shani"; a kernel may be called by the feature that it is named for, as in
// "sha256:sha_ni" (cpu/features.def). An algorithm or kernel that does not exist, that this CPU
// cannot run or that fails its self-test makes every choice fail (no silent fallback).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "cpu/cpu.h"

namespace incore {

// What all kernel records begin with.
struct KernelInfo {
  const char* name;  // "portable", "aesni", ...: one spelling everywhere
  FeatureSet needs;
};

// What self-tests have found: bit i is for kernel i of a list. Threads that meet find the same.
struct TestedKernels {
  std::atomic<uint32_t> passed{0}, failed{0};
};

// One algorithm's kernels, best first. The last one needs no features.
struct KernelList {
  const char* algorithm;             // "aes", "sha1", ...
  const KernelInfo* const* kernels;  // best first
  size_t num_kernels;                // at most 32
  // True if |kernel| gives the known answers (crypto/self_test.h).
  bool (*self_test)(const KernelInfo& kernel);
  TestedKernels* tested;
};

template <size_t kNum>
constexpr KernelList kernel_list_of(const char* algorithm, const KernelInfo* const (&kernels)[kNum],
                                    bool (*self_test)(const KernelInfo& kernel),
                                    TestedKernels* tested) {
  return {algorithm, kernels, kNum, self_test, tested};
}

// Whether |kernel| of |list|, all of whose features this CPU has, passes its self-test, which runs
// when this is first asked. Two kinds of kernels pass untested. Those that need no features: there
// is no instruction to doubt, and none that could serve in their place. And PadLock's: `incore run`
// counts what a program does with PadLock, and would take the test for a use.
bool passes_self_test(const KernelList& list, const KernelInfo& kernel);

// All algorithms that have kernels, in the order of algorithms.def. Pointers, so that they are
// there before any constructor of the process runs.
const KernelList* const* kernel_lists(size_t* out_num_lists);

// What a choice depends on besides the environment.
struct Machine {
  FeatureSet available;
  bool (*passes)(const KernelList& list, const KernelInfo& kernel);  // asked if it can run

  bool runs(const KernelList& list, const KernelInfo& kernel) const {
    return available.has_all(kernel.needs) && passes(list, kernel);
  }
};

// This CPU.
Machine this_machine();

// The best kernel of |list| that |machine| runs, but for those that need any of |without|. Never
// null where no feature is needed for the last kernel.
inline const KernelInfo* best_kernel(const KernelList& list, const Machine& machine,
                                     FeatureSet without = {}) {
  for (size_t i = 0; i < list.num_kernels; ++i) {
    const KernelInfo* const kernel = list.kernels[i];
    if (!kernel->needs.has_any(without) && machine.runs(list, *kernel)) return kernel;
  }
  return nullptr;
}

struct KernelChoice {
  const KernelInfo* kernel;  // null: the environment named something unknown or unusable
  bool forced;               // by the environment
};

// Chooses by |environment| (the value of INCORE_KERNEL, may be null) among |list| for |machine|.
// The whole of |environment| must be valid, also what it says of other algorithms.
KernelChoice choose_kernel(const KernelList& list, const Machine& machine, const char* environment);

// What is wrong with a value of INCORE_KERNEL, for messages.
struct KernelMistake {
  enum Kind {
    none,
    not_a_pair,
    unknown_algorithm,
    unknown_kernel,
    cannot_run,
    fails_self_test
  } kind;
  const char* part;  // the wrong part, |part_len| bytes: of the environment, or the kernel's name
  size_t part_len;
  const KernelList* list;    // whose kernel was meant; null for the first three kinds
  const KernelInfo* kernel;  // which kernel is of no use; null for the other kinds
};

// The first mistake in |environment| for |machine|.
KernelMistake find_kernel_mistake(const Machine& machine, const char* environment);

// choose_kernel with this CPU and this process's environment.
KernelChoice choose_kernel(const KernelList& list);

// The choice for one algorithm, made by the first call of kernel() and kept. |Kernel| is a record
// that begins with its KernelInfo. Declare it constinit: it needs no constructor to run, and
// threads may meet in its first call.
template <class Kernel>
class ChosenKernel {
 public:
  constexpr explicit ChosenKernel(const KernelList& list) : list_(list) {}

  // Null if INCORE_KERNEL is wrong.
  const Kernel* kernel() {
    uintptr_t chosen = chosen_.load(std::memory_order_acquire);
    if (chosen == kNotYet) {
      const KernelInfo* info = choose_kernel(list_).kernel;
      const uintptr_t mine = info == nullptr ? kWrong : reinterpret_cast<uintptr_t>(info);
      if (chosen_.compare_exchange_strong(chosen, mine, std::memory_order_acq_rel)) chosen = mine;
    }
    return chosen == kWrong ? nullptr : reinterpret_cast<const Kernel*>(chosen);
  }

  // What kernel() would return without choosing; also null before its first call.
  const Kernel* if_chosen() const {
    const uintptr_t chosen = chosen_.load(std::memory_order_acquire);
    return chosen > kWrong ? reinterpret_cast<const Kernel*>(chosen) : nullptr;
  }

 private:
  static constexpr uintptr_t kNotYet = 0;
  static constexpr uintptr_t kWrong = 1;
  const KernelList& list_;
  std::atomic<uintptr_t> chosen_{kNotYet};
};

}  // namespace incore
