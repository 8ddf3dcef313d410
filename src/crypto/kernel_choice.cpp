// The one place where kernels are chosen.
#include "crypto/kernel_choice.h"

#include <cstring>

#include "base/environment.h"

namespace incore {

#define X(algorithm) extern const KernelList algorithm##_kernel_list;
#include "crypto/algorithms.def"
#undef X

namespace {

const KernelList* const kLists[] = {
#define X(algorithm) &algorithm##_kernel_list,
#include "crypto/algorithms.def"
#undef X
    nullptr,
};
constexpr size_t kNumLists = sizeof kLists / sizeof kLists[0] - 1;

// A piece of the environment's text; not terminated.
struct Text {
  const char* begin;
  size_t len;
  bool is(const char* word) const {
    return std::strlen(word) == len && std::memcmp(begin, word, len) == 0;
  }
};

const KernelList* find_list(Text algorithm) {
  for (size_t i = 0; i < kNumLists; ++i)
    if (algorithm.is(kLists[i]->algorithm)) return kLists[i];
  return nullptr;
}

// By its name, or by that of a feature that it needs and is named for (features.def).
const KernelInfo* find_kernel(const KernelList& list, Text name) {
  for (size_t i = 0; i < list.num_kernels; ++i)
    if (name.is(list.kernels[i]->name)) return list.kernels[i];
  for (size_t i = 0; i < list.num_kernels; ++i)
    for (unsigned f = 0; f < kNumFeatures; ++f) {
      const Feature feature = static_cast<Feature>(f);
      if (name.is(feature_name(feature)) && list.kernels[i]->needs.has(feature) &&
          std::strcmp(feature_kernel(feature), list.kernels[i]->name) == 0)
        return list.kernels[i];
    }
  return nullptr;
}

// Reads |environment|; |on_pair| gets each algorithm:kernel in it. Stops at the first that is
// wrong.
template <class OnPair>
KernelMistake read_environment(const Machine& machine, const char* environment, OnPair on_pair) {
  for (const char* p = environment; p != nullptr && *p != 0;) {
    const size_t entry_len = std::strcspn(p, ",");
    const size_t algorithm_len = std::strcspn(p, ":,");
    if (algorithm_len >= entry_len)
      return {KernelMistake::not_a_pair, p, entry_len, nullptr, nullptr};
    const KernelList* list = find_list({p, algorithm_len});
    if (list == nullptr)
      return {KernelMistake::unknown_algorithm, p, algorithm_len, nullptr, nullptr};
    const Text name = {p + algorithm_len + 1, entry_len - algorithm_len - 1};
    const KernelInfo* kernel = find_kernel(*list, name);
    if (kernel == nullptr)
      return {KernelMistake::unknown_kernel, name.begin, name.len, list, nullptr};
    if (!machine.available.has_all(kernel->needs))
      return {KernelMistake::cannot_run, kernel->name, std::strlen(kernel->name), list, kernel};
    if (!machine.passes(*list, *kernel))
      return {KernelMistake::fails_self_test, kernel->name, std::strlen(kernel->name), list,
              kernel};
    on_pair(*list, *kernel);
    p += entry_len + (p[entry_len] == ',' ? 1 : 0);
  }
  return {KernelMistake::none, nullptr, 0, nullptr, nullptr};
}

}  // namespace

const KernelList* const* kernel_lists(size_t* out_num_lists) {
  *out_num_lists = kNumLists;
  return kLists;
}

KernelMistake find_kernel_mistake(const Machine& machine, const char* environment) {
  return read_environment(machine, environment, [](const KernelList&, const KernelInfo&) {});
}

KernelChoice choose_kernel(const KernelList& list, const Machine& machine,
                           const char* environment) {
  const KernelInfo* forced = nullptr;
  const KernelMistake mistake = read_environment(
      machine, environment, [&](const KernelList& named_list, const KernelInfo& kernel) {
        if (std::strcmp(named_list.algorithm, list.algorithm) == 0) forced = &kernel;
      });
  if (mistake.kind != KernelMistake::none) return {nullptr, true};
  if (forced != nullptr) return {forced, true};
  return {best_kernel(list, machine), false};
}

Machine this_machine() {
  return {detect_features(), passes_self_test};
}

KernelChoice choose_kernel(const KernelList& list) {
  return choose_kernel(list, this_machine(), trusted_environment("INCORE_KERNEL"));
}

}  // namespace incore
