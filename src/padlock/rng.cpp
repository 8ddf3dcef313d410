// The random number generator, from the raw bits to the buffers. PadLock guide 1.66, chapter 2.
#include "padlock/rng.h"

#include <cstring>

namespace incore::padlock {
namespace {

constexpr unsigned kNumBits = Rng::kNumBuffers * Rng::kBufferLen * 8;
constexpr uint8_t kNoBit = 2;

// So many looks at the noise are made at a time. A string filter that lets no bit pass would
// otherwise never end.
constexpr unsigned kPatience = 1u << 9;

}  // namespace

Rng::Rng(const Model& model) : model_(&model) {}

void Rng::use_noise(NoiseSource* noise) {
  noise_ = noise;
  load_reset();
}

void Rng::use_bytes(Fill fill, void* context) {
  fill_ = fill;
  fill_context_ = context;
  load_reset();
}

void Rng::reset() {
  fields_ = kRngEnable;
  load_reset();
}

void Rng::load_reset() {
  std::memset(ring_, 0, sizeof ring_);
  first_buffer_ = num_bits_ = 0;
  channels_[0] = channels_[1] = Channel{};
  if (noise_ != nullptr) noise_->restart();
}

uint32_t Rng::read_msr() {
  const unsigned num_bytes = bytes_available();  // may raise FAIL
  if (model_->rng_bcnt_is_buffer_mask) return fields_ | ((1u << num_bytes / kBufferLen) - 1);
  return fields_ | (num_bytes > kRngBcntMask ? kRngBcntMask : num_bytes);
}

void Rng::write_msr(uint32_t value) {
  // FAIL can be cleared, not set.
  fields_ = value & (writable() | (fields_ & kRngFail));
  load_reset();
}

uint32_t Rng::writable() const {
  return kRngEnable | kRngBiasMask | kRngRawBits |
         (model_->rng_num_sources > 1 ? kRngSourceMask : 0) |
         (model_->rng_string_filter ? kRngFilter | kRngFilterCountMask : 0);
}

unsigned Rng::bytes_available() {
  if (!enabled()) return 0;
  if (fill_ != nullptr) return sizeof ring_;
  collect();
  return num_bits_ / 8;
}

bool Rng::take(uint8_t out[kBufferLen]) {
  if (bytes_available() < kBufferLen) return false;
  if (fill_ != nullptr) {
    fill_(fill_context_, out);
    return true;
  }
  uint8_t* const buffer = ring_ + first_buffer_ * kBufferLen;
  std::memcpy(out, buffer, kBufferLen);
  std::memset(buffer, 0, kBufferLen);  // delivered once, to one task
  first_buffer_ = (first_buffer_ + 1) % kNumBuffers;
  num_bits_ -= kBufferLen * 8;
  return true;
}

void Rng::collect() {
  if (noise_ == nullptr) return;
  const unsigned source = (fields_ & kRngSourceMask) >> kRngSourceShift;
  for (unsigned looks = 0; num_bits_ < kNumBits; ++looks) {
    if (looks == kPatience) return;
    const bool from_a = source != 1 && collect_from(0);
    const bool from_b = source != 0 && collect_from(1);
    if (!from_a && !from_b) return;
  }
  noise_->restart();  // full: the clock stands still
}

bool Rng::collect_from(unsigned which) {
  uint8_t bits[8];
  const size_t room = kNumBits - num_bits_;
  const unsigned bias = (fields_ & kRngBiasMask) >> kRngBiasShift;
  const size_t num_bits =
      noise_->raw_bits(which, bias, bits, room < sizeof bits ? room : sizeof bits);
  for (size_t i = 0; i < num_bits; ++i) accept_raw(channels_[which], bits[i] & 1);
  return num_bits != 0;
}

// String filter, then whitener. The guide does not say which comes first: see docs/quirks.md.
void Rng::accept_raw(Channel& channel, unsigned bit) {
  channel.run_len = bit == channel.run_bit ? channel.run_len + 1 : 1;
  channel.run_bit = static_cast<uint8_t>(bit);
  const uint32_t longest = (fields_ & kRngFilterCountMask) >> kRngFilterCountShift;
  if ((fields_ & kRngFilter) != 0 && channel.run_len > longest) {
    fields_ |= kRngFail;
    return;
  }

  if ((fields_ & kRngRawBits) != 0) {
    accept(bit);
  } else if (channel.first == kNoBit) {
    channel.first = static_cast<uint8_t>(bit);
  } else {  // von Neumann: 01 gives 0, 10 gives 1, equal bits give nothing
    if (channel.first != bit) accept(channel.first);
    channel.first = kNoBit;
  }
}

void Rng::accept(unsigned bit) {
  const unsigned at = (first_buffer_ * kBufferLen * 8 + num_bits_) % kNumBits;
  ring_[at / 8] = static_cast<uint8_t>(ring_[at / 8] | bit << at % 8);
  ++num_bits_;
}

void Rng::exchange(Snapshot& snapshot) {
  snapshot.bits(&fields_, writable() | (model_->rng_string_filter ? kRngFail : 0));
  for (Channel& channel : channels_) {
    snapshot.number(&channel.run_bit, kNoBit);
    snapshot.number(&channel.run_len);
    snapshot.number(&channel.first, kNoBit);
  }
  snapshot.bytes(ring_, sizeof ring_);
  snapshot.number(&first_buffer_, kNumBuffers - 1);
  snapshot.number(&num_bits_, kNumBits);
}

}  // namespace incore::padlock
