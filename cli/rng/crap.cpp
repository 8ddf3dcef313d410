#include "cli/rng/crap.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <array>
#include <climits>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/command.h"
#include "cli/options/chip_options.h"
#include "tools/base/interrupt.h"
#include "tools/base/output.h"
#include "tools/base/output_file.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/samples/crap_screen.h"
#include "tools/samples/crap_source.h"
#include "tools/samples/padlock_chip.h"

namespace incore::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMegabyte = 1 << 20;
constexpr int64_t kUsualMegabytes = 10, kMostMegabytes = int64_t{1} << 24;
constexpr int64_t kMostSha = 128, kMostTests = 1000, kUsualDivider = 3;
constexpr int64_t kBiases = 8, kModes = 3;
constexpr double kUsualLimit = 0.001, kMostLimit = 0.01;
constexpr char kUsualFolder[] = "/rngdata";
constexpr unsigned kSamplesBeforeStop = 3;
constexpr uint64_t kLeastSample = 256;             // below it all counts would be 0 or 1
constexpr uint64_t kMostHeld = uint64_t{1} << 30;  // of a sample that may have to be saved later

// What is collected at a time: a multiple of SHA-1's 20 bytes and of XSTORE's 8.
constexpr size_t kChunk = 65520;

// Why the run ends before its end.
struct Stop {
  int code;
  std::string message;
};

void refuse(bool wrong, const std::string& message) {
  if (wrong) throw std::invalid_argument(message);
}

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = "";
  return gethostname(name, sizeof name) == 0 ? name : "an unknown host";
}

std::tm local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  localtime_r(&now, &local);
  return local;
}

class Crap {
 public:
  Crap(const CrapOptions& options, CrapSource& source)
      : options_(options), source_(source), bias_(*options.bias), mode_(*options.mode) {
    header_.host = host_name();
    header_.sample_bytes = options.bytes.value_or(static_cast<uint64_t>(options.size) * kMegabyte);
    header_.is_chip = source.is_chip();
    header_.divider = static_cast<unsigned>(*options.edx);
    header_.raw = options.raw;
    header_.sha = static_cast<unsigned>(options.sha);
    report_ = {{"source", source.chip()}, {"title", source.title()},
               {"host", header_.host},    {"sample_bytes", header_.sample_bytes},
               {"rep", options.rep},      {"sha", options.sha}};
    if (source.is_chip())
      report_.update({{"edx", header_.divider},
                      {"raw", options.raw},
                      {"test", *options.test},
                      {"limit", *options.limit}});
  }

