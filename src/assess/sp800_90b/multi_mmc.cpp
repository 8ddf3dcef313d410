// MultiMMC Prediction Estimate (SP 800-90B, section 6.3.9): Markov models with counting, of orders
// from 1 to 16. Each predicts what followed the last symbols most often, the greater of equals. A
// model stops learning new pairs of context and symbol when it has 100,000.
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

// Models of bits: counts in a table by context. Those of order d begin at 2^d; their contexts are
// the last d bits, the newest lowest.
class BitModels {
 public:
  explicit BitModels(std::span<const uint8_t> s) : s_(s) {}

  // Bits |begin| to |end|: which are predicted by which model, and which rightly.
  void predict(size_t begin, size_t end, std::array<uint64_t, kNumModels>* out_right,
               std::array<uint64_t, kNumModels>* out_any) {
    size_t context = 0;
    for (size_t i = begin - std::min(begin, kNumModels); i < begin; ++i)
      context = context << 1 | s_[i];
    size_t model = 0;
    for (; model + kTogether <= num_settled_; model += kTogether)
      predict_settled(model, begin, end, context, out_right->data() + model);
    std::fill_n(out_any->begin(), model, ~uint64_t{0} >> (64 - (end - begin)));
    for (; model < kNumModels; ++model)
      predict_one(model + 1, begin, end, context, &(*out_right)[model], &(*out_any)[model]);
    while (num_settled_ < kNumModels && num_entries_[num_settled_] == size_t{4} << num_settled_)
      ++num_settled_;
  }

 private:
  using Followed = std::array<uint32_t, 2>;
  static constexpr size_t kTogether = 5;  // models side by side, so that none waits for its memory

  // Models from |model| on that know what follows each context.
  void predict_settled(size_t model, size_t begin, size_t end, size_t context,
                       uint64_t* out_right) {
    std::array<uint64_t, kTogether> right{};
    for (size_t i = begin; i < end; ++i) {
      const uint8_t bit = s_[i];
      for (size_t j = 0; j < kTogether; ++j) {
        const size_t table = size_t{2} << (model + j);
        Followed& followed = counts_[table | (context & (table - 1))];
        right[j] |= uint64_t{(followed[1] >= followed[0]) == (bit != 0)} << (i - begin);
        ++followed[bit];
      }
      context = context << 1 | bit;
    }
    std::copy(right.begin(), right.end(), out_right);
  }

  void predict_one(size_t order, size_t begin, size_t end, size_t context, uint64_t* out_right,
                   uint64_t* out_any) {
    uint64_t right = 0, any = 0;
    uint32_t& num_entries = num_entries_[order - 1];
    const size_t table = size_t{1} << order;
    for (size_t i = begin; i < end; ++i) {
      const uint8_t bit = s_[i];
      Followed& followed = counts_[table | (context & (table - 1))];
      context = context << 1 | bit;
      if (i < order) continue;
      const bool known = (followed[0] | followed[1]) != 0;
      const bool guess = followed[1] >= followed[0];
      any |= uint64_t{known} << (i - begin);
      right |= uint64_t{known && guess == (bit != 0)} << (i - begin);
      if (followed[bit] != 0) {
        ++followed[bit];
      } else if (num_entries < kMostEntries) {
        followed[bit] = 1;
        ++num_entries;
      }
    }
    *out_right = right;
    *out_any = any;
  }

  std::span<const uint8_t> s_;
  std::vector<Followed> counts_ = std::vector<Followed>(size_t{2} << kNumModels);
  std::array<uint32_t, kNumModels> num_entries_{};
  size_t num_settled_ = 0;  // the models of least order that know what follows each context
};

Tally predict_bits(std::span<const uint8_t> s, const Stop& stop) {
  Tally tally;
  Scoreboard<kNumModels> scoreboard;
  BitModels models(s);
  for (size_t begin = 0; begin < s.size() && !stop; begin += 64) {
    const size_t end = std::min(begin + 64, s.size());
    std::array<uint64_t, kNumModels> right, any;
    models.predict(begin, end, &right, &any);
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
