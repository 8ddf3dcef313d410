// incore/rng.h as its users call it.
#include "incore/rng.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

size_t counted(void* context, uint8_t* out, size_t len) {
  auto* const next = static_cast<uint64_t*>(context);
  for (size_t i = 0; i < len; ++i) out[i] = static_cast<uint8_t>((*next)++ * 167 >> 3);
  return len;
}
size_t stuck(void*, uint8_t* out, size_t len) {
  std::memset(out, 0x55, len);
  return len;
}
size_t dead(void*, uint8_t*, size_t) {
  return 0;
}

bool all_zero(const void* memory, size_t len) {
  const auto* const bytes = static_cast<const uint8_t*>(memory);
  for (size_t i = 0; i < len; ++i)
    if (bytes[i] != 0) return false;
  return true;
}

TEST(capi_rng, sources_have_names_and_say_what_is_missing) {
  std::set<std::string> names;
  bool any_available = false;
  for (size_t i = 0; i < incore_rng_num_sources(); ++i) {
    incore_rng_source about;
    ASSERT_EQ(incore_rng_get_source(i, &about), INCORE_OK);
    names.insert(about.name);
    EXPECT_GT(std::strlen(about.summary), 10u);
    EXPECT_EQ(about.missing == nullptr, about.available != 0) << about.name;
    size_t found = ~size_t{0};
    EXPECT_EQ(incore_rng_find_source(about.name, &found), INCORE_OK);
    EXPECT_EQ(found, i);
    size_t best = 0;
    if (about.available != 0 && !any_available) {
      EXPECT_EQ(incore_rng_find_source(nullptr, &best), INCORE_OK);
      EXPECT_EQ(best, i) << "the first one available";
    }
    any_available = any_available || about.available != 0;
    incore_rng rng;
    if (about.available == 0) {
      EXPECT_EQ(incore_rng_init(&rng, i, nullptr), INCORE_ERROR_UNSUPPORTED) << about.name;
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"rdseed", "rdrand", "xstore", "darn", "getrandom"}));
  EXPECT_TRUE(any_available) << "getrandom at least";
  size_t index;
  EXPECT_EQ(incore_rng_find_source("RDRAND", &index), INCORE_ERROR_ALGORITHM);
}

class capi_rng_each_source : public testing::Test {
 protected:
  // Calls |check| for each source of this machine, raw and conditioned.
  template <class Check>
  static void for_each(Check check) {
    for (size_t i = 0; i < incore_rng_num_sources(); ++i) {
      incore_rng_source about;
      ASSERT_EQ(incore_rng_get_source(i, &about), INCORE_OK);
      if (about.available == 0) continue;
      for (const int conditioned : {0, 1}) {
        SCOPED_TRACE(std::string(about.name) + (conditioned != 0 ? " conditioned" : ""));
        incore_rng_options options = {};
        options.conditioned = conditioned;
        options.condition_bytes = 64 * static_cast<uint32_t>(conditioned);
        incore_rng rng;
        ASSERT_EQ(incore_rng_init(&rng, i, &options), INCORE_OK);
        EXPECT_EQ(incore_rng_condition_bytes(&rng), 64u * static_cast<uint32_t>(conditioned));
        check(rng);
        incore_rng_wipe(&rng);
        EXPECT_TRUE(all_zero(&rng, sizeof rng));
      }
    }
  }
};

TEST_F(capi_rng_each_source, fills_every_length_and_nothing_beyond) {
  for_each([](incore_rng& rng) {
    for (size_t len = 0; len <= 70; ++len) {
      // A byte may be what it was before by chance, but not six times.
      Bytes changed(len);
      for (int round = 0; round < 6; ++round) {
        Bytes out(len + 16, 0xA5);
        ASSERT_EQ(incore_rng_bytes(&rng, out.data() + 8, len), INCORE_OK);
        for (size_t i = 0; i < 8; ++i)
          ASSERT_TRUE(out[i] == 0xA5 && out[len + 8 + i] == 0xA5) << len;
        for (size_t i = 0; i < len; ++i) changed[i] |= static_cast<uint8_t>(out[8 + i] ^ 0xA5);
      }
      for (size_t i = 0; i < len; ++i) ASSERT_NE(changed[i], 0) << i << " of " << len;
    }
    Bytes first(16384), second(16384);
    ASSERT_EQ(incore_rng_bytes(&rng, first.data(), first.size()), INCORE_OK);
    ASSERT_EQ(incore_rng_bytes(&rng, second.data(), second.size()), INCORE_OK);
    EXPECT_NE(first, second);
    EXPECT_EQ(std::set<uint8_t>(first.begin(), first.end()).size(), 256u);
  });
}

