#include "incore/cpu.h"

#include <gtest/gtest.h>

#include <string>

namespace incore {
namespace {

TEST(capi_cpu, every_algorithm_has_one_chosen_kernel_and_one_that_runs_everywhere) {
  ASSERT_GE(incore_cpu_num_algorithms(), 5u);
  for (size_t i = 0; i < incore_cpu_num_algorithms(); ++i) {
    ASSERT_NE(incore_cpu_algorithm_name(i), nullptr);
    ASSERT_GE(incore_cpu_num_kernels(i), 1u);
    int num_chosen = 0;
    incore_cpu_kernel kernel = {};
    for (size_t j = 0; j < incore_cpu_num_kernels(i); ++j) {
      ASSERT_EQ(incore_cpu_get_kernel(i, j, &kernel), INCORE_OK);
      EXPECT_EQ(kernel.missing & ~kernel.needs, 0u);
      EXPECT_FALSE(kernel.chosen != 0 && kernel.missing != 0);
      num_chosen += kernel.chosen;
    }
    EXPECT_EQ(num_chosen, 1) << incore_cpu_algorithm_name(i);
    EXPECT_EQ(kernel.needs, 0u) << "the last kernel runs everywhere";
  }
}

TEST(capi_cpu, what_a_kernel_misses_are_features_that_are_absent) {
  uint64_t present = 0;
  for (size_t i = 0; i < incore_cpu_num_features(); ++i) {
    incore_cpu_feature feature;
    ASSERT_EQ(incore_cpu_get_feature(i, &feature), INCORE_OK);
    EXPECT_GT(std::string(feature.name).size(), 0u);
    EXPECT_GT(std::string(feature.source).size(), 0u);
    EXPECT_LE(feature.present, feature.possible);
    if (feature.present != 0) present |= uint64_t{1} << i;
  }
  for (size_t i = 0; i < incore_cpu_num_algorithms(); ++i)
    for (size_t j = 0; j < incore_cpu_num_kernels(i); ++j) {
      incore_cpu_kernel kernel;
      ASSERT_EQ(incore_cpu_get_kernel(i, j, &kernel), INCORE_OK);
      EXPECT_EQ(kernel.missing, kernel.needs & ~present);
    }
}

TEST(capi_cpu, words_are_there_on_power_alone) {
  const size_t num_words = incore_cpu_num_words();
#if defined(__powerpc64__)
  ASSERT_EQ(num_words, 5u);
  EXPECT_STREQ(incore_cpu_word_bit_name(0, 7), "vsx");
  EXPECT_STREQ(incore_cpu_word_bit_name(1, 25), "vcrypto");
  EXPECT_EQ(incore_cpu_word_bit_name(1, 0), nullptr);
  EXPECT_EQ(incore_cpu_word_bit_name(1, 32), nullptr);
  EXPECT_EQ(incore_cpu_word_bit_name(2, 7), nullptr) << "a number has no flags";
#else
  EXPECT_EQ(num_words, 0u);
#endif
  for (size_t i = 0; i < num_words; ++i) {
    incore_cpu_word word;
    ASSERT_EQ(incore_cpu_get_word(i, &word), INCORE_OK);
    EXPECT_EQ(word.is_flags, i < 2 ? 1 : 0) << word.name;
  }
  incore_cpu_word word;
  EXPECT_EQ(incore_cpu_get_word(0, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_cpu_get_word(num_words, &word), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_cpu_word_bit_name(num_words, 0), nullptr);
  EXPECT_GE(incore_cpu_l1_data_line(), 16u);
}

TEST(capi_cpu, wrong_arguments_have_their_statuses) {
  incore_cpu_feature feature;
  incore_cpu_kernel kernel;
  const char* part = nullptr;
  size_t part_len = 0, algorithm = 99;
  EXPECT_EQ(incore_cpu_get_feature(0, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_cpu_get_feature(incore_cpu_num_features(), &feature), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_cpu_get_kernel(0, 0, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_cpu_get_kernel(incore_cpu_num_algorithms(), 0, &kernel), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_cpu_get_kernel(0, incore_cpu_num_kernels(0), &kernel), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_cpu_num_kernels(incore_cpu_num_algorithms()), 0u);
  EXPECT_EQ(incore_cpu_algorithm_name(incore_cpu_num_algorithms()), nullptr);

  EXPECT_EQ(incore_cpu_check_environment("x", nullptr, &part_len, &algorithm), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_cpu_check_environment(nullptr, &part, &part_len, &algorithm), INCORE_OK);
  EXPECT_EQ(incore_cpu_check_environment("sha1", &part, &part_len, &algorithm),
            INCORE_ERROR_FORMAT);
  EXPECT_EQ(incore_cpu_check_environment("x:y", &part, &part_len, &algorithm),
            INCORE_ERROR_ALGORITHM);
  EXPECT_EQ(std::string(part, part_len), "x");
  EXPECT_EQ(algorithm, 99u);
  EXPECT_EQ(incore_cpu_check_environment("sha512:y", &part, &part_len, &algorithm),
            INCORE_ERROR_KERNEL);
  EXPECT_EQ(std::string(part, part_len), "y");
  EXPECT_STREQ(incore_cpu_algorithm_name(algorithm), "sha512");
}

}  // namespace
}  // namespace incore
