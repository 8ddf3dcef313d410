// Things that random bits never do: the same 16 bytes twice, and words that count or follow from
// each other by a linear congruence. A source that repeats a block of any length, or gives a
// counter's values, looks perfect to many other tests.
#include <algorithm>
#include <cmath>

#include "assess/p_values.h"
#include "assess/special.h"
#include "assess/stream/blocks.h"
#include "assess/stream/window_sample.h"
#include "assess/stream/word_rules.h"
#include "assess/suite.h"
#include "assess/text.h"

namespace incore::assess {
namespace {

constexpr size_t kBlockLen = 16384;

class Repeats final : public Suite {
 public:
  void update(std::span<const uint8_t> data) override {
    blocks_.feed(data, [&](auto block) { add(block); });
  }

  uint64_t bytes_read() const override { return blocks_.num_bytes(); }

  void finish(Report& out, Progress&) override {
    blocks_.finish([&](auto block) { add(block); });
    if (blocks_.num_bytes() < 1000) return out.skip("Repeated windows", "needs 1000 bytes");
    repeated_windows(out);
    counter(out);
  }

 private:
  void add(std::span<const uint8_t> block) {
    constexpr size_t kBefore = WindowSample::kWindowLen - 1;
    const size_t before = std::min<uint64_t>(kBefore, position_);
    if (before + block.size() > kBefore)
      sample_.look(block.data() - before, before + block.size() - kBefore, position_ - before);
    add_word_rules(rules_, block.data(), block.size(), position_);
    position_ += block.size();
  }

  void repeated_windows(Report& out) const {
    const auto windows = static_cast<double>(sample_.windows());
    const auto repeats = static_cast<double>(sample_.repeats());
    // The pairs of windows, each equal with probability 2^-128, or rather an upper bound of it, for
    // the table had forgotten some.
    const double chance = std::ldexp(windows * windows, -129);
    Result result = {
        .test = "Repeated windows",
        .verdict = INCORE_VERDICT_PASS,
        .statistic = repeats,
        .text = print("no 16 bytes occur twice among %.0f places that were compared", windows),
        .figures = {
            {"windows", windows}, {"repeats", repeats}, {"one window in", sample_.one_in()}}};
    if (repeats != 0) {
      result.p_value = std::min(1.0, chance);
      result.verdict = verdict_of(result.p_value);
      result.text = print(
          "16 bytes at byte %llu are the same as %llu bytes before; %.3g %% of the places that "
          "were "
          "compared repeat an earlier one, most often %llu bytes later",
          ull(sample_.first_repeat()), ull(sample_.first_distance()), 100 * repeats / windows,
          ull(sample_.usual_distance()));
      result.figures.push_back({"first repeat", static_cast<double>(sample_.first_repeat())});
      result.figures.push_back({"first distance", static_cast<double>(sample_.first_distance())});
      result.figures.push_back({"usual distance", static_cast<double>(sample_.usual_distance())});
    }
    out.results.push_back(std::move(result));
  }

  void counter(Report& out) const {
    Result result = {.test = "Counter", .p_value = 1};
    size_t worst = 0;
    for (size_t kind = 0; kind < kNumWordKinds; ++kind) {
      const auto words = static_cast<double>(rules_.words[kind]);
      const auto ruled = static_cast<double>(rules_.ruled[kind]);
      const double p = binomial_at_least(ruled, words, kWordKinds[kind].chance);
      if (p < result.p_value) result.p_value = p, worst = kind;
      result.figures.push_back({kWordKinds[kind].name, ruled / words});
    }
    result.statistic = result.figures[worst].value;
    result.p_value = least_of_p(result.p_value, kNumWordKinds);
    result.verdict = verdict_of(result.p_value);
    result.text = print(
        "%.3g %% of the %s follow from those before by a constant step or a linear congruence, "
        "where "
        "%.3g %% are expected",
        100 * result.statistic, kWordKinds[worst].name, 100 * kWordKinds[worst].chance);
    out.results.push_back(std::move(result));
  }

  static unsigned long long ull(uint64_t number) { return number; }

  Blocks blocks_{kBlockLen, kWordsHistory};
  WindowSample sample_;
  WordRules rules_;
  uint64_t position_ = 0;
};

}  // namespace

extern const SuiteInfo suite_repeats = {
    "repeats",
    "blocks that come again, counters, linear congruences",
    "content-defined sampling; differences of words",
    true,
    Input::packed,
    [](const Options&) -> std::unique_ptr<Suite> { return std::make_unique<Repeats>(); }};

}  // namespace incore::assess
