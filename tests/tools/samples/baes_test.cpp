// `incore bench aes --baes`, the sample BAES's job: what it asks of an engine, what it prints, and
// that it finds an engine that computes wrongly.
#include "tools/samples/baes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "support/process.h"
#include "tools/base/exit.h"

namespace incore {
namespace {

using tools::AesEngine;
using tools::AesJob;
using tools::AesMode;

uintptr_t address_of(const void* p) {
  return reinterpret_cast<uintptr_t>(p);
}

// Writes down jobs. Computes by the library if |right|, else leaves the result as it is.
class Recorder final : public AesEngine {
 public:
  explicit Recorder(bool right) : right_(right) {}

  std::string name() const override { return "recorder"; }
  void load_key(const AesJob& job) override {
    loaded.push_back(job.control);
    library_->load_key(job);
  }
  std::string run(const AesJob& job, size_t times) override {
    jobs.push_back(job);
    clock_ += 2.5e-6 * static_cast<double>(times);
    return right_ && job.blocks == 1 && times == 1 ? library_->run(job, 1) : "";
  }
  double seconds() const override { return clock_; }

  std::vector<AesJob> jobs;
  std::vector<uint32_t> loaded;

 private:
  const bool right_;
  double clock_ = 100;
  std::unique_ptr<AesEngine> library_ = tools::library_aes_engine();
};

// The jobs behind the known answers, whose 10 come first.
std::vector<AesJob> timed(const Recorder& recorder) {
  return {recorder.jobs.begin() + 10, recorder.jobs.end()};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

TEST(samples_baes, nineteen_runs_with_their_control_words_and_addresses) {
  Recorder recorder(true);
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_baes(recorder, {.repetitions = 3, .blocks = 500}), 0);
  const std::vector<std::string> lines = lines_of(testing::internal::GetCapturedStdout());
  const std::vector<AesJob> jobs = timed(recorder);
  struct Expected {
    AesMode mode;
    uint32_t control;
    const char* text;
  };
  // clause: PLK-TOOL-053
  // clause: PLK-TOOL-056
  // clause: PLK-TOOL-058
  const std::vector<Expected> expected = {{AesMode::cbc, 0x00A, "CBC mode encrypt"},
                                          {AesMode::cbc, 0x20A, "CBC mode decrypt"},
                                          {AesMode::ecb, 0x00A, "ECB mode encrypt"},
                                          {AesMode::ecb, 0x20A, "ECB mode decrypt"},
                                          {AesMode::cfb, 0x00A, "CFB mode encrypt"},
                                          {AesMode::cfb, 0x20A, "CFB mode decrypt"},
                                          {AesMode::ofb, 0x00A, "OFB mode encrypt"},
                                          {AesMode::ofb, 0x20A, "OFB mode decrypt"},
                                          {AesMode::ctr, 0x00A, "CTR mode encrypt"},
                                          {AesMode::ctr, 0x20A, "CTR mode decrypt"},
                                          {AesMode::cbc, 0x02A, "CBC mode encrypt (unaligned)"},
                                          {AesMode::cbc, 0x22A, "CBC mode decrypt (unaligned)"},
                                          {AesMode::cfb, 0x02A, "CFB mode encrypt (unaligned)"},
                                          {AesMode::cfb, 0x22A, "CFB mode decrypt (unaligned)"},
                                          {AesMode::ofb, 0x02A, "OFB mode encrypt (unaligned)"},
                                          {AesMode::ofb, 0x22A, "OFB mode decrypt (unaligned)"},
                                          {AesMode::ctr, 0x02A, "CTR mode encrypt (unaligned)"},
                                          {AesMode::ctr, 0x22A, "CTR mode decrypt (unaligned)"},
                                          {AesMode::cbc, 0x01A, "CBC-MAC mode"}};
  // Each run is timed in parts: here three, one for each repetition.
  constexpr size_t kParts = 3;
  ASSERT_EQ(jobs.size(), kParts * expected.size());
  ASSERT_EQ(lines.size(), 2 + expected.size());
  EXPECT_EQ(lines[1], "Encrypting 8000 byte block 3 times.");
  for (size_t j = 0; j < jobs.size(); ++j) {
    const size_t i = j / kParts;
    SCOPED_TRACE(expected[i].text);
    EXPECT_EQ(jobs[j].mode, expected[i].mode);
    EXPECT_EQ(jobs[j].control, expected[i].control);
    EXPECT_EQ(recorder.loaded[10 + i], expected[i].control);
    EXPECT_EQ(jobs[j].blocks, 500u);
    // clause: PLK-TOOL-054
    const uintptr_t offset = (expected[i].control & 0x20) != 0;
    EXPECT_EQ(address_of(jobs[j].in) % 16, offset);
    EXPECT_EQ(address_of(jobs[j].out) % 16, offset);
    EXPECT_EQ(address_of(jobs[j].key) % 16, 0u);
    EXPECT_EQ(address_of(jobs[j].vector) % 16, 0u);
    // Each call of 500 blocks takes 2.5 us.
    // clause: PLK-TOOL-055
    // clause: PLK-TOOL-057
    EXPECT_EQ(lines[2 + i], std::string(expected[i].text) + " rate: 25.60 Gbs");
  }
}

TEST(samples_baes, rate_is_bits_by_time) {
  Recorder recorder(true);
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_baes(recorder, {.repetitions = 100'000, .blocks = 512}), 0);
  // 100000 * 512 * 128 / (10^9 * 0.25)
  // clause: PLK-TOOL-055
  EXPECT_NE(testing::internal::GetCapturedStdout().find("CBC-MAC mode rate: 26.21 Gbs"),
            std::string::npos);
}

// One call that takes a hundred times as long as the others.
class Interrupted final : public AesEngine {
 public:
  std::string name() const override { return "interrupted"; }
  void load_key(const AesJob&) override { calls_ = 0; }
  std::string run(const AesJob& job, size_t times) override {
    if (job.blocks == 1) return library_->load_key(job), library_->run(job, times);
    clock_ += 1e-6 * static_cast<double>(times) * (++calls_ == 2 ? 100 : 1);
    return "";
  }
  double seconds() const override { return clock_; }

 private:
  int calls_ = 0;
  double clock_ = 0;
  std::unique_ptr<AesEngine> library_ = tools::library_aes_engine();
};

TEST(samples_baes, an_interruption_does_not_change_the_rate) {
  Interrupted engine;
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_baes(engine, {.repetitions = 1000, .blocks = 100}), 0);
  const std::vector<std::string> lines = lines_of(testing::internal::GetCapturedStdout());
  ASSERT_EQ(lines.size(), 21u);
  for (size_t i = 2; i < lines.size(); ++i)  // 12,800 bits in a microsecond
    EXPECT_NE(lines[i].find(" rate: 12.80 Gbs"), std::string::npos) << lines[i];
}

TEST(samples_baes, wrong_engine_is_found_before_any_rate) {
  Recorder recorder(false);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_baes(recorder, {}), tools::kDiffers);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  (void)testing::internal::GetCapturedStderr();
}

// Right but for the blocks of one mode and direction from the thousandth on.
class Corrupt final : public AesEngine {
 public:
  Corrupt(AesMode mode, bool decrypt) : mode_(mode), decrypt_(decrypt) {}
  std::string name() const override { return "corrupt"; }
  void load_key(const AesJob& job) override { library_->load_key(job); }
  std::string run(const AesJob& job, size_t times) override {
    const std::string wrong = library_->run(job, times);
    if (job.mode == mode_ && (job.control == 0x20A) == decrypt_ && ++blocks_ == 1000)
      job.out[5] ^= 4;
    return wrong;
  }
  double seconds() const override { return 0; }