  int run(bool sets_msr) {
    const InterruptGuard guard;
    Stop stop = {kDone, ""};
    try {
      open_file();
      print(fmt::format("Source: {}\n", source_.title()));
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
  void print(const std::string& text) const {
    if (options_.json) return;
    std::fwrite(text.data(), 1, text.size(), stdout);
    flush_output();
  }

  void open_file() {
    if (!options_.save && options_.p_value <= 0) return;
    std::string flags;
    if (options_.sha != 0) flags += "H";
    if (options_.raw) flags += "R";
    if (*options_.test != 0) flags += "T";
    file_name_ =
        crap_file_name(*options_.out, source_.chip(), local_time(), header_.divider, flags);
    if (const std::string error = file_.open(file_name_); !error.empty())
      throw Stop{kDiffers, "Error creating RNG outfile: " + error};
    header_.saved_to = file_name_;
  }

  void set_msr() {
    const auto value =
        static_cast<uint32_t>(0x40 + mode_ * 256 + bias_ * 1024 + (options_.raw ? 8192 : 0));
    uint32_t kept = value;
    if (const std::string error = source_.set_msr(value, &kept); !error.empty())
      throw Stop{kDiffers, error};
    if (kept != value && !warned_)
      fmt::print(stderr, "incore rng: the processor made {:#x} of {:#x} in MSR 0x110B\n", kept,
                 value);
    warned_ |= kept != value;
    report_["msr"] = fmt::format("{:#x}", value);
  }

  void repeat(bool sets_msr) {
    report_["msr"] = nullptr;
    if (sets_msr) set_msr();
    for (int64_t i = 1; i <= options_.rep; ++i) run_sample(static_cast<unsigned>(i), 1);
  }

  void test_biases() {
    report_["mean_samples"] = Json::array();
    for (mode_ = 0; mode_ < kModes; ++mode_) {
      std::array<unsigned, kBiases> sums = {};
      for (int64_t round = 1; round <= options_.rep; ++round) {
        for (bias_ = 0; bias_ < kBiases; ++bias_) {
          set_msr();
          sums[static_cast<size_t>(bias_)] += samples_until_stop(round);
          print(screen_.form_feed());
          statistics_.reset();
        }
        std::array<unsigned, kBiases> means = sums;
        for (unsigned& mean : means) mean /= static_cast<unsigned>(round);
        print(screen_.mean_samples(header_, means));
        report_["mean_samples"].push_back({{"mode", mode_}, {"repeat", round}, {"by_bias", means}});
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

  CrapResult run_sample(unsigned number, int64_t round) {
    std::vector<uint8_t> held;
    const bool holds = !options_.save && options_.p_value > 0;
    double seconds = 0;
    const uint64_t len = collect(number, holds ? &held : nullptr, &seconds);
    if (len < header_.sample_bytes) end_early(number, len);

    const uint64_t rate = crap_data_rate(len, seconds);
    header_.date = fmt::format("{:%a %b %e %H:%M:%S %Y}", local_time());
    header_.bias = static_cast<unsigned>(bias_);
    header_.mode = static_cast<unsigned>(mode_);
    print(screen_.sample(header_, number, source_.has_rate() ? std::optional(rate) : std::nullopt));
    Json sample = {{"sample", number}, {"bytes", len}};
    if (source_.is_chip()) sample.update({{"mode", mode_}, {"bias", bias_}, {"repeat", round}});
    if (source_.has_rate()) sample.update({{"seconds", seconds}, {"kbits_per_second", rate}});
    CrapResult result = {};
    if (!options_.speed) {
      result = statistics_.end_sample();
      print(screen_.statistics(result));
      sample.update({{"chi_square", result.chi_square},
                     {"p_value", result.p_value},
                     {"total_chi_square", result.total_chi_square},
                     {"total_p_value", result.total_p_value},
                     {"evenness", result.evenness}});
    }
    if (holds && !options_.speed && result.p_value < options_.p_value)
      write(held.data(), held.size());
    samples_.push_back(std::move(sample));
    return result;
  }

  // One sample into the statistics, the file, or |held|. Returns its length.
  uint64_t collect(unsigned number, std::vector<uint8_t>* held, double* seconds) {
    Progress progress(fmt::format("sample {}", number), header_.sample_bytes);
    uint64_t done = 0;
    while (done < header_.sample_bytes && !ended_ && !interrupted()) {
      const auto n = static_cast<size_t>(std::min<uint64_t>(header_.sample_bytes - done, kChunk));
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
    const std::string where = fmt::format("sample {} has {} of {} bytes and was not judged", number,
                                          len, header_.sample_bytes);
    if (interrupted()) throw Stop{interrupt_exit_code(), "interrupted; " + where};
    throw Stop{samples_.empty() ? kBadInput : kDiffers,
               fmt::format("{} ended; {}", source_.title(), where)};
  }

  void write(const uint8_t* data, size_t len) {
    if (const std::string error = file_.write(data, len); !error.empty())
      throw Stop{kDiffers, error};
    saved_bytes_ += len;
  }

  // What was found and saved until |stop| stays.
  int finish(Stop stop) {
    if (!header_.saved_to.empty()) {
      std::string kept = file_name_;
      const std::string error = stop.code == kDone ? file_.commit() : file_.keep_partial(&kept);
      if (!error.empty() && stop.code == kDone) stop = {kDiffers, error};
      if (error.empty() && stop.code != kDone && !kept.empty())
        stop.message += fmt::format("; {} has {} bytes", in_quotes(kept), saved_bytes_);
      report_["saved_to"] = kept;
      report_["saved_bytes"] = saved_bytes_;
    }
    report_["partial"] = stop.code != kDone;
    report_["samples"] = samples_;
    if (options_.json) fmt::print("{}\n", report_.dump(2));
    return stop.code == kDone ? kDone : fail(stop.code, stop.message);
  }

  const CrapOptions& options_;
  CrapSource& source_;
  CrapHeader header_;
  CrapScreen screen_;
  CrapStatistics statistics_;
  OutputFile file_;
  std::string file_name_;
  uint64_t saved_bytes_ = 0;
  int64_t bias_, mode_;
  bool ended_ = false, warned_ = false;
  Json report_, samples_ = Json::array();
};

// Options that would have no effect.
void refuse_idle_options(const CrapOptions& o) {
  if (!o.source.empty()) {
    const std::pair<bool, const char*> of_chips[] = {{o.bias.has_value(), "--bias"},
                                                     {o.mode.has_value(), "--mode"},
                                                     {o.test.has_value(), "--test"},
                                                     {o.edx.has_value(), "--edx"},
                                                     {o.raw, "--raw"},
                                                     {o.native, "--native"},
                                                     {!o.chip.model.empty(), "--cpu"},
                                                     {o.chip.seed_given, "--seed"}};
    for (const auto& [given, name] : of_chips)
      refuse(given, fmt::format("{} is for a PadLock processor's generator, not for {}", name,
                                in_quotes(o.source)));
  }
  const bool tests = o.test.value_or(0) > 0;
  refuse(tests && (o.bias || o.mode),
         fmt::format("{}: --test takes all biases of all sources", o.bias ? "--bias" : "--mode"));
  refuse(o.limit && !tests, "--limit is for --test");
  refuse(o.speed && tests, "--test needs the statistics that --speed leaves out");
  refuse(o.speed && o.p_value > 0, "--pvalue needs the statistics that --speed leaves out");
  refuse(o.out && !o.save && !(o.p_value > 0),
         "--out is for samples that --save or --pvalue saves");
}

}  // namespace

void adjust_crap_options(CrapOptions* options) {
  CrapOptions& o = *options;
  // The sample lets 4 and more spill into the bias.
  refuse(o.mode && (*o.mode < 0 || *o.mode > 3), "--mode: a noise source is 0, 1, 2 or 3");
  refuse(o.sha < 0, "--sha: the number of bytes for a digest is negative");
  refuse(o.edx && *o.edx < 0, "--edx: the quality factor is negative");
  refuse(o.test && *o.test < 0, "--test: the number of samples is negative");
  refuse(!(o.limit.value_or(0) >= 0) || !(o.p_value >= 0), "--limit and --pvalue are not negative");
  refuse_idle_options(o);
  if (o.bias && (*o.bias < 0 || *o.bias >= kBiases)) o.bias = 0;
  o.bias = o.bias.value_or(0);
  o.mode = o.mode.value_or(0);
  o.test = std::min(o.test.value_or(0), kMostTests);
  o.edx = o.edx.value_or(kUsualDivider) % 4;
  o.limit = std::min(o.limit.value_or(kUsualLimit), kMostLimit);
  o.out = o.out.value_or(kUsualFolder);
  o.rep = std::max<int64_t>(o.rep, 1);
  o.sha = std::min(o.sha, kMostSha);
  if (o.size < 1) o.size = kUsualMegabytes;
  refuse(o.size > kMostMegabytes, fmt::format("--size: at most {} megabytes", kMostMegabytes));
  refuse(o.bytes && *o.bytes < kLeastSample,
         fmt::format("--bytes: a sample has at least {} bytes", kLeastSample));
  const uint64_t sample = o.bytes.value_or(static_cast<uint64_t>(o.size) * kMegabyte);
  refuse(o.p_value > 0 && !o.save && sample > kMostHeld,
         "--pvalue keeps a sample in memory until it is judged: at most 1024 megabytes");
}

void add_crap_options(CLI::App& app, CrapOptions* options) {
  app.add_option("SOURCE", options->source,
                 "a file, - or a generator in place of a PadLock processor");
  add_chip_or_native_options(app, &options->chip, &options->native);
  app.add_option("--size", options->size, "megabytes in a sample; usually 10");
  app.add_option("--bytes", options->bytes, "bytes in a sample, in place of --size")
      ->excludes("--size");
  app.add_option("--rep", options->rep, "samples; usually 1");
  app.add_option("--edx", options->edx, "quality factor, modulo 4; usually 3");
  app.add_option("--bias", options->bias, "DC bias, 0 to 7; writes MSR 0x110B");
  app.add_option("--mode", options->mode, "noise source: 0 A, 1 B, 2 both; writes the MSR");
  app.add_flag("--raw", options->raw, "raw bits; writes the MSR");
  app.add_option("--sha", options->sha, "SHA-1 makes 20 bytes of N, at most 128");
  app.add_option(
      "--test", options->test,
      "up to N samples at each bias of each source, until the statistics are bad; writes "
      "the MSR");
  app.add_option("--limit", options->limit, "what is bad for --test; usually 0.001, at most 0.01");
  app.add_flag("--speed", options->speed, "only collect, and show the rate");
  app.add_flag("--save", options->save, "save all samples in one file");
  app.add_option("--pvalue", options->p_value, "save samples whose chi-square p-value is below X");
  app.add_option("-o,--out", options->out, "folder of that file")
      ->default_str(kUsualFolder)
      ->type_name("DIR");
  app.add_flag("--json", options->json, "print JSON");
}

int run_crap(CrapOptions options) {
  if (options.source == "xstore") options.source.clear();
  const bool sets_msr = options.bias || options.mode || options.raw;
  adjust_crap_options(&options);
  try {
    const auto source = open_crap_source(options);
    return Crap(options, *source).run(sets_msr);
  } catch (const CrapProcessorError& error) {
    return fail(kDiffers, "PROCESSOR ERROR: no hardware RNG can be had: " + error.message);
  }
}

}  // namespace incore::cli
