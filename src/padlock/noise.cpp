// The seeded noise: figures of each step, time, and bits. PadLock guide 1.66, section 2.3;
// docs/noise.md derives the figures.
#include "padlock/noise.h"

namespace incore::padlock {
namespace {

// One source. The guide prints for one: 40 to 60 Mb/s raw, 6 to 10 whitened.
constexpr NoiseStep kNehemiahSteps[8] = {
    {50000, 200, 1},  {52000, 190, 5}, {54000, 180, 10}, {56000, 175, 20},
    {58000, 170, 50}, {48000, 210, 0}, {46000, 220, 0},  {44000, 230, 0},
};
// One source. The guide prints for both together: 150 to 200 Mb/s raw at step 0, 65 to 320 at any
// step, 15 to 80 whitened; and a run with source A whitened at 13.2.
constexpr NoiseStep kEstherSteps[8] = {
    {87500, 185, 1},   {107000, 183, 5}, {128000, 180, 10}, {144000, 175, 20},
    {160000, 170, 50}, {65000, 250, 0},  {48000, 320, 0},   {33000, 400, 0},
};

// Of 65536 drawn numbers so many make a 1. The chance of a 1 is p, drawn towards the last bit by
// the correlation c: p + c (last - p). That leaves p the share of ones.
struct Thresholds {
  uint32_t after[3];  // a 0, a 1, nothing

  explicit Thresholds(const NoiseStep& step) {
    const uint32_t ones = step.ones_permille, pull = step.correlation_permille;
    after[0] = of_millionths(ones * (1000 - pull));
    after[1] = of_millionths(ones * (1000 - pull) + pull * 1000);
    after[2] = of_millionths(ones * 1000);
  }
  static uint32_t of_millionths(uint32_t millionths) {
    return static_cast<uint32_t>((uint64_t{millionths} << 16) / 1000000);
  }
};

constexpr uint64_t kMostClocks = uint64_t{1} << 40;  // far more than any buffer waits for

}  // namespace

const NoiseStep& noise_step(const Model& model, unsigned bias) {
  return (model.rng_noise == RngNoise::nehemiah ? kNehemiahSteps : kEstherSteps)[bias & 7];
}

SeededNoise::SeededNoise(const Model& model, uint64_t seed, uint64_t stream, uint64_t part)
    : model_(&model) {
  const uint64_t words[3] = {seed, stream, part};
  for (unsigned i = 0; i < 6; ++i) key_[i] = static_cast<uint32_t>(words[i / 2] >> i % 2 * 32);
  key_[6] = key_[7] = 0;
}

void SeededNoise::advance(uint64_t clocks) {
  if (clocks > kMostClocks) clocks = kMostClocks;
  for (Source& source : sources_) {
    source.clocks += clocks;
    if (source.clocks > kMostClocks) source.clocks = kMostClocks;
  }
}

size_t SeededNoise::raw_bits(unsigned which, unsigned bias, uint8_t* out_bits, size_t max_bits) {
  const NoiseStep& step = noise_step(*model_, bias);
  Source& source = sources_[which];
  size_t num_bits = max_bits;
  if (!on_demand_) {
    const uint64_t progress_per_bit = uint64_t{model_->clock_mhz} * 1000;
    source.progress += source.clocks * step.kbits_per_second;
    source.clocks = 0;
    if (source.progress / progress_per_bit < num_bits)
      num_bits = static_cast<size_t>(source.progress / progress_per_bit);
    source.progress -= num_bits * progress_per_bit;
  }
  const Thresholds thresholds(step);
  for (size_t i = 0; i < num_bits; ++i)
    out_bits[i] = source.last = draw(which) < thresholds.after[source.last];
  return num_bits;
}

void SeededNoise::restart() {
  for (Source& source : sources_) source.clocks = source.progress = 0;
}

unsigned SeededNoise::draw(unsigned which) {
  Source& source = sources_[which];
  if (source.num_used == kChacha20BlockLen) {
    const uint32_t nonce[3] = {static_cast<uint32_t>(source.counter >> 32), 0, 0};
    key_[6] = which;
    chacha20_block(key_, static_cast<uint32_t>(source.counter++), nonce, source.block);
    source.num_used = 0;
  }
  const unsigned value = load_le<uint16_t>(source.block + source.num_used);
  source.num_used += sizeof(uint16_t);
  return value;
}

void SeededNoise::exchange(Snapshot& snapshot) {
  for (uint32_t& word : key_) snapshot.number(&word);
  for (Source& source : sources_) {
    snapshot.number(&source.clocks, kMostClocks);
    snapshot.number(&source.progress);
    snapshot.number(&source.last, kNoBit);
    snapshot.number(&source.counter);
    snapshot.bytes(source.block, sizeof source.block);
    unsigned num_drawn = source.num_used / 2;
    snapshot.number(&num_drawn, kChacha20BlockLen / 2);
    if (snapshot.loading()) source.num_used = num_drawn * 2;
  }
}

void make_seeded_buffer(const Model& model, uint64_t seed, uint64_t stream, uint64_t index,
                        uint8_t out[Rng::kBufferLen]) {
  SeededNoise noise(model, seed, stream, index);
  noise.make_on_demand();
  Rng rng(model);
  rng.use_noise(&noise);
  rng.take(out);
}

}  // namespace incore::padlock
