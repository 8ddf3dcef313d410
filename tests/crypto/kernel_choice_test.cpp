// INCORE_KERNEL and the choice of kernels, on a list made up for the purpose and on that of AES.
#include "crypto/kernel_choice.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "crypto/aes/aes_kernel.h"
#include "support/machine.h"

namespace incore {
namespace {

const KernelInfo kFast = {"fast", FeatureSet(Feature::aes, Feature::ssse3)};
const KernelInfo kMedium = {"medium", FeatureSet(Feature::ssse3)};
const KernelInfo kPlain = {"portable", FeatureSet()};
const KernelInfo* const kKernels[] = {&kFast, &kMedium, &kPlain};
TestedKernels tested;
bool never_asked(const KernelInfo&) {
  ADD_FAILURE() << "a self-test ran";
  return false;
}
const KernelList kExample = {"example", kKernels, 3, never_asked, &tested};

using test::machine_with;
const Machine kNoFeatures = machine_with(FeatureSet());

Machine all_features() {
  FeatureSet all;
  for (unsigned f = 0; f < kNumFeatures; ++f) all.add(static_cast<Feature>(f));
  return machine_with(all);
}

void expect_refused(const char* environment, const Machine& machine) {
  const KernelChoice choice = choose_kernel(aes_kernel_list, machine, environment);
  EXPECT_EQ(choice.kernel, nullptr) << environment;
}

TEST(kernel_choice, takes_the_first_kernel_whose_features_are_all_there) {
  EXPECT_EQ(choose_kernel(kExample, all_features(), nullptr).kernel, &kFast);
  EXPECT_EQ(choose_kernel(kExample, machine_with(FeatureSet(Feature::ssse3)), nullptr).kernel,
            &kMedium);
  EXPECT_EQ(choose_kernel(kExample, machine_with(FeatureSet(Feature::aes)), nullptr).kernel,
            &kPlain);
  EXPECT_EQ(choose_kernel(kExample, kNoFeatures, nullptr).kernel, &kPlain);
  EXPECT_FALSE(choose_kernel(kExample, all_features(), nullptr).forced);
  EXPECT_EQ(choose_kernel(kExample, all_features(), "").kernel, &kFast);
  EXPECT_FALSE(choose_kernel(kExample, all_features(), "").forced);
}

TEST(kernel_choice, the_environment_forces_a_kernel) {
  const KernelChoice choice = choose_kernel(aes_kernel_list, all_features(), "aes:portable");
  EXPECT_EQ(choice.kernel, &aes_portable.info);
  EXPECT_TRUE(choice.forced);
  for (size_t i = 0; i < aes_kernel_list.num_kernels; ++i) {
    const KernelInfo* kernel = aes_kernel_list.kernels[i];
    const std::string environment = std::string("aes:") + kernel->name;
    EXPECT_EQ(choose_kernel(aes_kernel_list, all_features(), environment.c_str()).kernel, kernel);
  }
}

TEST(kernel_choice, the_last_of_two_entries_for_an_algorithm_counts) {
  const std::string best = aes_kernel_list.kernels[0]->name;
  EXPECT_EQ(
      choose_kernel(aes_kernel_list, all_features(), ("aes:" + best + ",aes:portable").c_str())
          .kernel,
      &aes_portable.info);
}

TEST(kernel_choice, entries_for_another_algorithm_are_checked_but_do_not_force) {
  const KernelChoice choice = choose_kernel(kExample, all_features(), "aes:portable");
  EXPECT_EQ(choice.kernel, &kFast);
  EXPECT_FALSE(choice.forced);
  EXPECT_EQ(choose_kernel(kExample, all_features(), "aes:nonsense").kernel, nullptr);
}

TEST(kernel_choice, an_unknown_name_is_refused) {
  expect_refused("aes:nonsense", all_features());
  expect_refused("aes:portabl", all_features());
  expect_refused("aes:portable2", all_features());
  expect_refused("aes:Portable", all_features());
  expect_refused("nonsense:portable", all_features());
  expect_refused("AES:portable", all_features());
  expect_refused("aes:portable,nonsense:portable", all_features());
  expect_refused("nonsense:portable,aes:portable", all_features());
}

TEST(kernel_choice, malformed_text_is_refused) {
  for (const char* text :
       {"aes", "aes:", ":portable", ":", ",", "portable", "aes portable", "aes:portable:portable",
        "aes: portable", " aes:portable", "aes:portable,,aes:portable", ",aes:portable",
        "aes=portable", "aes:portable;aes:portable"})
    expect_refused(text, all_features());
}

TEST(kernel_choice, a_kernel_that_the_cpu_cannot_run_is_refused) {
  size_t num_refused = 0;
  for (size_t i = 0; i < aes_kernel_list.num_kernels; ++i) {
    if (aes_kernel_list.kernels[i]->needs.empty()) continue;
    expect_refused((std::string("aes:") + aes_kernel_list.kernels[i]->name).c_str(), kNoFeatures);
    ++num_refused;
  }
  if (num_refused == 0) GTEST_SKIP() << "this build has no kernel that needs a feature";
}

TEST(kernel_choice, the_lists_are_those_of_the_def_file_and_end_with_a_kernel_for_every_cpu) {
  size_t num_lists = 0;
  const KernelList* const* lists = kernel_lists(&num_lists);
  const char* const names[] = {
#define X(algorithm) #algorithm,
#include "crypto/algorithms.def"
#undef X
  };
  ASSERT_EQ(num_lists, std::size(names));
  for (size_t i = 0; i < num_lists; ++i) {
    EXPECT_STREQ(lists[i]->algorithm, names[i]);
    ASSERT_GT(lists[i]->num_kernels, 0u);
    EXPECT_TRUE(lists[i]->kernels[lists[i]->num_kernels - 1]->needs.empty()) << names[i];
    std::set<std::string> seen;
    for (size_t k = 0; k < lists[i]->num_kernels; ++k)
      EXPECT_TRUE(seen.insert(lists[i]->kernels[k]->name).second) << names[i];
  }
}

TEST(kernel_choice, the_process_keeps_the_kernel_of_its_first_choice) {
  const AesKernel* first = aes_kernel();
  EXPECT_EQ(first, reinterpret_cast<const AesKernel*>(choose_kernel(aes_kernel_list).kernel));
  EXPECT_EQ(aes_kernel(), first);
}

}  // namespace
}  // namespace incore
