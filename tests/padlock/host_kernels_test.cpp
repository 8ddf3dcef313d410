// Which kernels the emulated processor computes with: none that uses more than XMM registers, none
// that the CPU lacks, never PadLock's own.
#include <gtest/gtest.h>

#include <string>

#include "padlock/processor.h"

namespace incore::padlock {
namespace {

FeatureSet all_features() {
  FeatureSet all;
  for (unsigned f = 0; f < kNumFeatures; ++f) all.add(static_cast<Feature>(f));
  return all;
}

template <class Check>
void for_each_kernel(const HostKernels& kernels, Check check) {
  for (const KernelInfo* info :
       {&kernels.aes->info, &kernels.sha1->info, &kernels.sha256->info, &kernels.sha512->info})
    check(*info);
}

TEST(host_kernels, with_all_features_need_no_register_wider_than_xmm) {
  const FeatureSet wide(Feature::avx2, Feature::vaes, Feature::vpclmulqdq, Feature::avx512,
                        Feature::avx512ifma);
  for_each_kernel(HostKernels::choose(all_features()), [&](const KernelInfo& info) {
    EXPECT_FALSE(info.needs.has_any(wide)) << info.name;
    EXPECT_STRNE(info.name, "padlock");
  });
#if defined(__x86_64__) || defined(__i386__)
  EXPECT_STREQ(HostKernels::choose(all_features()).aes->info.name, "aesni");
#endif
}

#if defined(__x86_64__)
TEST(host_kernels, pass_over_aes_kernels_that_stand_before_theirs) {
  EXPECT_STREQ(aes_kernel_list.kernels[0]->name, "vaes");
  EXPECT_STREQ(aes_kernel_list.kernels[1]->name, "vaes_avx2");
}
#endif

TEST(host_kernels, of_a_cpu_without_features_are_the_portable_ones) {
  for_each_kernel(HostKernels::choose(FeatureSet()),
                  [](const KernelInfo& info) { EXPECT_STREQ(info.name, "portable"); });
}

}  // namespace
}  // namespace incore::padlock
