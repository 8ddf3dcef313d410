#include "tools/samples/crap.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "tools/base/exit.h"
#include "tools/base/interrupt.h"
#include "tools/base/output_file.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/samples/crap_report.h"

namespace incore::tools {
namespace {

constexpr unsigned kSamplesBeforeStop = 3;

// What is collected at a time: a multiple of SHA-1's 20 bytes and of XSTORE's 8.
constexpr size_t kChunk = 65520;

// Why the run ends before its end.
struct Stop {
  int code;
  std::string message;
};

std::tm local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  localtime_r(&now, &local);
  return local;
}

class Crap {
 public:
  Crap(const CrapOptions& options, CrapSource& source)
      : options_(options),
        source_(source),
        report_(options, source),
        sample_bytes_(options.sample_bytes()),
        bias_(*options.bias),
        mode_(*options.mode) {}

  int run(bool sets_msr) {
    const InterruptGuard guard;
    Stop stop = {kDone, ""};
    try {
      open_file();
      report_.begin();
      if (*options_.test != 0)
        test_biases();
      else
        repeat(sets_msr);
    } catch (const Stop& early) {
      stop = early;
    }
    return finish(stop);
  }

 private:
  void open_file() {
    if (!options_.save && options_.p_value <= 0) return;
    std::string flags;
    if (options_.sha != 0) flags += "H";
    if (options_.raw) flags += "R";
    if (*options_.test != 0) flags += "T";
    const std::string name = crap_file_name(*options_.out, source_.chip(), local_time(),
                                            static_cast<unsigned>(*options_.edx), flags);
    if (const std::string error = file_.open(name); !error.empty())
      throw Stop{kDiffers, "Error creating RNG outfile: " + error};
    file_name_ = name;
    report_.save_to(name);
  }

  void set_msr() {
    const auto value =
        static_cast<uint32_t>(0x40 + mode_ * 256 + bias_ * 1024 + (options_.raw ? 8192 : 0));
    uint32_t kept = value;
    if (const std::string error = source_.set_msr(value, &kept); !error.empty())
      throw Stop{kDiffers, error};
    if (kept != value && !warned_)
      fail(kDone, fmt::format("the processor made {:#x} of {:#x} in MSR 0x110B", kept, value));
    warned_ |= kept != value;
    report_.set_msr(value);
  }

  void repeat(bool sets_msr) {
    if (sets_msr) set_msr();
    for (int64_t i = 1; i <= options_.rep; ++i) run_sample(static_cast<unsigned>(i), 1);
  }

  void test_biases() {
    for (mode_ = 0; mode_ < kCrapModes; ++mode_) {
      std::array<unsigned, kCrapBiases> sums = {};
      for (int64_t round = 1; round <= options_.rep; ++round) {
        for (bias_ = 0; bias_ < kCrapBiases; ++bias_) {
          set_msr();
          sums[static_cast<size_t>(bias_)] += samples_until_stop(round);
          report_.end_bias();
          statistics_.reset();
        }
        std::array<unsigned, kCrapBiases> means = sums;
        for (unsigned& mean : means) mean /= static_cast<unsigned>(round);
        report_.mean_samples(mode_, round, means);
      }
    }
  }

  // The number of the sample at which a stop rule holds; one more than --test if none does.
  unsigned samples_until_stop(int64_t round) {
    const auto most = static_cast<unsigned>(*options_.test);
    for (unsigned i = 1; i <= most; ++i) {
      const CrapResult result = run_sample(i, round);
      const bool uneven = result.evenness > 1 - *options_.limit;
      if (i > kSamplesBeforeStop && (uneven || result.total_p_value < *options_.limit)) return i;
    }
    return most + 1;
  }

  // All zero with --speed.
  CrapResult run_sample(unsigned number, int64_t round) {
    std::vector<uint8_t> held;
    const bool holds = !options_.save && options_.p_value > 0;
    CrapSample sample = {.number = number, .mode = mode_, .bias = bias_, .round = round};
    sample.bytes = collect(number, holds ? &held : nullptr, &sample.seconds);
    if (sample.bytes < sample_bytes_) end_early(number, sample.bytes);
    sample.date = fmt::format("{:%a %b %e %H:%M:%S %Y}", local_time());
    if (!options_.speed) sample.result = statistics_.end_sample();
    report_.sample(sample);
    const CrapResult result = sample.result.value_or(CrapResult{});
    if (holds && sample.result && result.p_value < options_.p_value)
      write(held.data(), held.size());
    return result;
  }

  // One sample into the statistics, the file, or |held|. Returns its length.
  uint64_t collect(unsigned number, std::vector<uint8_t>* held, double* seconds) {
    Progress progress(fmt::format("sample {}", number), sample_bytes_);
    uint64_t done = 0;
    while (done < sample_bytes_ && !ended_ && !interrupted()) {
      const auto n = static_cast<size_t>(std::min<uint64_t>(sample_bytes_ - done, kChunk));
      const CrapSource::Collected collected = source_.collect(n);
      if (!collected.error.empty())
        throw Stop{kDiffers, fmt::format("sample {}: {}", number, collected.error)};
      *seconds += collected.seconds;
      if (!options_.speed) statistics_.update(collected.bytes);
      if (options_.save) write(collected.bytes.data(), collected.bytes.size());
      if (held != nullptr)
        held->insert(held->end(), collected.bytes.begin(), collected.bytes.end());
      done += collected.bytes.size();
      ended_ = collected.ended;
      progress.update(done);
    }
    return done;
  }

  [[noreturn]] void end_early(unsigned number, uint64_t len) const {
    const std::string where =
        fmt::format("sample {} has {} of {} bytes and was not judged", number, len, sample_bytes_);
    if (interrupted()) throw Stop{interrupt_exit_code(), "interrupted; " + where};
    throw Stop{report_.has_samples() ? kDiffers : kBadInput,
               fmt::format("{} ended; {}", source_.title(), where)};
  }

  void write(const uint8_t* data, size_t len) {
    if (const std::string error = file_.write(data, len); !error.empty())
      throw Stop{kDiffers, error};
    saved_bytes_ += len;
  }

  // What was found and saved until |stop| stays.
  int finish(Stop stop) {
    if (!file_name_.empty()) {
      std::string kept = file_name_;
      const std::string error = stop.code == kDone ? file_.commit() : file_.keep_partial(&kept);
      if (!error.empty() && stop.code == kDone) stop = {kDiffers, error};
      if (error.empty() && stop.code != kDone && !kept.empty())
        stop.message += fmt::format("; {} has {} bytes", in_quotes(kept), saved_bytes_);
      report_.saved(kept, saved_bytes_);
    }
    report_.end(stop.code != kDone);
    return stop.code == kDone ? kDone : fail(stop.code, stop.message);
  }

  const CrapOptions& options_;
  CrapSource& source_;
  CrapReport report_;
  const uint64_t sample_bytes_;
  CrapStatistics statistics_;
  OutputFile file_;
  std::string file_name_;  // empty: nothing is saved
  uint64_t saved_bytes_ = 0;
  int64_t bias_, mode_;
  bool ended_ = false, warned_ = false;
};

}  // namespace

int run_crap(CrapOptions options) {
  if (options.source == "xstore") options.source.clear();
  const bool sets_msr = options.sets_msr();
  adjust_crap_options(&options);
  try {
    const auto source = open_crap_source(options);
    return Crap(options, *source).run(sets_msr);
  } catch (const CrapProcessorError& error) {
    return fail(kDiffers, "PROCESSOR ERROR: no hardware RNG can be had: " + error.message);
  }
}

}  // namespace incore::tools
