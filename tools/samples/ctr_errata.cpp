#include "tools/samples/ctr_errata.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/base/exit.h"
#include "tools/base/progress.h"
#include "tools/samples/ctr_encryption.h"
#include "tools/samples/ctr_errata_report.h"

namespace incore::tools {
namespace {

constexpr int64_t kMostBlocks = 10000, kLeastTests = 10, kTestsInstead = 1000;
constexpr unsigned kMostAttempts = 10000;  // of one call; more would not help

// As the sample does.
void adjust(ErrataOptions* options) {
  if (options->blocks == 0) options->blocks = ErrataOptions().blocks;
  options->blocks = std::min(options->blocks, kMostBlocks);
  if (options->tests < kLeastTests) options->tests = kTestsInstead;
}

// What the guide says of the part by its stepping.
bool erratum_expected(uint32_t signature) {
  const uint32_t family = signature >> 8 & 0xF, model = signature >> 4 & 0xF;
  return family == 6 && model == 0xA && (signature & 0xF) == 8;
}

class CtrErrata {
 public:
  CtrErrata(PadlockChip& chip, const ErrataOptions& options)
      : chip_(chip),
        options_(options),
        num_blocks_(static_cast<size_t>(options.blocks)),
        num_tests_(static_cast<uint64_t>(options.tests)),
        encryption_(chip, num_blocks_),
        expected_(CtrEncryption::expected_counter(erratum_expected(chip.signature()), num_blocks_)),
        report_(options, chip) {}

  // Two blocks are never interrupted, so this is what the part does by itself.
  void find_erratum() {
    encryption_.run_pair();
    has_erratum_ = encryption_.counter() != CtrEncryption::expected_counter(false, 2);
  }

  int run() {
    if (!chip_.is_native() && incore_padlock_set_interrupts(chip_.get(), options_.interrupts,
                                                            options_.chip.seed) != INCORE_OK)
      throw ChipError("no interrupts can be made");
    report_.begin(expected_);
    one_block_at_a_time();
    one_instruction();
    if (detection()) workaround();
    report_.end(has_erratum_, mistake_.empty());
    return mistake_.empty() ? kDone : fail(kDiffers, mistake_);
  }

 private:
  // Seconds of all calls.
  template <class Call>
  double time(const char* what, Call call) {
    report_.step("Repeating the test {} times", num_tests_);
    double seconds;
    {
      Progress progress(what, num_tests_);
      const double start = chip_.seconds();
      for (uint64_t i = 0; i < num_tests_; ++i) {
        call();
        if (i % 64 == 0) progress.update_count(i, "");
      }
      seconds = chip_.seconds() - start;
    }
    report_.timed(what, seconds);
    return seconds;
  }

  void one_block_at_a_time() {
    report_.step("Encrypting {} bytes one block at a time with XCRYPT.", 16 * num_blocks_);
    time("one_block", [this] { encryption_.run_block_by_block(); });
    encryption_.keep_as_reference();
    report_.first_block(encryption_.first_block());
  }

  void one_instruction() {
    report_.step("Encrypting {} bytes with one REP XCRYPT instruction.", 16 * num_blocks_);
    whole_seconds_ = time("one_instruction", [this] { encryption_.run_whole(); });
  }

  // False: the counter does not tell whether the ciphertext is right.
  bool detection() {
    report_.step("Error detection test: encrypting {} bytes {} times.", 16 * num_blocks_,
                 num_tests_);
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
    report_.detection(num_failed);
    return true;
  }

  bool work_around_failure(bool right_text) {
    report_.detection_fails();
    mistake_ = fmt::format(
        "the work-around fails: the counter after {} blocks is {:#06x} where {:#06x} is right by "
        "the stepping, while the ciphertext is {}",
        num_blocks_, encryption_.counter(), expected_, right_text ? "right" : "wrong");
    return false;
  }

  void workaround() {
    report_.step("Encrypting {} bytes, single REP XCRYPT with error detection", 16 * num_blocks_);
    uint64_t num_repeated = 0;
    const double seconds = time("with_detection", [&] {
      for (unsigned attempt = 0;; ++attempt, ++num_repeated) {
        give_up_after(attempt);
        encryption_.run_whole();
        if (encryption_.counter() == expected_) break;
      }
    });
    report_.workaround(num_repeated, whole_seconds_ > 0 ? seconds / whole_seconds_ : 1);
  }

  // Text that takes so long that an interrupt always comes cannot be encrypted by one instruction.
  void give_up_after(unsigned attempt) const {
    if (attempt == kMostAttempts)
      throw ChipError(
          fmt::format("{} calls in a row were interrupted: {} blocks are too many for "
                      "so many interrupts",
                      attempt, num_blocks_));
  }

  PadlockChip& chip_;
  const ErrataOptions& options_;
  const size_t num_blocks_;
  const uint64_t num_tests_;
  CtrEncryption encryption_;
  const uint16_t expected_;  // counter after an uninterrupted call, by the stepping
  CtrErrataReport report_;
  bool has_erratum_ = false;
  double whole_seconds_ = 0;
  std::string mistake_;
};

}  // namespace

int run_ctr_errata(ErrataOptions options) {
  adjust(&options);
  PadlockChip chip = open_chip_or_native(options.chip, options.native);
  if (chip.is_native() && options.interrupts_given)
    return fail(kBadInput, "--interrupts is for emulated models; this CPU has its own");
  if (options.interrupts == 0 && options.chip.seed_given)
    return fail(kBadInput, "--seed chooses the places of interrupts: --interrupts 0 has none");
  CtrErrata errata(chip, options);
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

}  // namespace incore::tools
