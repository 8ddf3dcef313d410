#include "tools/samples/crap_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tools/base/quote.h"

namespace incore::tools {
namespace {

constexpr int64_t kUsualMegabytes = 10, kMostMegabytes = int64_t{1} << 24;
constexpr int64_t kMostSha = 128, kMostTests = 1000, kUsualDivider = 3;
constexpr double kUsualLimit = 0.001, kMostLimit = 0.01;
constexpr uint64_t kLeastSample = 256;             // below it all counts would be 0 or 1
constexpr uint64_t kMostHeld = uint64_t{1} << 30;  // of a sample that may have to be saved later

void refuse(bool wrong, const std::string& message) {
  if (wrong) throw std::invalid_argument(message);
}

void refuse_options_of_chips(const CrapOptions& o) {
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

// Options that would have no effect.
void refuse_idle_options(const CrapOptions& o) {
  if (!o.source.empty()) refuse_options_of_chips(o);
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
  if (o.bias && (*o.bias < 0 || *o.bias >= kCrapBiases)) o.bias = 0;
  o.bias = o.bias.value_or(0);
  o.mode = o.mode.value_or(0);
  o.test = std::min(o.test.value_or(0), kMostTests);
  o.edx = o.edx.value_or(kUsualDivider) % 4;
  o.limit = std::min(o.limit.value_or(kUsualLimit), kMostLimit);
  o.out = o.out.value_or(kUsualCrapFolder);
  o.rep = std::max<int64_t>(o.rep, 1);
  o.sha = std::min(o.sha, kMostSha);
  if (o.size < 1) o.size = kUsualMegabytes;
  refuse(o.size > kMostMegabytes, fmt::format("--size: at most {} megabytes", kMostMegabytes));
  refuse(o.bytes && *o.bytes < kLeastSample,
         fmt::format("--bytes: a sample has at least {} bytes", kLeastSample));
  refuse(o.p_value > 0 && !o.save && o.sample_bytes() > kMostHeld,
         "--pvalue keeps a sample in memory until it is judged: at most 1024 megabytes");
}

}  // namespace incore::tools
