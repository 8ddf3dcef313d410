// The one place where kernels are chosen.
#include "crypto/kernel_choice.h"

#include <cstdlib>
#include <cstring>

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

const KernelInfo* find_kernel(const KernelList& list, Text name) {
  for (size_t i = 0; i < list.num_kernels; ++i)
    if (name.is(list.kernels[i]->name)) return list.kernels[i];
  return nullptr;
}

}  // namespace

const KernelList* const* kernel_lists(size_t* out_num_lists) {
  *out_num_lists = kNumLists;
  return kLists;
}

KernelChoice choose_kernel(const KernelList& list, FeatureSet available, const char* environment) {
  const KernelInfo* forced = nullptr;
  for (const char* p = environment; p != nullptr && *p != 0;) {
    const size_t entry_len = std::strcspn(p, ",");
    const size_t algorithm_len = std::strcspn(p, ":,");
    if (algorithm_len >= entry_len) return {nullptr, true};
    const KernelList* named_list = find_list({p, algorithm_len});
    if (named_list == nullptr) return {nullptr, true};
    const Text name = {p + algorithm_len + 1, entry_len - algorithm_len - 1};
    const KernelInfo* named = find_kernel(*named_list, name);
    if (named == nullptr || !available.has_all(named->needs)) return {nullptr, true};
    if (std::strcmp(named_list->algorithm, list.algorithm) == 0) forced = named;
    p += entry_len + (p[entry_len] == ',' ? 1 : 0);
  }
  if (forced != nullptr) return {forced, true};
  for (size_t i = 0; i < list.num_kernels; ++i)
    if (available.has_all(list.kernels[i]->needs)) return {list.kernels[i], false};
  return {nullptr, false};
}

KernelChoice choose_kernel(const KernelList& list) {
  return choose_kernel(list, detect_features(), std::getenv("INCORE_KERNEL"));
}

}  // namespace incore
