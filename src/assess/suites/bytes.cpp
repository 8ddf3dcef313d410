// Byte values: chi-square of their counts, entropy, mean. The measures of Walker's program ENT.
// A byte is eight bits of the stream, however wide its symbols are.
#include <array>
#include <cmath>

#include "assess/special.h"
#include "assess/suite.h"

namespace incore::assess {
namespace {

class Bytes final : public Suite {
 public:
  void update(std::span<const uint8_t> data) override {
    for (const uint8_t byte : data) ++counts_[byte];
    num_bytes_ += data.size();
  }

  uint64_t bytes_read() const override { return num_bytes_; }

  void finish(Report& out, Progress&) override {
    constexpr uint64_t kLeast = 5 * 256;  // five of each value expected
    if (num_bytes_ < kLeast) return out.skip("Chi-square of bytes", "needs 1280 bytes");
    const double expected = static_cast<double>(num_bytes_) / 256;
    double chi_square = 0;
    for (const uint64_t count : counts_)
      chi_square += std::pow(static_cast<double>(count) - expected, 2) / expected;
    const double p = chi_square_p(chi_square, 255);
    out.results.push_back({.test = "Chi-square of bytes",
                           .verdict = verdict_of(p),
                           .statistic = chi_square,
                           .p_value = p,
                           .text = "how evenly the 256 byte values are used"});
  }

 private:
  std::array<uint64_t, 256> counts_{};
  uint64_t num_bytes_ = 0;
};

}  // namespace

extern const SuiteInfo suite_bytes = {"bytes",
                                      "byte values: chi-square, entropy, mean",
                                      "Walker's ENT",
                                      true,
                                      Input::packed,
                                      [](const Options&) -> std::unique_ptr<Suite> { return std::make_unique<Bytes>(); }};

}  // namespace incore::assess
