// Random bytes of one source: each is health-tested before it goes out, and SHA-256 conditions them
// where that is asked for. Nothing of the source's output is kept from call to call, so a copy of
// the stream, as fork makes one, never repeats what the other gave.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/sha/sha_stream.h"
#include "rng/health.h"
#include "rng/source.h"

namespace incore {

// For full entropy SHA-256 must be given 64 bits more than it gives (SP 800-90C, section 3.1).
inline constexpr unsigned kFullEntropyBits = 256 + 64;

// The least number of bytes that hold kFullEntropyBits.
uint32_t bytes_for_full_entropy(double min_entropy);

class RngStream {
 public:
  struct Input {
    const RngSource* source;  // null: |read|
    unsigned quality;
    size_t (*read)(void* context, uint8_t* out, size_t len);  // as RngSource::fill
    void* context;
  };
  enum class Status : uint8_t { ok, dead, unhealthy };

  // |condition_bytes| of input make 32 bytes; 0: not conditioned, and |sha256| may be null.
  RngStream(const Input& input, double min_entropy, uint32_t condition_bytes,
            const KernelInfo* sha256)
      : input_(input),
        health_(min_entropy, kHealthWindow),
        condition_bytes_(condition_bytes),
        sha256_(sha256) {}

  // The start-up test: kStartupSamples that go nowhere. Before all else.
  Status start();
  // Unless ok, |out| is all zero; after unhealthy every call is.
  Status bytes(uint8_t* out, size_t len);
  const HealthTests& health() const { return health_; }
  uint32_t condition_bytes() const { return condition_bytes_; }

 private:
  Status raw(uint8_t* out, size_t len);
  Status conditioned(uint8_t* out, size_t len);

  Input input_;
  HealthTests health_;
  uint32_t condition_bytes_;
  const KernelInfo* sha256_;
};

}  // namespace incore
