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

#if defined(__x86_64__) || defined(__i386__)
TEST(kernel_mistake, sha_ni_is_chosen_only_with_all_it_needs) {
  const Machine all = machine_with(FeatureSet(Feature::sha_ni, Feature::ssse3, Feature::sse41));
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
