// A workload that asks for what its program or machine lacks is found out, in any build.
#include "vemicry/workload.h"

#include <gtest/gtest.h>

namespace incore::vemicry {
namespace {

TEST(vemicry_workload, first_mistake_of_a_workload_is_kept) {
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

TEST(vemicry_workload, mistake_fails_the_run_before_and_after_the_call) {
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

// Whatever the machine, a workload refuses it or leaves what is right.
TEST(vemicry_workload, every_one_is_right_or_refused_on_every_kind_of_machine) {
  std::vector<std::pair<std::string, Config>> machines(1);
  const auto add = [&](const char* what, auto&& change) {
    machines.emplace_back(what, Config{});
    change(machines.back().second);
    machines.emplace_back(std::string(what) + ", junk", machines.back().second);
    machines.back().second.junk = true;
  };
  add("load delay", [](Config& config) { config.load_delay = true; });
  add("banks", [](Config& config) { config.banked = true; });
  add("CAR accumulates", [](Config& config) { config.car_accumulates = true; });
  add("little-endian", [](Config& config) { config.little_endian = true; });
  add("one lane", [](Config& config) { config.r = 1; });
  add("slow memory", [](Config& config) { config.memory_latency = 7; });
  add("few registers", [](Config& config) { config.q = 2; });
  add("short length", [](Config& config) { config.l = 4; });
  add("odd length", [](Config& config) { config.l = 7; });
  add("long registers", [](Config& config) { config.p = 36; });
  add("short registers", [](Config& config) { config.p = config.r = 4; });
  for (const auto& [what, config] : machines) {
    size_t num_right = 0;
    for (const Workload* workload : workloads()) {
      if (std::string(workload->name).starts_with("modexp-")) continue;  // seconds each
      if (program_text(workload->program).empty()) continue;             // no compiler for MIPS-I
      if (!workload->refusal(config).empty()) continue;
      Figures figures;
      const std::string wrong = measure(*workload, config, 2, &figures);
      // A program may ask for more registers or words than the machine has.
      if (figures.instructions == 0 && wrong.find(".s:") != std::string::npos) continue;
      EXPECT_EQ(wrong, "") << workload->name << ": " << what;
      ++num_right;
    }
    EXPECT_GT(num_right, 0u) << what;
  }
}

}  // namespace
}  // namespace incore::vemicry