 private:
  const AesMode mode_;
  const bool decrypt_;
  size_t blocks_ = 0;
  std::unique_ptr<AesEngine> library_ = tools::library_aes_engine();
};

TEST(samples_baes, monte_carlo_tests_name_what_is_wrong) {
  // clause: PLK-TOOL-052
  Corrupt encrypt(AesMode::cbc, false), decrypt(AesMode::cbc, true);
  EXPECT_EQ(tools::run_monte_carlo(encrypt), "CBC 128BIT ENCRYPT MONTE CARLO FAILED");
  EXPECT_EQ(tools::run_monte_carlo(decrypt), "CBC 128BIT DECRYPT MONTE CARLO FAILED");
  Corrupt ecb(AesMode::ecb, true);
  EXPECT_EQ(tools::run_monte_carlo(ecb), "ECB 128BIT DECRYPT MONTE CARLO FAILED");
  const auto right = tools::library_aes_engine();
  EXPECT_EQ(tools::run_monte_carlo(*right), "");
}

TEST(samples_baes, emulated_processor_takes_each_new_control_word) {
  // No system call stands between these runs: what clears EFLAGS bit 30 is the engine.
  // clause: PLK-TOOL-060
  incore_padlock chip;
  ASSERT_EQ(incore_padlock_init_emulated(&chip, "esther", 0, nullptr, 0), INCORE_OK);
  const auto engine = tools::padlock_aes_engine(&chip);
  EXPECT_EQ(check_known_answers(*engine), "");
  incore_padlock_wipe(&chip);
}

TEST(samples_baes, unaligned_data_use_the_room_behind_the_control_word_only) {
  struct {
    uint8_t before[64];
    tools::ControlBlock control;
    uint8_t after[64];
  } memory;
  std::memset(memory.before, 0xA5, sizeof memory.before);
  std::memset(memory.after, 0xA5, sizeof memory.after);
  memory.control.bytes[0] = 0x2A;
  incore_padlock chip;
  ASSERT_EQ(incore_padlock_init_emulated(&chip, "esther", 0, nullptr, 0), INCORE_OK);
  alignas(16) uint8_t key[16] = {}, vector[16] = {}, in[16 * 9 + 1] = {}, out[16 * 9 + 1] = {};
  incore_padlock_registers registers = {
      address_of(vector),          address_of(key),    9,
      address_of(&memory.control), address_of(in) + 1, address_of(out) + 1};
  ASSERT_EQ(incore_padlock_execute(&chip, "xcrypt-cbc", &registers, nullptr), INCORE_OK);
  // clause: PLK-TOOL-059
  for (size_t i = 0; i < sizeof memory.before; ++i) {
    EXPECT_EQ(memory.before[i], 0xA5);
    EXPECT_EQ(memory.after[i], 0xA5);
  }
  EXPECT_EQ(sizeof memory.control, 128u);
  incore_padlock_wipe(&chip);
}

test::ProcessResult baes(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {INCORE_PROGRAM, "bench", "aes", "--baes"});
  return test::run(arguments);
}

TEST(samples_baes, options_have_the_sample_s_defaults_and_limits) {
  // clause: PLK-TOOL-040
  const auto shortest = baes({"--buffer", "1"});
  EXPECT_EQ(shortest.exit_code, 0) << shortest.err;
  EXPECT_NE(shortest.out.find("\nEncrypting 16 byte block 100000 times.\n"), std::string::npos);
  // clause: PLK-TOOL-041
  EXPECT_NE(baes({"--rep", "1"}).out.find("\nEncrypting 8192 byte block 1 times.\n"),
            std::string::npos);
  EXPECT_NE(
      baes({"--rep", "1", "--buffer", "3000000"}).out.find("Encrypting 33554432 byte block 1 "),
      std::string::npos);
}

TEST(samples_baes, emulated_esther_passes_and_shows_the_listing_s_rates_at_its_clock) {
  const auto result = baes({"--cpu", "esther", "--rep", "1000", "--mc"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  // clause: PLK-TOOL-042
  EXPECT_NE(result.out.find("\nRunning Monte Carlo tests ...\nPASSED\n"), std::string::npos);
  // The listing's part ran at three quarters of this model's clock.
  const std::pair<const char*, double> listing[] = {
      {"CBC mode encrypt rate: ", 6.76},
      {"ECB mode decrypt rate: ", 12.85},
      {"OFB mode encrypt rate: ", 3.77},
      {"OFB mode decrypt \\(unaligned\\) rate: ", 2.29},
      {"CBC-MAC mode rate: ", 3.52}};
  for (const auto& [text, rate] : listing) {
    std::smatch match;
    ASSERT_TRUE(std::regex_search(result.out, match, std::regex(text + std::string("([0-9.]+)"))));
    EXPECT_NEAR(std::stod(match[1]) * 0.75, rate, 0.02 * rate) << text;
  }
}

#if defined(__x86_64__)
TEST(samples_baes, runs_padlock_s_instructions_as_the_guide_wants_them) {
  // PadLock is there for a program that `incore run` starts; its checks find nothing.
  for (const std::string cpu : {"esther9", "nano"}) {
    const auto result =
        test::run({INCORE_PROGRAM, "run", "--cpu", cpu, "--check", "--require", "xcrypt-ofb", "--",
                   INCORE_PROGRAM, "bench", "aes", "--baes", "--rep", "3"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(lines_of(result.out)[0], "PadLock of this CPU");
    EXPECT_NE(result.out.find("CBC-MAC mode rate: "), std::string::npos);
  }
}
#endif

TEST(samples_baes, json_has_every_rate_and_null_for_what_is_missing) {
  const auto result = baes({"--cpu", "nehemiah", "--rep", "1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report.at("engine"), "nehemiah, emulated");
  const auto& rates = report.at("rates");
  ASSERT_EQ(rates.size(), 19u);
  EXPECT_GT(rates[0].at("gbits_per_second"), 1);
  EXPECT_TRUE(rates[8].at("gbits_per_second").is_null());   // no CTR
  EXPECT_TRUE(rates[18].at("gbits_per_second").is_null());  // no CBC-MAC
}

TEST(samples_baes, mistakes_get_one_line) {
  const auto other = test::run({INCORE_PROGRAM, "bench", "sha", "--baes"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(other.err, "incore bench: --baes is a form of 'incore bench aes'\n");
  const auto unknown = baes({"--cpu", "pentium"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(lines_of(unknown.err).size(), 1u);
}

}  // namespace
}  // namespace incore