TEST_F(capi_rng_each_source, health_counts_what_the_source_gave) {
  for_each([](incore_rng& rng) {
    incore_rng_health health;
    ASSERT_EQ(incore_rng_get_health(&rng, &health), INCORE_OK);
    EXPECT_EQ(health.bytes, 1024u);
    Bytes out(640);
    ASSERT_EQ(incore_rng_bytes(&rng, out.data(), out.size()), INCORE_OK);
    ASSERT_EQ(incore_rng_get_health(&rng, &health), INCORE_OK);
    EXPECT_EQ(health.bytes, 1024u + (incore_rng_condition_bytes(&rng) != 0 ? 1280 : 640));
    EXPECT_EQ(health.repetition_failures + health.proportion_failures + health.first_failure, 0u);
    EXPECT_EQ(health.repetition_cutoff, 31u);
    EXPECT_EQ(health.proportion_cutoff, 325u);
    EXPECT_EQ(health.window, 512u);
    EXPECT_GE(health.longest_repetition, 1u);
    EXPECT_GE(health.largest_count, 1u);
  });
}

TEST_F(capi_rng_each_source, a_forked_child_does_not_repeat_its_parents_bytes) {
  for_each([](incore_rng& rng) {
    Bytes head(1);  // leaves a part of a word, or of a digest, behind
    ASSERT_EQ(incore_rng_bytes(&rng, head.data(), 1), INCORE_OK);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    uint8_t own[32] = {}, others[32] = {};
    if (child == 0) {
      const bool ok = incore_rng_bytes(&rng, own, sizeof own) == INCORE_OK &&
                      write(ends[1], own, sizeof own) == sizeof own;
      _exit(ok ? 0 : 1);
    }
    ASSERT_EQ(incore_rng_bytes(&rng, own, sizeof own), INCORE_OK);
    ASSERT_EQ(read(ends[0], others, sizeof others), static_cast<ssize_t>(sizeof others));
    waitpid(child, nullptr, 0);
    close(ends[0]);
    close(ends[1]);
    EXPECT_NE(std::memcmp(own, others, sizeof own), 0);
  });
}

TEST(capi_rng, options_out_of_range_are_refused_and_nothing_is_written) {
  uint64_t next = 0;
  const incore_rng_options kWrong[] = {
      {.quality = 4, .conditioned = 0, .condition_bytes = 0, .min_entropy = 0},
      {.quality = 0, .conditioned = 1, .condition_bytes = 31, .min_entropy = 0},
      {.quality = 0, .conditioned = 1, .condition_bytes = 65537, .min_entropy = 0},
      {.quality = 0, .conditioned = 0, .condition_bytes = 0, .min_entropy = 0.0099},
      {.quality = 0, .conditioned = 0, .condition_bytes = 0, .min_entropy = 8.01},
      {.quality = 0, .conditioned = 0, .condition_bytes = 0, .min_entropy = -1},
      {.quality = 0, .conditioned = 0, .condition_bytes = 0, .min_entropy = __builtin_nan("")},
  };
  for (const incore_rng_options& options : kWrong) {
    incore_rng rng;
    std::memset(&rng, 0, sizeof rng);
    EXPECT_EQ(incore_rng_init_custom(&rng, counted, &next, &options), INCORE_ERROR_RANGE);
    EXPECT_TRUE(all_zero(&rng, sizeof rng));
  }
  EXPECT_EQ(next, 0u);
  incore_rng rng;
  EXPECT_EQ(incore_rng_init(&rng, incore_rng_num_sources(), nullptr), INCORE_ERROR_RANGE);
  incore_rng_source about;
  EXPECT_EQ(incore_rng_get_source(incore_rng_num_sources(), &about), INCORE_ERROR_RANGE);
}

