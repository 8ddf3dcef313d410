#include "assess/sp800_90b/sample.h"

#include <algorithm>
#include <array>
#include <bit>

namespace incore::assess::sp800_90b {
namespace {

// Positions and counts are 32 bits wide, also those of the bitstring.
constexpr uint64_t kMostSymbols = (uint64_t{1} << 31) / 8 - 8;

}  // namespace

Sample::Sample(std::vector<uint8_t> raw, unsigned width) : raw_(std::move(raw)), width_(width) {
  std::array<bool, 256> occurs{};
  uint8_t all_bits = 0;
  for (const uint8_t symbol : raw_) {
    occurs[symbol] = true;
    all_bits |= symbol;
  }
  if (width_ == 0) width_ = std::max(1u, static_cast<unsigned>(std::bit_width(all_bits)));

  std::array<uint8_t, 256> mapped{};
  for (size_t value = 0; value < occurs.size(); ++value)
    if (occurs[value]) mapped[value] = static_cast<uint8_t>(k_++);
  literal_.resize(raw_.size());
  std::transform(raw_.begin(), raw_.end(), literal_.begin(),
                 [&](uint8_t symbol) { return mapped[symbol]; });

  bits_.reserve(raw_.size() * width_);
  for (const uint8_t symbol : raw_)
    for (unsigned bit = width_; bit-- != 0;) bits_.push_back(symbol >> bit & 1);
}

SampleHead::SampleHead(uint64_t wanted)
    : wanted_(static_cast<size_t>(std::min(wanted, kMostSymbols))) {}

void SampleHead::update(std::span<const uint8_t> symbols) {
  const size_t len = std::min(symbols.size(), wanted_ - kept_.size());
  kept_.insert(kept_.end(), symbols.begin(), symbols.begin() + static_cast<ptrdiff_t>(len));
}

}  // namespace incore::assess::sp800_90b
