// Seeded noise for the generator: a model of the two noise sources with their rates, their bias and
// their correlation, repeatable from a seed. docs/noise.md says which figures are the guide's
// (PadLock guide 1.66, section 2.3) and which are decisions. No floating point, no libc.
#pragma once

#include <cstdint>

#include "padlock/chacha20.h"
#include "padlock/rng.h"

namespace incore::padlock {

// What one noise source does at one setting of the BIAS field. Bits follow a first-order Markov
// chain: a bit is 1 with this probability, and correlates with the bit before it.
struct NoiseStep {
  uint32_t kbits_per_second;      // raw bits
  uint16_t ones_permille;         // share of ones
  uint16_t correlation_permille;  // of neighbouring bits
};

// The step of |bias| (0 to 7); both sources of a part are alike.
const NoiseStep& noise_step(const Model& model, unsigned bias);

class SeededNoise final : public NoiseSource {
 public:
  // Its bits are independent of those of any other seed, stream or part, and source A's of source
  // B's. Time stands still until advance().
  SeededNoise(const Model& model, uint64_t seed, uint64_t stream = 0, uint64_t part = 0);

  // That many clocks of the processor (Model::clock_mhz) pass.
  void advance(uint64_t clocks);
  // From now on time passes as it is needed: a bit that is asked for has been made.
  void make_on_demand() { on_demand_ = true; }

  size_t raw_bits(unsigned which, unsigned bias, uint8_t* out_bits, size_t max_bits) override;
  void restart() override;  // the time of bits not yet made is lost; the stream goes on

  void exchange(Snapshot& snapshot);

 private:
  struct Source {
    uint64_t clocks = 0;    // passed and not yet turned into progress
    uint64_t progress = 0;  // towards the next bits, in clocks x kbit/s
    uint8_t last = kNoBit;
    uint64_t counter = 0;  // of ChaCha20 blocks; its upper half is the nonce's first word
    unsigned num_used = kChacha20BlockLen;
    uint8_t block[kChacha20BlockLen];
  };
  static constexpr uint8_t kNoBit = 2;  // behind 0 and 1 in Thresholds

  unsigned draw(unsigned which);  // 0 to 65535

  const Model* model_;
  uint32_t key_[8];  // of ChaCha20: seed, stream, part, source
  bool on_demand_ = false;
  Source sources_[2];
};

// Buffer number |index| of stream |stream|: the first one that a generator fills after RESET, with
// |index| as the part. Each is made by itself, so that threads and signal handlers need no lock.
void make_seeded_buffer(const Model& model, uint64_t seed, uint64_t stream, uint64_t index,
                        uint8_t out[Rng::kBufferLen]);

}  // namespace incore::padlock
