// MultiMMC Prediction Estimate (SP 800-90B, section 6.3.9): Markov models with counting, of order 1
// to
// 16. Each predicts what followed the last symbols most often, the greater of equals. A model stops
// learning new pairs of context and symbol when it has 100,000.
#include <array>

#include "assess/sp800_90b/context_tree.h"
#include "assess/sp800_90b/estimator.h"
#include "assess/sp800_90b/prediction.h"
#include "assess/sp800_90b/scoreboard.h"

namespace incore::assess::sp800_90b {
namespace {

constexpr const char* kName = "MultiMMC Prediction Estimate";
constexpr size_t kNumModels = 16;  // D
constexpr uint32_t kMostEntries = 100'000;

// A model of bits: counts in a table by context.
class BitModel {
 public:
  void set_order(size_t order) {
    order_ = order;
    counts_.resize(size_t{1} << order);
  }

  // Bits |begin| to |end| of |s|: which are predicted, and which rightly.
  void predict(std::span<const uint8_t> s, size_t begin, size_t end, uint64_t* out_right,
               uint64_t* out_any) {
    uint64_t right = 0, any = 0;
    const size_t mask = counts_.size() - 1;
    for (size_t i = std::max(begin, order_); i < end; ++i) {
      if (i == order_)
        for (size_t j = 0; j < i; ++j) context_ = context_ << 1 | s[j];
      std::array<uint32_t, 2>& followed = counts_[context_ & mask];
      const uint8_t bit = s[i];
      const bool known = (followed[0] | followed[1]) != 0;
      const bool guess = followed[1] >= followed[0];
      any |= uint64_t{known} << (i - begin);
      right |= uint64_t{known && guess == (bit != 0)} << (i - begin);
      if (followed[bit] != 0) {
        ++followed[bit];
      } else if (num_entries_ < kMostEntries) {
        followed[bit] = 1;
        ++num_entries_;
      }
      context_ = context_ << 1 | bit;
    }
    *out_right = right;
    *out_any = any;
  }

 private:
  size_t order_ = 0, context_ = 0;
  uint32_t num_entries_ = 0;
  std::vector<std::array<uint32_t, 2>> counts_;
};

Tally predict_bits(std::span<const uint8_t> s, const Stop& stop) {
  Tally tally;
  Scoreboard<kNumModels> scoreboard;
  std::array<BitModel, kNumModels> models;
  for (size_t j = 0; j < kNumModels; ++j) models[j].set_order(j + 1);
  for (size_t begin = 0; begin < s.size() && !stop; begin += 64) {
    const size_t end = std::min(begin + 64, s.size());
    std::array<uint64_t, kNumModels> right, any;
    for (size_t j = 0; j < kNumModels; ++j) models[j].predict(s, begin, end, &right[j], &any[j]);
    scoreboard.add(right, any, static_cast<unsigned>(end - begin), &tally);
  }
  return tally;
}

// A longer context is known only if the shorter ones are, so the way down the tree ends at the
// first that is not.
Tally predict_symbols(std::span<const uint8_t> s, const Stop& stop) {
  Tally tally;
  ContextTree tree;
  std::array<uint32_t, kNumModels> num_entries{}, scores{};
  size_t winner = 0;
  for (size_t i = 1; i < s.size(); ++i) {
    if (i % 65536 == 0 && stop) break;
    const size_t num_models = std::min(kNumModels, i);
    const size_t winner_before = winner;
    uint32_t context = ContextTree::kRoot;
    size_t j = 0;
    for (; j < num_models; ++j) {
      const uint32_t longer = tree.child(context, s[i - j - 1]);
      if (longer == ContextTree::kNone) break;
      context = longer;
      if (tree.best(context).symbol == s[i]) {
        if (++scores[j] >= scores[winner]) winner = j;
        if (j == winner_before) tally.right();
      } else if (j == winner_before) {
        tally.wrong();  // a context that is not known ends no run; so it is in NIST's tool
      }
      num_entries[j] += tree.count(context, s[i], num_entries[j] < kMostEntries);
    }
    for (bool add = true; j < num_models; ++j) {
      if (num_entries[j] == kMostEntries) {
        add = false;  // longer ones would not be found
        continue;
      }
      ++num_entries[j];
      if (!add) continue;
      context = tree.add_child(context, s[i - j - 1]);
      tree.count(context, s[i], true);
    }
  }
  return tally;
}

std::vector<Estimate> run(const Symbols& symbols, const Stop& stop) {
  const Tally tally =
      symbols.k == 2 ? predict_bits(symbols.s, stop) : predict_symbols(symbols.s, stop);
  return {prediction_estimate(kName, tally, symbols.s.size() - 2, symbols.k)};
}

}  // namespace

extern const Estimator estimator_multi_mmc = {
    kName, "guessing what followed the last 1 to 16 symbols most often", false, run};

}  // namespace incore::assess::sp800_90b
