// `incore padlock errata`: the job of the sample CTR_ERRATA (PadLock guide 1.66, section 6.6). On
// Esther stepping 8 an instruction, or a stretch of one between interrupts, that encrypts an even
// number of blocks leaves the counter one too high. Interrupted, it goes on from there, and what
// follows is wrong. The counter at the end shows it, and the call is repeated.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/options/chip_options.h"
#include "cli/options/number_option.h"
#include "cli/padlock/padlock.h"
#include "tools/base/output.h"
#include "tools/base/progress.h"
#include "tools/samples/execute_padlock.h"
#include "tools/samples/padlock_chip.h"

namespace incore::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint8_t kKey[16] = {0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6,  // SP 800-38A
                              0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F, 0x3C};
constexpr uint8_t kCounterBlock[16] = {0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7,
                                       0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF};
constexpr uint8_t kControlWord = 0x0A;  // encrypt, ten rounds, keys by the hardware
constexpr int64_t kMostBlocks = 10000, kUsualBlocks = 256;
constexpr int64_t kLeastTests = 10, kTestsInstead = 1000, kUsualTests = 10000;
// The guide's listing: 1.38 % of the calls with 256 blocks failed, each by an interrupt.
constexpr uint64_t kUsualInterrupts = 18551;
constexpr uint64_t kLoopClocks = 9;        // a turn of the guide's loop: docs/timing.md
constexpr unsigned kMostAttempts = 10000;  // of one call; more would not help

struct Options {
  ChipOptions chip;
  bool native = false;
  int64_t blocks = kUsualBlocks, tests = kUsualTests;
  uint64_t interrupts = kUsualInterrupts;
  bool interrupts_given = false;
  bool json = false;

  void adjust() {  // as the sample does
    if (blocks == 0) blocks = kUsualBlocks;
    if (blocks > kMostBlocks) blocks = kMostBlocks;
    if (tests < kLeastTests) tests = kTestsInstead;
  }
};

// The processor could not do what was asked.
struct ChipError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The operands of REP XCRYPTCTR, aligned as it wants them.
class Encryption {
 public:
  Encryption(PadlockChip& chip, size_t num_blocks)
      : chip_(chip),
        num_blocks_(num_blocks),
        plain_(num_blocks + kReadAhead),
        cipher_(std::max(num_blocks, kBlocksOfPair)),
        reference_(cipher_.size()) {
    std::memcpy(fixed_->key.bytes, kKey, sizeof kKey);
    fixed_->control[0].bytes[0] = kControlWord;
    incore_padlock_reload_key(chip.get());
  }

  // |num_instructions| of |blocks| each, one behind the other.
  void run(size_t num_instructions, size_t blocks) {
    std::memcpy(fixed_->vector.bytes, kCounterBlock, sizeof kCounterBlock);
    incore_padlock_registers r = {
        address_of(&fixed_->vector), address_of(&fixed_->key),  0,
        address_of(fixed_->control), address_of(plain_.data()), address_of(cipher_.data())};
    for (size_t i = 0; i < num_instructions; ++i) {
      r.rcx = blocks;
      if (const std::string error = chip_.execute("xcrypt-ctr", &r); !error.empty())
        throw ChipError(error);
      incore_padlock_wait(chip_.get(), kLoopClocks);
    }
  }
  void run_whole() { run(1, num_blocks_); }
  void run_pair() { run(1, kBlocksOfPair); }
  void run_block_by_block() { run(num_blocks_, 1); }

  uint16_t counter() const {
    const uint8_t* const end = fixed_->vector.bytes + 14;
    return static_cast<uint16_t>(end[0] << 8 | end[1]);
  }
  void keep_as_reference() { reference_ = cipher_; }
  bool equals_reference() const {
    return std::memcmp(cipher_.data(), reference_.data(), num_blocks_ * sizeof(Block)) == 0;
  }
  std::string first_block() const {
    std::string text;
    for (const uint8_t byte : cipher_[0].bytes) text += fmt::format("{:02x}", byte);
    return text;
  }

 private:
  static constexpr size_t kBlocksOfPair = 2;
  static constexpr size_t kReadAhead = 8;  // blocks that some parts load behind the last
  struct alignas(16) Block {
    uint8_t bytes[16];
  };
  struct Fixed {
    Block vector, key;
    Block control[8];  // with the scratch space behind the word
  };

  PadlockChip& chip_;
  const size_t num_blocks_;
  std::unique_ptr<Fixed> fixed_ = std::make_unique<Fixed>();
  std::vector<Block> plain_, cipher_, reference_;
};

// What the guide says of the part by its stepping.
bool erratum_expected(uint32_t signature) {
  const uint32_t family = signature >> 8 & 0xF, model = signature >> 4 & 0xF;
  return family == 6 && model == 0xA && (signature & 0xF) == 8;
}

