// The C interface to features and kernel choice.
#include "incore/cpu.h"

#include "cpu/cache_line.h"
#include "crypto/kernel_choice.h"

namespace incore {
namespace {

uint64_t word(FeatureSet features) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < kNumFeatures; ++i)
    if (features.has(static_cast<Feature>(i))) bits |= uint64_t{1} << i;
  return bits;
}

// Null if there is no such algorithm.
const KernelList* kernel_list(size_t algorithm) {
  size_t num_lists = 0;
  const KernelList* const* lists = kernel_lists(&num_lists);
  return algorithm < num_lists ? lists[algorithm] : nullptr;
}

}  // namespace
}  // namespace incore

using namespace incore;

size_t incore_cpu_num_features(void) {
  return kNumFeatures;
}

incore_status incore_cpu_get_feature(size_t feature, incore_cpu_feature* out_feature) {
  if (out_feature == nullptr) return INCORE_ERROR_NULL;
  if (feature >= kNumFeatures) return INCORE_ERROR_RANGE;
  const Feature f = static_cast<Feature>(feature);
  *out_feature = {feature_name(f), feature_source(f), detect_features().has(f) ? 1 : 0,
                  feature_is_possible(f) ? 1 : 0};
  return INCORE_OK;
}

size_t incore_cpu_num_words(void) {
  return num_machine_words();
}

incore_status incore_cpu_get_word(size_t word, incore_cpu_word* out_word) {
  if (out_word == nullptr) return INCORE_ERROR_NULL;
  if (word >= num_machine_words()) return INCORE_ERROR_RANGE;
  const MachineWord w = machine_word(static_cast<unsigned>(word));
  *out_word = {w.name, w.value, w.bit_names != nullptr ? 1 : 0};
  return INCORE_OK;
}

const char* incore_cpu_word_bit_name(size_t word, unsigned bit) {
  if (word >= num_machine_words() || bit >= 32) return nullptr;
  const MachineWord w = machine_word(static_cast<unsigned>(word));
  return w.bit_names == nullptr ? nullptr : w.bit_names[bit];
}

size_t incore_cpu_l1_data_line(void) {
  return l1_data_line();
}

size_t incore_cpu_num_algorithms(void) {
  size_t num_lists = 0;
  kernel_lists(&num_lists);
  return num_lists;
}

const char* incore_cpu_algorithm_name(size_t algorithm) {
  const KernelList* list = kernel_list(algorithm);
  return list == nullptr ? nullptr : list->algorithm;
}

size_t incore_cpu_num_kernels(size_t algorithm) {
  const KernelList* list = kernel_list(algorithm);
  return list == nullptr ? 0 : list->num_kernels;
}

incore_status incore_cpu_get_kernel(size_t algorithm, size_t kernel,
                                    incore_cpu_kernel* out_kernel) {
  if (out_kernel == nullptr) return INCORE_ERROR_NULL;
  const KernelList* list = kernel_list(algorithm);
  if (list == nullptr || kernel >= list->num_kernels) return INCORE_ERROR_RANGE;
  const KernelInfo* info = list->kernels[kernel];
  const KernelChoice choice = choose_kernel(*list);
  const bool chosen = choice.kernel == info;
  *out_kernel = {info->name, word(info->needs), word(info->needs.missing_from(detect_features())),
                 chosen ? 1 : 0, chosen && choice.forced ? 1 : 0};
  return INCORE_OK;
}

incore_status incore_cpu_self_test(size_t algorithm, size_t kernel, int* out_passes) {
  if (out_passes == nullptr) return INCORE_ERROR_NULL;
  const KernelList* list = kernel_list(algorithm);
  if (list == nullptr || kernel >= list->num_kernels) return INCORE_ERROR_RANGE;
  const KernelInfo& info = *list->kernels[kernel];
  if (!detect_features().has_all(info.needs)) return INCORE_ERROR_UNSUPPORTED;
  *out_passes = passes_self_test(*list, info) ? 1 : 0;
  return INCORE_OK;
}

incore_status incore_cpu_check_environment(const char* environment, const char** out_part,
                                           size_t* out_part_len, size_t* out_algorithm) {
  if (out_part == nullptr || out_part_len == nullptr || out_algorithm == nullptr)
    return INCORE_ERROR_NULL;
  const KernelMistake mistake = find_kernel_mistake(this_machine(), environment);
  if (mistake.kind == KernelMistake::none) return INCORE_OK;
  *out_part = mistake.part;
  *out_part_len = mistake.part_len;
  if (mistake.list != nullptr)
    for (size_t i = 0; kernel_list(i) != nullptr; ++i)
      if (kernel_list(i) == mistake.list) *out_algorithm = i;
  switch (mistake.kind) {
    case KernelMistake::not_a_pair:
      return INCORE_ERROR_FORMAT;
    case KernelMistake::unknown_algorithm:
      return INCORE_ERROR_ALGORITHM;
    case KernelMistake::unknown_kernel:
      return INCORE_ERROR_KERNEL;
    default:
      return INCORE_ERROR_UNSUPPORTED;
  }
}
