// What `incore cpu` and messages about INCORE_KERNEL say of features and kernels.
#pragma once

#include <string>
#include <vector>

#include "incore/cpu.h"

namespace incore::cli {

incore_cpu_feature feature(size_t index);
incore_cpu_kernel kernel(size_t algorithm, size_t index);

// Of a kernel that this CPU can run.
bool fails_self_test(size_t algorithm, size_t index);

std::vector<std::string> feature_names(uint64_t set);
std::string words(const std::vector<std::string>& list);
std::string algorithm_names();

// The kernels of |algorithm| by name; only those that can serve here if |usable_only|.
std::string kernel_names(size_t algorithm, bool usable_only);

size_t chosen_kernel(size_t algorithm);

// Why the kernel |chosen| serves, and what stands against the better ones.
std::string reason(size_t algorithm, size_t chosen);

}  // namespace incore::cli