TEST(capi_rng, null_pointers_and_contexts_that_are_not_ready_are_refused) {
  uint64_t next = 0;
  uint8_t byte;
  incore_rng rng = {};
  incore_rng_health health;
  EXPECT_EQ(incore_rng_get_source(0, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rng_find_source("rdrand", nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rng_init(nullptr, 0, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rng_init_custom(&rng, nullptr, &next, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rng_bytes(nullptr, &byte, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rng_get_health(nullptr, &health), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rng_bytes(&rng, &byte, 1), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_rng_get_health(&rng, &health), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_rng_condition_bytes(&rng), 0u);
  ASSERT_EQ(incore_rng_init_custom(&rng, counted, &next, nullptr), INCORE_OK);
  EXPECT_EQ(incore_rng_bytes(&rng, nullptr, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rng_bytes(&rng, nullptr, 0), INCORE_OK);
  EXPECT_EQ(incore_rng_get_health(&rng, nullptr), INCORE_ERROR_NULL);
  incore_rng_wipe(&rng);
  EXPECT_EQ(incore_rng_bytes(&rng, &byte, 1), INCORE_ERROR_STATE);
  incore_rng_wipe(nullptr);
}

TEST(capi_rng, a_source_of_the_callers_is_watched_too) {
  incore_rng rng;
  incore_rng_health health;
  EXPECT_EQ(incore_rng_init_custom(&rng, dead, nullptr, nullptr), INCORE_ERROR_IO);
  EXPECT_EQ(incore_rng_init_custom(&rng, stuck, nullptr, nullptr), INCORE_ERROR_FAULT);
  ASSERT_EQ(incore_rng_get_health(&rng, &health), INCORE_OK);
  EXPECT_EQ(health.first_failure, 31u);
  EXPECT_EQ(health.repetition_failures, 1u);
  EXPECT_EQ(health.proportion_failures, 2u) << "of two windows";
  uint8_t out[4] = {1, 2, 3, 4};
  EXPECT_EQ(incore_rng_bytes(&rng, out, sizeof out), INCORE_ERROR_FAULT);
  EXPECT_TRUE(all_zero(out, sizeof out));
  uint64_t next = 0;
  ASSERT_EQ(incore_rng_init_custom(&rng, counted, &next, nullptr), INCORE_OK);
  EXPECT_EQ(incore_rng_bytes(&rng, out, sizeof out), INCORE_OK);
  EXPECT_EQ(out[1], static_cast<uint8_t>(1025 * 167 >> 3));
}

TEST(capi_rng, monitor_goes_on_after_a_failure) {
  incore_rng_monitor monitor;
  incore_rng_health health;
  ASSERT_EQ(incore_rng_monitor_init(&monitor, 1, 1), INCORE_OK);
  Bytes bits(1024);
  for (size_t i = 0; i < bits.size(); ++i) bits[i] = i % 2;
  EXPECT_EQ(incore_rng_monitor_update(&monitor, bits.data(), bits.size()), INCORE_OK);
  EXPECT_EQ(incore_rng_monitor_update(&monitor, Bytes(40, 0).data(), 40), INCORE_ERROR_FAULT);
  EXPECT_EQ(incore_rng_monitor_update(&monitor, bits.data(), bits.size()), INCORE_ERROR_FAULT);
  ASSERT_EQ(incore_rng_monitor_get_health(&monitor, &health), INCORE_OK);
  EXPECT_EQ(health.bytes, 2088u);
  EXPECT_EQ(health.window, 1024u);
  EXPECT_EQ(health.proportion_cutoff, 609u);
  EXPECT_EQ(health.first_failure, 1024u + 31);
  EXPECT_EQ(health.longest_repetition, 41u) << "the first bit after them is 0 too";
  EXPECT_EQ(health.largest_count, 532u);
  EXPECT_EQ(health.repetition_failures, 1u);
  EXPECT_EQ(health.proportion_failures, 0u);

  EXPECT_EQ(incore_rng_monitor_init(&monitor, 1.5, 1), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_rng_monitor_init(nullptr, 1, 0), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rng_monitor_update(nullptr, bits.data(), 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rng_monitor_update(&monitor, nullptr, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_rng_monitor_get_health(&monitor, nullptr), INCORE_ERROR_NULL);
  incore_rng_monitor_wipe(&monitor);
  EXPECT_EQ(incore_rng_monitor_update(&monitor, bits.data(), 1), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_rng_monitor_get_health(&monitor, &health), INCORE_ERROR_STATE);
  incore_rng_monitor_wipe(nullptr);
}

}  // namespace
