// The clocks of the model that `incore run --stats` shows. What an instruction takes is tested in
// tests/padlock/timing_*; this is whether the run-time asks for the right work.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run/incore_run.h"

namespace incore::test {
namespace {

nlohmann::json statistics(const std::string& model, const Arguments& program) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/stats.json";
  const ProcessResult result = incore_run({"--cpu", model, "--stats=" + path}, program);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(read_file(path));
}

uint64_t clocks(const std::string& model, const std::string& mnemonic, const Arguments& program) {
  return counter(statistics(model, program), mnemonic, "model_clocks");
}

// Clocks of a job of tests/guest/model_clocks.c on an Esther, without the loads of keys.
uint64_t job(const char* name, const char* mnemonic = "xcrypt-cbc") {
  return clocks("esther", mnemonic, {guest("model_clocks"), name});
}

constexpr double kHardwareKey = 36, kMemoryKey = 67;
constexpr double kCbcStart = 12.25, kCbcBlock = 22.5625;  // Esther, 10 rounds, as measured
constexpr double kCbc = kCbcStart + 8 * kCbcBlock;

TEST(run_model_clocks, of_each_core) {
  // Four blocks each; the second instruction finds the key of the first.
  for (const char* form : {"exit_code", "exit_code_static"}) {
    EXPECT_EQ(clocks("nehemiah", "xcrypt-ecb", {guest(form), "0"}), 36u + 11 + 4 * 11);
    EXPECT_EQ(clocks("esther", "xcrypt-ecb", {guest(form), "0"}), 36u + 11 + 4 * 12);
    EXPECT_EQ(clocks("nano", "xcrypt-ecb", {guest(form), "0"}), 36u + 11 + 4 * 12);
    EXPECT_EQ(clocks("nehemiah", "xcrypt-cbc", {guest(form), "0"}),
              static_cast<uint64_t>(7.75 + 4 * 23.9375));
  }
}

TEST(run_model_clocks, of_a_hot_site_and_of_a_trapped_one_are_alike) {
  const nlohmann::json hot = statistics("esther", {guest("xcrypt_chained_calls")});
  EXPECT_GT(counter(hot, "xcrypt-ecb", "patched_calls"), 99900u);
  // A single block is a pair of 24 clocks less 2.
  EXPECT_EQ(counter(hot, "xcrypt-ecb", "model_clocks"), 36u + 100000 * (11 + 24 - 2));
}

TEST(run_model_clocks, key_is_loaded_when_it_is_another_one) {
  EXPECT_EQ(job("once"), static_cast<uint64_t>(kHardwareKey + kCbc));
  EXPECT_EQ(job("same-key"), static_cast<uint64_t>(kHardwareKey + 10 * kCbc));
  EXPECT_EQ(job("two-keys"), static_cast<uint64_t>(10 * kHardwareKey + 10 * kCbc));
  EXPECT_EQ(job("hash-between"), static_cast<uint64_t>(10 * kHardwareKey + 10 * kCbc));
}

// XSHA512 has no published time, but the key is gone after it.
TEST(run_model_clocks, key_is_loaded_after_each_hash) {
  const Arguments program = {guest("model_clocks"), "xsha512-between"};
  EXPECT_EQ(clocks("nano", "xcrypt-cbc", program),
            static_cast<uint64_t>(10 * kHardwareKey + 10 * kCbc));
}

TEST(run_model_clocks, follow_the_control_word) {
  EXPECT_EQ(job("memory-key"), static_cast<uint64_t>(kMemoryKey + kCbc));
  EXPECT_EQ(job("14-rounds"), static_cast<uint64_t>(kMemoryKey + kCbc + 8 * 2 * 4));
  constexpr double kMisaligned = 94.5 + 8 * 63.125;
  EXPECT_EQ(job("misaligned"), static_cast<uint64_t>(kHardwareKey + kMisaligned));
  EXPECT_EQ(job("realigning"), static_cast<uint64_t>(kHardwareKey + (kMisaligned + kCbc) / 2));
  EXPECT_EQ(job("digest"), static_cast<uint64_t>(kHardwareKey + kCbc + 8 * 21));
  EXPECT_EQ(job("no-blocks", "xcrypt-ecb"), 27u);
}

TEST(run_model_clocks, of_hashes_count_the_padding) {
  // 34 messages: one empty, 16 of 3 bytes, 16 of 56 (two blocks with their padding), one of a
  // million. Nano hashes one block more and, with SHA-1, yet another, without padding.
  constexpr double kBlocks = 1 + 16 * (1 + 2) + 15626;
  const auto expected = [&](double per_block, double more_blocks) {
    return static_cast<uint64_t>(30 * (34 + more_blocks) + per_block * (kBlocks + more_blocks));
  };
  EXPECT_EQ(clocks("esther", "xsha1", {guest("xsha")}), expected(192.5, 0));
  EXPECT_EQ(clocks("esther", "xsha256", {guest("xsha")}), expected(226.5, 0));
  EXPECT_EQ(clocks("nano", "xsha1", {guest("xsha")}), expected(192.5, 2));
  EXPECT_EQ(clocks("nano", "xsha256", {guest("xsha")}), expected(226.5, 1));
}

TEST(run_model_clocks, of_the_generator_are_its_time) {
  // Eight bytes with one source, whitened: 8 Mb/s at 1200 MHz, 13.2 Mb/s at 1600 MHz.
  const double nehemiah = 64 / 8.0 * 1200, esther = 64 / 13.2 * 1600;
  // 50 XSTORE and twice 100 bytes by REP XSTORE for each quality: steps of 8, 4, 2 and 1 byte. Then
  // 8 bytes 128 times, in parent and child.
  constexpr double kSteps = 2 * (13 + 25 + 50 + 100) + 128, kWaiting = (8 + 128) * 300;
  for (const char* model : {"nehemiah", "esther"}) {
    const double buffer = model[0] == 'n' ? nehemiah : esther;
    const nlohmann::json stats = statistics(model, {guest("xstore")});
    EXPECT_NEAR(static_cast<double>(counter(stats, "xstore", "model_clocks")), 200 * buffer, 15);
    EXPECT_NEAR(static_cast<double>(counter(stats, "rep-xstore", "model_clocks")),
                kSteps * buffer + kWaiting, 30);
  }
}

TEST(run_model_clocks, of_montmul_and_of_an_instruction_that_does_not_exist) {
  // Two of 256 bits: 8 outer steps of 2 inner loops of 16 clocks, 25.9 more a step, and 35.
  EXPECT_EQ(clocks("esther", "montmul", {guest("montmul")}),
            static_cast<uint64_t>(2 * (8 * (2 * 16 + 415 / 16.0) + 35)));
  const nlohmann::json refused = statistics("nehemiah", {guest("montmul_ud")});
  EXPECT_EQ(counter(refused, "montmul", "model_clocks"), 0u);
  EXPECT_EQ(counter(refused, "montmul", "bytes"), 0u);
}

TEST(run_model_clocks, throughput_is_at_the_models_clock) {
  for (const char* mhz : {"1000", "1600"}) {
    const nlohmann::json stats =
        statistics(std::string("esther,clock-mhz=") + mhz, {guest("exit_code"), "0"});
    EXPECT_EQ(stats.at("clock_mhz"), std::stoi(mhz));
    const nlohmann::json ecb = statistics_of(stats, "xcrypt-ecb");
    EXPECT_NEAR(ecb.at("model_mb_per_second").get<double>(), 64 * std::stod(mhz) / 95, 1e-6);
    EXPECT_EQ(statistics_of(stats, "xsha1").at("model_mb_per_second"), 0);
  }
  EXPECT_EQ(statistics("nehemiah", {guest("exit_code"), "0"}).at("clock_mhz"), 1200);
  EXPECT_EQ(statistics("esther", {guest("exit_code"), "0"}).at("clock_mhz"), 1600);
  const std::string text =
      incore_run({"--cpu", "esther", "--stats"}, {guest("exit_code"), "0"}).err;
  EXPECT_NE(text.find("model esther at 1600 MHz\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" 95     1077.9\n"), std::string::npos) << text;
}

TEST(run_model_clocks, add_up_over_children) {
  const nlohmann::json stats = statistics("esther", {guest("fork_exec")});
  const uint64_t calls = counter(stats, "xcrypt-ecb", "calls");
  EXPECT_GE(counter(stats, "xcrypt-ecb", "model_clocks"), calls * (11 + 48));
  EXPECT_LE(counter(stats, "xcrypt-ecb", "model_clocks"), calls * (36 + 11 + 48));
}

}  // namespace
}  // namespace incore::test