uint16_t expected_counter(bool erratum, size_t blocks) {
  const unsigned start = kCounterBlock[14] << 8 | kCounterBlock[15];
  return static_cast<uint16_t>(start + blocks + (erratum && blocks % 2 == 0 ? 1 : 0));
}

struct Timed {
  double seconds = 0, gbits_per_second = 0;
};

class Errata {
 public:
  Errata(PadlockChip& chip, const Options& options)
      : chip_(chip),
        options_(options),
        num_blocks_(static_cast<size_t>(options.blocks)),
        num_tests_(static_cast<uint64_t>(options.tests)),
        encryption_(chip, num_blocks_),
        expected_(expected_counter(erratum_expected(chip.signature()), num_blocks_)) {}

  // Two blocks are never interrupted, so this is what the part does by itself.
  void find_erratum() {
    encryption_.run_pair();
    has_erratum_ = encryption_.counter() != expected_counter(false, 2);
  }

  int run() {
    begin();
    one_block_at_a_time();
    one_instruction();
    if (detection()) workaround();
    return finish();
  }

 private:
  template <class... Parts>
  void print(fmt::format_string<Parts...> text, Parts&&... parts) const {
    if (options_.json) return;
    fmt::print(text, std::forward<Parts>(parts)...);
    flush_output();
  }

  void begin() {
    std::string interrupts = "the system's own interrupts";
    if (!chip_.is_native()) {
      if (incore_padlock_set_interrupts(chip_.get(), options_.interrupts, options_.chip.seed) !=
          INCORE_OK)
        throw ChipError("no interrupts can be made");
      interrupts = options_.interrupts == 0
                       ? "no interrupts"
                       : fmt::format("an interrupt every {} blocks on average (--seed {})",
                                     options_.interrupts, options_.chip.seed);
    }
    report_ = {{"chip", chip_.name()},
               {"emulated", !chip_.is_native()},
               {"signature", fmt::format("{:#x}", chip_.signature())},
               {"blocks", num_blocks_},
               {"tests", num_tests_},
               {"expected_counter", fmt::format("{:#06x}", expected_)}};
    if (!chip_.is_native()) report_["interrupt_every_blocks"] = options_.interrupts;
    print("Processor: {}; {}\n", chip_.title(), interrupts);
    if (!chip_.is_native())
      print("Times: of the model's clock, for the instructions and {} clocks of loop a call\n",
            kLoopClocks);
    print("\nREP XCRYPTCTR: ITS ERRATUM, DETECTION AND WORK-AROUND\n\n");
  }

  template <class Call>
  Timed time(const char* what, Call call) {
    print("\tRepeating the test {} times\n", num_tests_);
    Timed timed;
    {
      Progress progress(what, num_tests_);
      const double start = chip_.seconds();
      for (uint64_t i = 0; i < num_tests_; ++i) {
        call();
        if (i % 64 == 0) progress.update_count(i, "");
      }
      timed.seconds = chip_.seconds() - start;
    }
    const double bits = static_cast<double>(num_tests_) * static_cast<double>(num_blocks_) * 128;
    if (timed.seconds > 0) timed.gbits_per_second = bits / (1e9 * timed.seconds);
    print("\t\tTime: {:6.2f} seconds {:6.2f}G bits/sec\n\n", timed.seconds, timed.gbits_per_second);
    report_[what] = {{"seconds", timed.seconds}, {"gbits_per_second", timed.gbits_per_second}};
    return timed;
  }

  void one_block_at_a_time() {
    print("\tEncrypting {} bytes one block at a time with XCRYPT.\n", 16 * num_blocks_);
    time("one_block", [this] { encryption_.run_block_by_block(); });
    encryption_.keep_as_reference();
    report_["first_block"] = encryption_.first_block();
  }

  void one_instruction() {
    print("\tEncrypting {} bytes with one REP XCRYPT instruction.\n", 16 * num_blocks_);
    whole_ = time("one_instruction", [this] { encryption_.run_whole(); });
  }

  // False: the counter does not tell whether the ciphertext is right.
  bool detection() {
    print("\tError detection test: encrypting {} bytes {} times.\n", 16 * num_blocks_, num_tests_);
    uint64_t num_failed = 0;
    Progress progress("detection", num_tests_);
    for (uint64_t i = 0; i < num_tests_; ++i) {
      progress.update_count(i, "");
      for (unsigned attempt = 0;; ++attempt) {
        give_up_after(attempt);
        encryption_.run_whole();
        const bool right_counter = encryption_.counter() == expected_;
        const bool right_text = encryption_.equals_reference();
        if (right_counter != right_text) return work_around_failure(right_text);
        if (right_text) break;
        ++num_failed;
      }
    }
    const double percent = 100 * static_cast<double>(num_failed) / static_cast<double>(num_tests_);
    print("\t\tFailure rate: {:6.2f}%\n\n", percent);
    report_["detection"] = {{"calls", num_tests_ + num_failed},
                            {"failures", num_failed},
                            {"failure_percent", percent},
                            {"work_around_works", true}};
    return true;
  }

