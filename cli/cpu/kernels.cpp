#include "cli/cpu/kernels.h"

#include <fmt/format.h>

#include <stdexcept>

#include "cli/command.h"
#include "tools/base/require_ok.h"

namespace incore::cli {
namespace {

bool serves(size_t algorithm, size_t index) {
  return kernel(algorithm, index).missing == 0 && !fails_self_test(algorithm, index);
}

}  // namespace

incore_cpu_feature feature(size_t index) {
  incore_cpu_feature result;
  require_ok(incore_cpu_get_feature(index, &result));
  return result;
}

incore_cpu_kernel kernel(size_t algorithm, size_t index) {
  incore_cpu_kernel result;
  require_ok(incore_cpu_get_kernel(algorithm, index, &result));
  return result;
}

bool fails_self_test(size_t algorithm, size_t index) {
  int passes = 0;
  require_ok(incore_cpu_self_test(algorithm, index, &passes));
  return passes == 0;
}

std::vector<std::string> feature_names(uint64_t set) {
  std::vector<std::string> names;
  for (size_t i = 0; i < incore_cpu_num_features(); ++i)
    if ((set >> i & 1) != 0) names.push_back(feature(i).name);
  return names;
}

std::string words(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& word : list) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string algorithm_names() {
  std::vector<std::string> names;
  for (size_t i = 0; i < incore_cpu_num_algorithms(); ++i)
    names.push_back(incore_cpu_algorithm_name(i));
  return words(names);
}

std::string kernel_names(size_t algorithm, bool usable_only) {
  std::vector<std::string> names;
  for (size_t i = 0; i < incore_cpu_num_kernels(algorithm); ++i)
    if (!usable_only || serves(algorithm, i)) names.push_back(kernel(algorithm, i).name);
  return words(names);
}

size_t chosen_kernel(size_t algorithm) {
  for (size_t i = 0; i < incore_cpu_num_kernels(algorithm); ++i)
    if (kernel(algorithm, i).chosen != 0) return i;
  throw std::logic_error("no kernel serves " + std::string(incore_cpu_algorithm_name(algorithm)));
}

std::string reason(size_t algorithm, size_t chosen) {
  std::string text;
  if (kernel(algorithm, chosen).forced != 0)
    text = "forced by INCORE_KERNEL";
  else if (chosen == 0)
    text = "the best there is";
  else
    text = "the best that this CPU runs";
  for (size_t i = 0; i < chosen; ++i) {
    const incore_cpu_kernel better = kernel(algorithm, i);
    if (better.missing != 0)
      text += fmt::format("; {} lacks {}", better.name, words(feature_names(better.missing)));
    else if (fails_self_test(algorithm, i))
      text += fmt::format("; {} fails its self-test", better.name);
    else
      text += fmt::format("; {} is better and would run", better.name);
  }
  return text;
}

}  // namespace incore::cli
