// LZ78Y Prediction Estimate (SP 800-90B, section 6.3.10): what followed one of the last 1 to 16
// symbols most often; the context with the highest count predicts, the longest of equals. The
// dictionary holds 65,536 contexts.
#include <array>

#include "assess/sp800_90b/context_tree.h"
#include "assess/sp800_90b/estimator.h"
#include "assess/sp800_90b/prediction.h"

namespace incore::assess::sp800_90b {
namespace {

constexpr const char* kName = "LZ78Y Prediction Estimate";
constexpr size_t kLongest = 16;  // B
constexpr uint32_t kMostContexts = 65'536;

// Bits: tables of counts, by length of the context.
class BitPredictor {
 public:
  explicit BitPredictor(std::span<const uint8_t> s) : s_(s) {
    for (size_t length = 1; length <= kLongest; ++length)
      counts_[length].resize(size_t{1} << length);
  }

  Tally run(const Stop& stop) {
    size_t i = kLongest;
    for (size_t j = 0; j < i; ++j) context_ = context_ << 1 | s_[j];
    for (; i < s_.size() && !shortest_wins(); ++i) {
      if (i % 65536 == 0 && stop) break;
      step(i);
    }
    for (; i < s_.size() && !stop; ++i) {
      std::array<uint32_t, 2>& followed = counts_[1][context_ & 1];
      tally_.add((followed[1] >= followed[0]) == (s_[i] != 0));
      ++followed[s_[i]];
      context_ = s_[i];
    }
    return tally_;
  }

 private:
  // When each two bits were followed by either bit, each bit's counts, which are sums of theirs,
  // are greater than those of any longer context, and stay so: only they predict from then on.
  bool shortest_wins() const {
    for (const std::array<uint32_t, 2>& followed : counts_[2])
      if (followed[0] == 0 || followed[1] == 0) return false;
    return (counts_[1][0][0] | counts_[1][0][1]) != 0 && (counts_[1][1][0] | counts_[1][1][1]) != 0;
  }

  void step(size_t i) {
    const uint8_t bit = s_[i];
    uint32_t most = 0;
    uint8_t guess = 0;
    for (size_t length = kLongest; length >= 1; --length) {
      std::array<uint32_t, 2>& followed = counts_[length][context_ & (counts_[length].size() - 1)];
      if ((followed[0] | followed[1]) != 0) {
        const uint8_t likelier = followed[1] >= followed[0];
        if (followed[likelier] > most) {
          most = followed[likelier];
          guess = likelier;
        }
        ++followed[bit];
      } else if (num_contexts_ < kMostContexts) {
        followed[bit] = 1;
        ++num_contexts_;
      }
    }
    if (i > kLongest) tally_.add(most != 0 && guess == bit);
    context_ = context_ << 1 | bit;
  }

  std::span<const uint8_t> s_;
  std::array<std::vector<std::array<uint32_t, 2>>, kLongest + 1> counts_;
  size_t context_ = 0;
  uint32_t num_contexts_ = 0;
  Tally tally_;
};

Tally predict_symbols(std::span<const uint8_t> s, const Stop& stop) {
  Tally tally;
  ContextTree tree;
  size_t num_contexts = 0;
  for (size_t i = kLongest; i < s.size(); ++i) {
    if (i % 65536 == 0 && stop) break;
    ContextTree::Best guess = {0, 0};
    uint32_t context = ContextTree::kRoot;
    size_t length = 1;
    for (; length <= kLongest; ++length) {
      const uint32_t longer = tree.child(context, s[i - length]);
      if (longer == ContextTree::kNone) break;
      context = longer;
      const ContextTree::Best best = tree.best(context);
      if (best.count == 0) continue;
      if (best.count >= guess.count) guess = best;
      tree.count(context, s[i], true);
    }
    if (i > kLongest) tally.add(guess.count != 0 && guess.symbol == s[i]);
    // New contexts, the longest first as long as there is room. Shorter ones that find no room are
    // in the tree, as the way to the longer ones, but count nothing.
    const size_t room = std::min(kMostContexts - num_contexts, kLongest + 1 - length);
    if (room == 0) continue;
    num_contexts += room;
    for (; length <= kLongest; ++length) {
      context = tree.add_child(context, s[i - length]);
      if (length > kLongest - room) tree.count(context, s[i], true);
    }
  }
  return tally;
}

std::vector<Estimate> run(const Symbols& symbols, const Stop& stop) {
  const std::span<const uint8_t> s = symbols.s;
  const Tally tally = symbols.k == 2 ? BitPredictor(s).run(stop) : predict_symbols(s, stop);
  return {prediction_estimate(kName, tally, s.size() - kLongest - 1, symbols.k)};
}

}  // namespace

extern const Estimator estimator_lz78y = {
    kName, "guessing what followed a known sequence most often", false, run};

}  // namespace incore::assess::sp800_90b
