// Multi Most Common in Window Prediction Estimate (SP 800-90B, section 6.3.7): the symbol that was
// the most common among the last 63, 255, 1023 or 4095; of equally common ones the most recent.
#include <array>

#include "assess/sp800_90b/estimator.h"
#include "assess/sp800_90b/prediction.h"
#include "assess/sp800_90b/scoreboard.h"

namespace incore::assess::sp800_90b {
namespace {

constexpr const char* kName = "MultiMCW Prediction Estimate";
constexpr std::array<size_t, 4> kWindows = {63, 255, 1023, 4095};

// Windows have odd lengths, so one of two bits is always the more common.
class BitWindow {
 public:
  uint8_t most_common(size_t window) const { return 2 * ones_ > window; }
  void slide(uint8_t in, uint8_t out, size_t) { ones_ += size_t{in} - out; }
  void fill(uint8_t in, size_t) { ones_ += in; }

 private:
  size_t ones_ = 0;
};

class SymbolWindow {
 public:
  uint8_t most_common(size_t) const { return best_; }

  void fill(uint8_t in, size_t i) {
    last_[in] = static_cast<uint32_t>(i);
    if (++counts_[in] >= counts_[best_]) best_ = in;
  }

  void slide(uint8_t in, uint8_t out, size_t i) {
    const bool search_again = out == best_ && in != out;
    --counts_[out];
    fill(in, i);
    if (search_again) search();
  }

 private:
  void search() {
    int16_t most = 0;
    for (const int16_t count : counts_) most = std::max(most, count);
    uint32_t recent = 0;
    for (size_t symbol = 0; symbol < counts_.size(); ++symbol) {
      if (counts_[symbol] != most || last_[symbol] < recent) continue;
      recent = last_[symbol];
      best_ = static_cast<uint8_t>(symbol);
    }
  }

  std::array<int16_t, 256> counts_{};
  std::array<uint32_t, 256> last_{};  // where each symbol occurred last
  uint8_t best_ = 0;
};

template <class Window>
Tally predict(std::span<const uint8_t> s, const Stop& stop) {
  Tally tally;
  Scoreboard<kWindows.size()> scoreboard;
  std::array<Window, kWindows.size()> windows;
  for (size_t begin = 0; begin < s.size() && !stop; begin += 64) {
    const size_t end = std::min(begin + 64, s.size());
    std::array<uint64_t, kWindows.size()> right{}, any{};
    for (size_t j = 0; j < kWindows.size(); ++j) {
      const size_t len = kWindows[j];
      Window& window = windows[j];
      size_t i = begin;
      for (; i < std::min(end, len); ++i) window.fill(s[i], i);
      for (; i < end; ++i) {
        right[j] |= uint64_t{window.most_common(len) == s[i]} << (i - begin);
        any[j] |= uint64_t{1} << (i - begin);
        window.slide(s[i], s[i - len], i);
      }
    }
    scoreboard.add(right, any, static_cast<unsigned>(end - begin), &tally);
  }
  return tally;
}

std::vector<Estimate> run(const Symbols& symbols, const Stop& stop) {
  const std::span<const uint8_t> s = symbols.s;
  if (s.size() <= kWindows.back()) return {{.test = kName, .skipped = "needs 4096 symbols"}};
  const Tally tally = symbols.k == 2 ? predict<BitWindow>(s, stop) : predict<SymbolWindow>(s, stop);
  return {prediction_estimate(kName, tally, s.size() - kWindows.front(), symbols.k)};
}

}  // namespace

extern const Estimator estimator_multi_mcw = {kName, "guessing what was the most common lately",
                                              false, run};

}  // namespace incore::assess::sp800_90b
