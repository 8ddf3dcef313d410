// A workload that asks for what its program or machine lacks is found out, in any build.
#include "vemicry/workload.h"

#include <gtest/gtest.h>

namespace incore::vemicry {
namespace {

TEST(VemicryWorkload, first_mistake_of_a_workload_is_kept) {
  Machine machine{Config{}};
  const Image image;
  constexpr uint32_t kBeyond = 0xFFFFFFFC;
  vemicry::Run run{machine, image, 1, {}, {}};
  run.write_words(kBeyond, {1, 2});
  EXPECT_EQ(run.mistake, "it writes beyond memory");
  EXPECT_EQ(run.address("nowhere"), 0u);
  EXPECT_EQ(run.mistake, "it writes beyond memory");

  vemicry::Run labels{machine, image, 1, {}, {}};
  EXPECT_EQ(labels.address("nowhere"), 0u);
  EXPECT_EQ(labels.mistake, "its program has no label nowhere");

  const uint8_t bytes[8] = {};
  vemicry::Run writes{machine, image, 1, {}, {}}, reads = writes, words = writes;
  writes.write_bytes(kBeyond, bytes, sizeof bytes);
  EXPECT_EQ(writes.mistake, "it writes beyond memory");
  (void)reads.read_bytes(kBeyond, 8);
  EXPECT_EQ(reads.mistake, "it reads beyond memory");
  (void)words.read_words(kBeyond, 2);
  EXPECT_EQ(words.mistake, "it reads beyond memory");
}

TEST(VemicryWorkload, mistake_fails_the_run_before_and_after_the_call) {
  Workload workload = *find_workload("xor-words");
  const auto done = [](vemicry::Run&) { return std::string(); };
  workload.function = "nowhere";
  EXPECT_EQ(run_workload(workload, Config{}, 1, done), "its program has no label nowhere");
  workload.function = find_workload("xor-words")->function;
  workload.check = [](const vemicry::Run& run) {
    (void)run.read_bytes(0xFFFFFFFC, 8);
    return std::string();
  };
  EXPECT_EQ(run_workload(workload, Config{}, 1, done), "it reads beyond memory");
}

}  // namespace
}  // namespace incore::vemicry
