// The spectrum: powers of the discrete Fourier transform of blocks of 65,536 bits, as +1 and -1,
// added up block by block (Bartlett's method). Of fair bits each power is exponentially distributed
// and a sum over blocks gamma. A mains hum or a clock that leaks in, however weak, becomes a line.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "assess/p_values.h"
#include "assess/real_transform.h"
#include "assess/special.h"
#include "assess/stream/blocks.h"
#include "assess/suite.h"
#include "assess/text.h"

namespace incore::assess {
namespace {

constexpr size_t kBlockLen = 8192;
constexpr size_t kBlockBits = 8 * kBlockLen;
constexpr size_t kNumLines = kBlockBits / 2;  // without that at frequency 0
// A transform takes longer than all other suites need for such a block; so all blocks are
// transformed at first, later one in so many.
constexpr uint64_t kAllBlocks = 512, kOneIn = 32;
constexpr size_t kGroup = 64;  // lines drawn as one point

using BitValues = std::array<std::array<double, 8>, 256>;
const BitValues& bit_values() {
  static const BitValues values = [] {
    BitValues made = {};
    for (unsigned byte = 0; byte < 256; ++byte)
      for (unsigned k = 0; k < 8; ++k) made[byte][k] = byte >> (7 - k) & 1 ? 1 : -1;
    return made;
  }();
  return values;
}

class Spectrum final : public Suite {
 public:
  void update(std::span<const uint8_t> data) override {
    blocks_.feed(data, [&](auto block) {
      if (block.size() == kBlockLen) add(block);
    });
  }

  uint64_t bytes_read() const override { return transformed_ * kBlockLen; }

  void finish(Report& out, Progress&) override {
    if (transformed_ == 0) return out.skip("Spectrum", "needs 8192 bytes");
    double mean = 0;
    for (size_t line = 1; line <= kNumLines; ++line) mean += powers_[line] / kNumLines;
    if (!(mean > 1e-9 * static_cast<double>(transformed_))) {
      out.results.push_back({.test = "Spectrum",
                             .verdict = INCORE_VERDICT_FAIL,
                             .p_value = 0,
                             .text = "all bits are equal"});
      return;
    }
    // A bias lowers all lines alike.
    const auto blocks = static_cast<double>(transformed_);
    for (double& power : powers_) power *= blocks / mean;
    strongest(out, blocks);
    draw(out, blocks);
  }

 private:
  void add(std::span<const uint8_t> block) {
    const uint64_t index = num_blocks_++;
    if (index >= kAllBlocks && index % kOneIn != 0) return;
    const BitValues& values = bit_values();
    for (size_t i = 0; i < kBlockLen; ++i)
      std::copy_n(values[block[i]].data(), 8, bits_.begin() + 8 * static_cast<ptrdiff_t>(i));
    transform_(bits_, lines_);
    for (size_t line = 1; line <= kNumLines; ++line)
      powers_[line] += std::norm(lines_[line]) / kBlockBits;
    ++transformed_;
  }

  void strongest(Report& out, double blocks) const {
    const auto last = powers_.begin() + kNumLines;
    const auto most = std::max_element(powers_.begin() + 1, last);
    size_t line = static_cast<size_t>(most - powers_.begin());
    double least = igamc(blocks, *most);
    // The last line has no imaginary part.
    if (const double p = igamc(blocks / 2, *last / 2); p < least) least = p, line = kNumLines;
    const double p = least_of_p(least, kNumLines);
    const double frequency = static_cast<double>(line) / kBlockBits;
    const double decibels = 10 * std::log10(powers_[line] / blocks);
    out.results.push_back(
        {.test = "Spectrum",
         .variant = "strongest line",
         .verdict = verdict_of(p),
         .statistic = decibels,
         .p_value = p,
         .text =
             print("the strongest of %zu lines is %.2f dB above the mean, with a period of %.6g "
                   "bits",
                   kNumLines, decibels, 1 / frequency),
         .figures = {{"frequency", frequency},
                     {"period", 1 / frequency},
                     {"decibels", decibels},
                     {"blocks", blocks}}});
  }

  // The strongest of each group of lines.
  void draw(Report& out, double blocks) const {
    const auto band = [&](double share) {  // of the strongest line
      return 10 * std::log10(igamc_inverse(blocks, -std::expm1(std::log(share) / kGroup)) / blocks);
    };
    Series series = {.name = "spectrum",
                     .title = "Spectrum: the strongest of each 64 lines",
                     .x_title = "frequency in cycles a bit",
                     .y_title = "power in dB",
                     .low = band(0.005),
                     .high = band(0.995)};
    for (size_t first = 1; first < kNumLines; first += kGroup) {
      const auto begin = powers_.begin() + static_cast<ptrdiff_t>(first);
      const double most = *std::max_element(begin, begin + kGroup);
      series.x.push_back((static_cast<double>(first) + kGroup / 2) / kBlockBits);
      series.y.push_back(10 * std::log10(std::max(most / blocks, 1e-30)));
    }
    out.series.push_back(std::move(series));
  }

  Blocks blocks_{kBlockLen};
  const RealTransform transform_{kBlockBits};
  std::vector<double> bits_ = std::vector<double>(kBlockBits);
  std::vector<std::complex<double>> lines_ = std::vector<std::complex<double>>(kNumLines + 1);
  std::vector<double> powers_ = std::vector<double>(kNumLines + 1);
  uint64_t num_blocks_ = 0, transformed_ = 0;
};

}  // namespace

extern const SuiteInfo suite_spectrum = {
    "spectrum",
    "averaged spectrum of the bits, its strongest line",
    "Bartlett's method",
    true,
    Input::packed,
    [](const Options&) -> std::unique_ptr<Suite> { return std::make_unique<Spectrum>(); }};

}  // namespace incore::assess
