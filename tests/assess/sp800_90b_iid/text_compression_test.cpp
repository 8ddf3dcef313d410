// The length of what bzip2 would make of a text, against bzip2, where libbz2 is.
#include "assess/sp800_90b_iid/text_compression.h"

#include <gtest/gtest.h>
#if INCORE_HAVE_BZIP2
#include <bzlib.h>
#endif

#include <cmath>
#include <string>
#include <vector>

#include "assess/generators.h"
#include "support/property.h"

namespace incore::test {
namespace {

using namespace assess::sp800_90b;

constexpr char kNoBzip2[] = "libbz2 is not on this machine";
#if !INCORE_HAVE_BZIP2
size_t bzip2_len(const Bytes&, const Bytes&) {
  return 0;
}
#else
size_t bzip2_len(const Bytes& symbols, const Bytes& alphabet) {
  std::string text;
  for (const uint8_t symbol : symbols) text += std::to_string(alphabet[symbol]) + " ";
  text.pop_back();
  std::vector<char> packed(text.size() + text.size() / 64 + 1024);
  auto len = static_cast<unsigned>(packed.size());
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &len, text.data(),
                                     static_cast<unsigned>(text.size()), 5, 0, 0),
            BZ_OK);
  return len;
}
#endif

// |k| ascending values of a byte.
Bytes some_values(GoodSource& good, unsigned k) {
  Bytes values;
  for (unsigned value = 0; values.size() < k; ++value)
    if (good.below(256 - value) < k - values.size()) values.push_back(static_cast<uint8_t>(value));
  return values;
}

TEST(sp800_90b_iid, compressed_length_is_bzip2s) {
  if (!INCORE_HAVE_BZIP2) GTEST_SKIP() << kNoBzip2;
  for_each_seed(60, [](uint64_t seed) {
    GoodSource good(seed);
    const auto k = static_cast<unsigned>(1 + good.below(seed % 3 != 0 ? 256 : 5));
    const Bytes alphabet = some_values(good, k);
    std::vector<double> weights(k);
    const double skew = 4 * good.uniform();
    for (double& weight : weights) weight = std::pow(good.uniform(), skew);
    const size_t len = 1 + good.below(seed % 30 == 0 ? 300'000 : seed % 3 == 0 ? 300 : 5'000);
    const Bytes symbols = symbols_by_weight(seed, len, weights);
    EXPECT_EQ(TextCompression(alphabet).compressed_len(symbols), bzip2_len(symbols, alphabet));
  });
}

// A block ends after 499,981 characters, or where a run that fills it does.
TEST(sp800_90b_iid, compressed_length_is_bzip2s_where_a_block_ends) {
  if (!INCORE_HAVE_BZIP2) GTEST_SKIP() << kNoBzip2;
  const Bytes three_digits = {100, 111, 122, 233, 200, 222};
  const Bytes one_digit = {0, 5};
  for (size_t more = 0; more < 8; more += 2) {
    Bytes symbols = good_bytes(more, 124'992 + more);  // of four characters each
    for (uint8_t& symbol : symbols) symbol %= 6;
    EXPECT_EQ(TextCompression(three_digits).compressed_len(symbols),
              bzip2_len(symbols, three_digits));
    symbols = good_bytes(more, 249'986 + more);  // of two
    for (uint8_t& symbol : symbols) symbol %= 2;
    EXPECT_EQ(TextCompression(one_digit).compressed_len(symbols), bzip2_len(symbols, one_digit));
  }
}

TEST(sp800_90b_iid, compressed_length_is_bzip2s_of_repeats) {
  if (!INCORE_HAVE_BZIP2) GTEST_SKIP() << kNoBzip2;
  const Bytes alphabet = {1, 22, 133};
  for (const size_t period : {1, 2, 3, 1000, 25'000}) {
    Bytes symbols(60'000);
    const Bytes block = good_bytes(1, period);
    for (size_t i = 0; i < symbols.size(); ++i) symbols[i] = block[i % period] % 3;
    EXPECT_EQ(TextCompression(alphabet).compressed_len(symbols), bzip2_len(symbols, alphabet))
        << period;
  }
}

}  // namespace
}  // namespace incore::test
