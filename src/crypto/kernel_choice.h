// How an algorithm finds its kernel: the first record, in the order of the algorithm's .def file, whose features this
// CPU has; or the one that INCORE_KERNEL names. The choice is made once, at first use, and then stays.
//
// INCORE_KERNEL is a comma-separated list of algorithm:kernel pairs, such as "aes:portable,sha256:shani". An
// algorithm or kernel that does not exist, or that this CPU cannot run, makes every choice fail (no silent fallback).
#pragma once

#include <cstddef>

#include "cpu/cpu.h"

namespace incore {

// What all kernel records begin with.
struct KernelInfo {
  const char* name;    // "portable", "aesni", ...: one spelling everywhere
  FeatureSet needs;
};

// One algorithm's kernels, best first. The last one needs no features.
struct KernelList {
  const char* algorithm;             // "aes", "sha1", ...
  const KernelInfo* const* kernels;  // best first
  size_t num_kernels;
};

// All algorithms that have kernels, in the order of algorithms.def.
const KernelList* kernel_lists(size_t* out_num_lists);

struct KernelChoice {
  const KernelInfo* kernel;  // null: the environment named something unknown or unusable
  bool forced;               // by the environment
};

// Chooses by |environment| (the value of INCORE_KERNEL, may be null) among |list| for a CPU with |available|.
// The whole of |environment| must be valid, also what it says of other algorithms.
KernelChoice choose_kernel(const KernelList& list, FeatureSet available, const char* environment);

// choose_kernel with this CPU's features and this process's environment.
KernelChoice choose_kernel(const KernelList& list);

}  // namespace incore
