// Runs of equal bits over the whole stream: how many there are (as in SP 800-22, section 2.3), how
// long they are, and the longest. Lengths of a fair source's runs are geometric: half of them are
// 1, a quarter 2, and so on.
#include <algorithm>
#include <cmath>

#include "assess/p_values.h"
#include "assess/special.h"
#include "assess/stream/bits.h"
#include "assess/stream/run_lengths.h"
#include "assess/suite.h"
#include "assess/text.h"

namespace incore::assess {
namespace {

constexpr unsigned kMost = RunLengths::kMost;

double total_of(const uint64_t* counts) {
  double total = 0;
  for (unsigned length = 1; length <= kMost; ++length) total += static_cast<double>(counts[length]);
  return total;
}

class Runs final : public Suite {
 public:
  void update(std::span<const uint8_t> data) override {
    runs_.update(data.data(), data.size());
    ones_ += count_ones(data.data(), data.size());
    num_bytes_ += data.size();
  }

  uint64_t bytes_read() const override { return num_bytes_; }

  void finish(Report& out, Progress&) override {
    if (num_bytes_ < 125) return out.skip("Number of runs", "needs 125 bytes");
    // The last run is cut off, so its length says nothing.
    lengths(out, "zeros", runs_.counts[0]);
    lengths(out, "ones", runs_.counts[1]);
    draw(out);
    runs_.finish();
    number(out);
    longest(out);
  }

 private:
  void number(Report& out) const {
    const double n = 8 * static_cast<double>(num_bytes_), share = static_cast<double>(ones_) / n;
    const double runs = total_of(runs_.counts[0]) + total_of(runs_.counts[1]);
    const double mixed = share * (1 - share);
    if (mixed == 0) {
      out.results.push_back({.test = "Number of runs",
                             .verdict = INCORE_VERDICT_FAIL,
                             .p_value = 0,
                             .text = "all bits are equal"});
      return;
    }
    const double z = (runs - 2 * n * mixed) / (2 * std::sqrt(n) * mixed);
    const double p = normal_two_sided_p(z);
    out.results.push_back(
        {.test = "Number of runs",
         .verdict = verdict_of(p),
         .statistic = z,
         .p_value = p,
         .text = print("%.0f runs of equal bits, where %.0f are expected of so many ones: %.2f "
                       "standard deviations off",
                       runs, 2 * n * mixed, z),
         .figures = {{"runs", runs}, {"ones", static_cast<double>(ones_)}}});
  }

  static void lengths(Report& out, const char* which, const uint64_t* counts) {
    const double runs = total_of(counts);
    // Lengths with five expected runs; the last category has all longer ones.
    const int categories = std::min(static_cast<int>(kMost), std::ilogb(std::max(runs / 5, 1.0)));
    if (categories < 2) {
      out.results.push_back({.test = "Run lengths",
                             .variant = which,
                             .verdict = INCORE_VERDICT_SKIPPED,
                             .text = print("only %.0f runs; 20 are needed", runs)});
      return;
    }
    double statistic = 0, left = runs;
    for (int length = 1; length <= categories; ++length) {
      const bool last = length == categories;
      const double count = last ? left : static_cast<double>(counts[length]);
      const double expected = std::ldexp(runs, last ? 1 - length : -length);
      statistic += (count - expected) * (count - expected) / expected;
      left -= count;
    }
    const double p = chi_square_both_tails_p(statistic, categories - 1);
    out.results.push_back(
        {.test = "Run lengths",
         .variant = which,
         .verdict = verdict_of(p),
         .statistic = statistic,
         .p_value = p,
         .text =
             print("chi-square %.2f between the lengths of runs of %s and halving numbers, where "
                   "%d is usual",
                   statistic, which, categories - 1),
         .figures = {{"runs", runs}, {"degrees of freedom", categories - 1.0}}});
  }

  // Runs of |length| or more of either bit are rare and apart, so their number is Poisson's.
  void longest(Report& out) const {
    const double n = 8 * static_cast<double>(num_bytes_);
    const auto at_least = [n](double length) {
      return length > n ? 0 : (n - length + 2) * std::exp2(-length);
    };
    const auto length = static_cast<double>(runs_.longest);
    const double upper = -std::expm1(-at_least(length)), lower = std::exp(-at_least(length + 1));
    const double p = std::min(1.0, 2 * std::min(lower, upper));
    out.results.push_back(
        {.test = "Longest run",
         .verdict = verdict_of(p),
         .statistic = length,
         .p_value = p,
         .text = print("%.0f %s in a row; about %.0f are usual for so many bits", length,
                       runs_.longest_bit != 0 ? "ones" : "zeros", std::log2(n)),
         .figures = {{"length", length}, {"bit", static_cast<double>(runs_.longest_bit)}}});
  }

  void draw(Report& out) const {
    Series series = {.name = "run-lengths",
                     .title = "Runs of equal bits, by their length",
                     .x_title = "length",
                     .y_title = "runs / expected runs",
                     .kind = INCORE_SERIES_BARS};
    const double runs = total_of(runs_.counts[0]) + total_of(runs_.counts[1]);
    for (unsigned length = 1; length < kMost; ++length) {
      const double expected = std::ldexp(runs, -static_cast<int>(length));
      if (expected < 25) break;
      series.x.push_back(length);
      series.y.push_back(static_cast<double>(runs_.counts[0][length] + runs_.counts[1][length]) /
                         expected);
    }
    if (!series.y.empty()) out.series.push_back(std::move(series));
  }

  RunLengths runs_;
  uint64_t num_bytes_ = 0, ones_ = 0;
};

}  // namespace

extern const SuiteInfo suite_runs = {
    "runs",
    "runs of equal bits: how many, how long, the longest",
    "SP 800-22, section 2.3; geometric lengths",
    true,
    Input::packed,
    [](const Options&) -> std::unique_ptr<Suite> { return std::make_unique<Runs>(); }};

}  // namespace incore::assess
