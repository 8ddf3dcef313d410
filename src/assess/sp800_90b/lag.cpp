// Lag Prediction Estimate (SP 800-90B, section 6.3.8): the symbol that stood 1 to 128 places
// before.
#include <array>

#include "assess/sp800_90b/bit_blocks.h"
#include "assess/sp800_90b/estimator.h"
#include "assess/sp800_90b/prediction.h"
#include "assess/sp800_90b/scoreboard.h"

namespace incore::assess::sp800_90b {
namespace {

constexpr const char* kName = "Lag Prediction Estimate";
constexpr size_t kNumLags = 128;  // D

// Of bits, 64 are compared at once.
Tally predict_bits(std::span<const uint8_t> s, const Stop& stop) {
  Tally tally;
  Scoreboard<kNumLags> scoreboard;
  const std::vector<uint64_t> blocks = bit_blocks(s);
  uint64_t before = 0, long_before = 0;  // the two blocks before this one
  for (size_t block = 0; block < blocks.size() && !stop; ++block) {
    const size_t begin = block * 64;
    const size_t len = std::min<size_t>(64, s.size() - begin);
    const uint64_t inside = len == 64 ? ~uint64_t{0} : (uint64_t{1} << len) - 1;
    std::array<uint64_t, kNumLags> right, any;
    for (size_t lag = 1; lag <= kNumLags; ++lag) {
      uint64_t earlier;
      if (lag < 64)
        earlier = blocks[block] << lag | before >> (64 - lag);
      else if (lag == 64)
        earlier = before;
      else if (lag < 128)
        earlier = before << (lag - 64) | long_before >> (128 - lag);
      else
        earlier = long_before;
      uint64_t exists = inside;
      if (lag >= begin + 64)
        exists = 0;
      else if (lag > begin)
        exists &= ~uint64_t{0} << (lag - begin);
      any[lag - 1] = exists;
      right[lag - 1] = ~(blocks[block] ^ earlier) & exists;
    }
    // From the second symbol on something is predicted.
    scoreboard.add(right, any, static_cast<unsigned>(len), &tally);
    long_before = before;
    before = blocks[block];
  }
  return tally;
}

// Of symbols, only the lags at which this symbol did stand are looked at: from one place where it
// occurred to the next one before.
Tally predict_symbols(std::span<const uint8_t> s, const Stop& stop) {
  Tally tally;
  std::array<uint32_t, kNumLags> scores{};
  size_t winner = 0;                      // lag - 1
  std::array<size_t, 256> last{};         // where a symbol occurred last, counted from 1
  std::array<size_t, kNumLags> before{};  // of the last places: where its symbol occurred before
  for (size_t i = 0; i < s.size(); ++i) {
    if (i % 65536 == 0 && stop) break;
    if (i > 0) tally.add(s[i - winner - 1] == s[i]);
    const size_t place = i + 1;
    for (size_t earlier = last[s[i]]; earlier != 0 && place - earlier <= kNumLags;
         earlier = before[earlier % kNumLags]) {
      const size_t j = place - earlier - 1;
      if (++scores[j] >= scores[winner]) winner = j;
    }
    before[place % kNumLags] = last[s[i]];
    last[s[i]] = place;
  }
  return tally;
}

std::vector<Estimate> run(const Symbols& symbols, const Stop& stop) {
  const Tally tally =
      symbols.k == 2 ? predict_bits(symbols.s, stop) : predict_symbols(symbols.s, stop);
  return {prediction_estimate(kName, tally, symbols.s.size() - 1, symbols.k)};
}

}  // namespace

extern const Estimator estimator_lag = {
    kName, "guessing what stood a fixed number of places before", false, run};

}  // namespace incore::assess::sp800_90b
