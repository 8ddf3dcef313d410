// Subpredictors and the one among them that predicts: the standard's scoreboard and winner, in
// blocks of up to 64 symbols. Only those whose score comes near the winner's are followed symbol by
// symbol.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "assess/sp800_90b/prediction.h"

namespace incore::assess::sp800_90b {

template <size_t kNum>
class Scoreboard {
 public:
  // Bit i of |right|[j]: subpredictor j predicts symbol i of the block rightly; of |any|[j]: it
  // predicts something. |len| symbols; bits beyond them are 0.
  void add(const std::array<uint64_t, kNum>& right, const std::array<uint64_t, kNum>& any,
           unsigned len, Tally* out_tally);

 private:
  struct Follower {
    size_t which;
    uint64_t right;
    uint64_t any;
    uint32_t score;
  };

  std::array<uint32_t, kNum> scores_{};
  size_t winner_ = 0;
};

template <size_t kNum>
void Scoreboard<kNum>::add(const std::array<uint64_t, kNum>& right,
                           const std::array<uint64_t, kNum>& any, unsigned len, Tally* out_tally) {
  // Of those that have equal scores and predict equally to the end of the block, the last one wins.
  std::array<Follower, kNum> followers;  // the last first
  size_t num = 0, winner = 0;
  uint32_t high = scores_[winner_];
  for (size_t j = kNum; j-- > 0;) {
    if (j != winner_ && (right[j] == 0 || scores_[j] + len < high)) continue;
    size_t same = 0;
    while (same < num && !(followers[same].score == scores_[j] &&
                           followers[same].right == right[j] && followers[same].any == any[j]))
      ++same;
    if (same == num) followers[num++] = {j, right[j], any[j], scores_[j]};
    if (j == winner_) winner = same;
  }

  for (unsigned i = 0; i < len; ++i) {
    // A symbol for which nothing is predicted ends no run; so it is in NIST's tool.
    if (followers[winner].right >> i & 1)
      out_tally->right();
    else if (followers[winner].any >> i & 1)
      out_tally->wrong();
    for (size_t each = num; each-- > 0;) {
      if ((followers[each].right >> i & 1) == 0) continue;
      if (++followers[each].score < high) continue;
      high = followers[each].score;
      winner = each;
    }
  }
  winner_ = followers[winner].which;
  for (size_t j = 0; j < kNum; ++j) scores_[j] += static_cast<uint32_t>(std::popcount(right[j]));
}

}  // namespace incore::assess::sp800_90b
