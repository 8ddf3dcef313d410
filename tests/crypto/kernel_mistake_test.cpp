// What INCORE_KERNEL may say: choice and messages agree on what is wrong.
#include <gtest/gtest.h>

#include <string>

#include "crypto/kernel_choice.h"
#include "crypto/sha/sha_kernel.h"
#include "support/machine.h"

namespace incore {
namespace {

using test::machine_with;
const Machine kNothing = machine_with(FeatureSet());

TEST(kernel_mistake, each_kind_names_its_part) {
  const struct {
    const char* environment;
    KernelMistake::Kind kind;
    const char* part;
  } cases[] = {
    {nullptr, KernelMistake::none, ""},
    {"", KernelMistake::none, ""},
    {"sha1:portable", KernelMistake::none, ""},
    {"sha1:portable,sha256:portable,", KernelMistake::none, ""},
    {"portable", KernelMistake::not_a_pair, "portable"},
    {"sha1:portable,,sha256:portable", KernelMistake::not_a_pair, ""},
    {"sha1:portable,sha256", KernelMistake::not_a_pair, "sha256"},
    {"md5:portable", KernelMistake::unknown_algorithm, "md5"},
    {":portable", KernelMistake::unknown_algorithm, ""},
    {"SHA1:portable", KernelMistake::unknown_algorithm, "SHA1"},
    {"sha1:", KernelMistake::unknown_kernel, ""},
    {"sha256:portable,sha1:portables", KernelMistake::unknown_kernel, "portables"},
    {"sha1:portabl", KernelMistake::unknown_kernel, "portabl"},
#if defined(__x86_64__) || defined(__i386__)
    {"sha1:shani", KernelMistake::cannot_run, "shani"},
#endif
  };
  for (const auto& c : cases) {
    const KernelMistake mistake = find_kernel_mistake(kNothing, c.environment);
    EXPECT_EQ(mistake.kind, c.kind) << c.environment;
    EXPECT_EQ(std::string(mistake.part == nullptr ? "" : mistake.part, mistake.part_len), c.part);
    // A wrong environment fails every choice, also that of an algorithm that it does not name.
    const KernelChoice choice = choose_kernel(sha512_kernel_list, kNothing, c.environment);
    EXPECT_EQ(choice.kernel == nullptr, c.kind != KernelMistake::none) << c.environment;
  }
}

TEST(kernel_mistake, without_features_the_portable_kernel_serves) {
  for (const KernelList* list : {&sha1_kernel_list, &sha256_kernel_list, &sha512_kernel_list}) {
    const KernelChoice choice = choose_kernel(*list, kNothing, nullptr);
    ASSERT_NE(choice.kernel, nullptr);
    EXPECT_STREQ(choice.kernel->name, "portable");
    EXPECT_FALSE(choice.forced);
    EXPECT_TRUE(
        choose_kernel(*list, kNothing, "sha1:portable,sha256:portable,sha512:portable").forced);
  }
}

// Every name of features.def finds the kernel that it says, in each list whose kernel of that name
// needs the feature; what is found, and what is printed, has one spelling.
TEST(kernel_mistake, a_kernel_may_be_called_by_the_feature_that_it_is_named_for) {
  size_t num_lists = 0, num_found = 0;
  const KernelList* const* lists = kernel_lists(&num_lists);
  Machine all = machine_with(FeatureSet());
  for (unsigned f = 0; f < kNumFeatures; ++f) all.available.add(static_cast<Feature>(f));
  for (size_t l = 0; l < num_lists; ++l)
    for (size_t i = 0; i < lists[l]->num_kernels; ++i)
      for (unsigned f = 0; f < kNumFeatures; ++f) {
        const KernelInfo& kernel = *lists[l]->kernels[i];
        const Feature feature = static_cast<Feature>(f);
        if (!kernel.needs.has(feature) || std::string(feature_kernel(feature)) != kernel.name)
          continue;
        const std::string by_feature =
            std::string(lists[l]->algorithm) + ':' + feature_name(feature);
        EXPECT_EQ(choose_kernel(*lists[l], all, by_feature.c_str()).kernel, &kernel) << by_feature;
        const KernelMistake mistake = find_kernel_mistake(kNothing, by_feature.c_str());
        EXPECT_EQ(mistake.kind, KernelMistake::cannot_run) << by_feature;
        EXPECT_EQ(std::string(mistake.part, mistake.part_len), kernel.name);
        ++num_found;
      }
  const bool has_kernels =
      feature_is_possible(Feature::sha_ni) || feature_is_possible(Feature::vcrypto);
  EXPECT_GE(num_found, has_kernels ? 5u : 0u);
}

TEST(kernel_mistake, a_feature_that_a_kernel_is_not_named_for_is_no_kernel) {
  for (const char* environment : {"aes:ssse3", "aes:padlock_pmm", "sha256:pclmulqdq", "aes:gfni",
                                  "sha256:sha-ni", "sha256:sha_n", "sha256:SHA_NI"})
    EXPECT_EQ(find_kernel_mistake(kNothing, environment).kind, KernelMistake::unknown_kernel)
        << environment;
}

// One spelling: features.def names each kernel, for a feature that it needs. What comes behind an
// underscore tells two kernels for one feature apart.
TEST(kernel_mistake, kernels_have_the_names_of_the_table) {
  size_t num_lists = 0;
  const KernelList* const* lists = kernel_lists(&num_lists);
  for (size_t l = 0; l < num_lists; ++l)
    for (size_t i = 0; i < lists[l]->num_kernels; ++i) {
      const KernelInfo& kernel = *lists[l]->kernels[i];
      const std::string name = kernel.name, first_part = name.substr(0, name.find('_'));
      bool is_in_table = name == "portable";
      for (unsigned f = 0; f < kNumFeatures; ++f)
        is_in_table |= kernel.needs.has(static_cast<Feature>(f)) &&
                       first_part == feature_kernel(static_cast<Feature>(f));
      EXPECT_TRUE(is_in_table) << lists[l]->algorithm << ':' << name;
    }
}

#if defined(__x86_64__) || defined(__i386__)
TEST(kernel_mistake, sha_ni_is_chosen_only_with_all_it_needs) {
  const Machine all = machine_with(FeatureSet(Feature::sha_ni, Feature::ssse3, Feature::sse4_1));
  EXPECT_STREQ(choose_kernel(sha256_kernel_list, all, nullptr).kernel->name, "shani");
  EXPECT_STREQ(choose_kernel(sha256_kernel_list, machine_with(FeatureSet(Feature::sha_ni)), nullptr)
                   .kernel->name,
               "portable");
  EXPECT_STREQ(choose_kernel(sha256_kernel_list, all, "sha256:portable").kernel->name, "portable");
  EXPECT_STREQ(choose_kernel(sha256_kernel_list, all, "sha1:portable").kernel->name, "shani");
}
#endif

}  // namespace
}  // namespace incore