  bool work_around_failure(bool right_text) {
    report_["detection"] = {{"work_around_works", false}};
    mistake_ = fmt::format(
        "the work-around fails: the counter after {} blocks is {:#06x} where {:#06x} is right by "
        "the stepping, while the ciphertext is {}",
        num_blocks_, encryption_.counter(), expected_, right_text ? "right" : "wrong");
    return false;
  }

  void workaround() {
    print("\tEncrypting {} bytes, single REP XCRYPT with error detection\n", 16 * num_blocks_);
    uint64_t num_calls = 0;
    const Timed timed = time("with_detection", [&] {
      for (unsigned attempt = 0;; ++attempt, ++num_calls) {
        give_up_after(attempt);
        encryption_.run_whole();
        if (encryption_.counter() == expected_) break;
      }
    });
    const double cost = whole_.seconds > 0 ? 100 * (timed.seconds / whole_.seconds - 1) : 0;
    report_["with_detection"]["repeated_calls"] = num_calls;
    report_["with_detection"]["cost_percent"] = cost;
    print("\t\t{} calls repeated, {:.2f}% more time than without detection\n\n", num_calls, cost);
  }

  // Text that takes so long that an interrupt always comes cannot be encrypted by one instruction.
  void give_up_after(unsigned attempt) const {
    if (attempt == kMostAttempts)
      throw ChipError(
          fmt::format("{} calls in a row were interrupted: {} blocks are too many for "
                      "so many interrupts",
                      attempt, num_blocks_));
  }

  int finish() {
    report_["has_erratum"] = has_erratum_;
    if (!chip_.is_native()) report_["interrupts"] = incore_padlock_num_interrupts(chip_.get());
    if (options_.json) fmt::print("{}\n", report_.dump(2));
    if (!mistake_.empty()) return fail(kDiffers, mistake_);
    print("This processor {} the CTR erratum.\n", has_erratum_ ? "has" : "does not have");
    return kDone;
  }

  PadlockChip& chip_;
  const Options& options_;
  const size_t num_blocks_;
  const uint64_t num_tests_;
  Encryption encryption_;
  const uint16_t expected_;  // counter after an uninterrupted call, by the stepping
  bool has_erratum_ = false;
  Timed whole_;
  std::string mistake_;
  Json report_;
};

int errata(Options& options) {
  options.adjust();
  PadlockChip chip = open_chip_or_native(options.chip, options.native);
  if (chip.is_native() && options.interrupts_given)
    return fail(kBadInput, "--interrupts is for emulated models; this CPU has its own");
  if (options.interrupts == 0 && options.chip.seed_given)
    return fail(kBadInput, "--seed chooses the places of interrupts: --interrupts 0 has none");
  Errata errata(chip, options);
  try {
    errata.find_erratum();
  } catch (const ChipError& error) {  // no CTR mode
    return fail(kBadInput, error.what());
  }
  try {
    return errata.run();
  } catch (const ChipError& error) {
    return fail(kDiffers, error.what());
  }
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_chip_or_native_options(app, &options->chip, &options->native);
  app.add_option("--blocks", options->blocks,
                 "blocks of 16 bytes in a call, at most 10000; 0 is 256")
      ->capture_default_str()
      ->transform(signed_number(0, INT64_MAX));
  app.add_option("--tests", options->tests, "calls; below 10 is 1000")->capture_default_str();
  app.add_option("--interrupts", options->interrupts,
                 "emulated: blocks of work between two interrupts on average; 0 is none; the usual "
                 "is that of the guide's listing")
      ->capture_default_str()
      ->each([options](const std::string&) { options->interrupts_given = true; });
  app.add_flag("--json", options->json, "print JSON");
  return [options] { return errata(*options); };
}

}  // namespace

extern const Subcommand padlock_errata_command = {
    "errata", "the CTR erratum of Esther stepping 8: shown, detected, worked around",
    "After the sample CTR_ERRATA of the PadLock guide: the right ciphertext by one block for each\n"
    "instruction; all blocks in one instruction; how often an interrupt spoils that, and whether "
    "the\n"
    "counter shows it; and the work-around, which repeats such calls.\n"
    "\n"
    "Examples:\n"
    "  incore padlock errata --cpu esther\n"
    "  incore padlock errata --cpu esther9 --interrupts 1000\n"
    "  incore run --cpu esther -- incore padlock errata --native\n"
    "Exit code: 0 done, 1 if the work-around fails, 2 for bad options or a part without CTR mode.",
    configure};

}  // namespace incore::cli
