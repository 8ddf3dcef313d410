// The random number generator: noise sources, string filter, whitener, four eight-byte buffers, and
// MSR 0x110B. PadLock guide 1.66, chapter 2; clauses PLK-RNG and PLK-MSR.
#pragma once

#include <cstddef>
#include <cstdint>

#include "padlock/model.h"
#include "padlock/snapshot.h"

namespace incore::padlock {

// MSR 0x110B. Bits 31:5 also stand in the status word that XSTORE leaves in EAX.
//
//   31   22 21    16  15     14     13   12  10 9   8   7    6     5   4    0
//  +-------+--------+------+------+------+------+-----+---+------+---+-------+
//  |   0   |  FCNT  | FAIL | FLTR | RBTS | BIAS | SRC | 0 | ENBL | 0 | BCNT  |
//  +-------+--------+------+------+------+------+-----+---+------+---+-------+
//  FCNT, FAIL and FLTR exist on Nehemiah only. Bits that do not exist read 0.
inline constexpr uint32_t kRngBcntMask = 0x1F;
inline constexpr uint32_t kRngEnable = 1u << 6;
inline constexpr unsigned kRngSourceShift = 8;  // 0: A, 1: B, 2 and 3: both
inline constexpr uint32_t kRngSourceMask = 3u << kRngSourceShift;
inline constexpr unsigned kRngBiasShift = 10;
inline constexpr uint32_t kRngBiasMask = 7u << kRngBiasShift;
inline constexpr uint32_t kRngRawBits = 1u << 13;
inline constexpr uint32_t kRngFilter = 1u << 14;
inline constexpr uint32_t kRngFail = 1u << 15;
inline constexpr unsigned kRngFilterCountShift = 16;
inline constexpr uint32_t kRngFilterCountMask = 63u << kRngFilterCountShift;

inline constexpr uint32_t kMsrRng = 0x110B;

// The physical noise, and the time that passes for it.
class NoiseSource {
 public:
  // Puts raw bits of noise source |which| (0: A, 1: B) into |out_bits|, one bit per byte (0 or 1),
  // oldest first: as many as it has made and not yet given, at most |max_bits|. Returns their
  // number. |bias| is the BIAS field.
  virtual size_t raw_bits(unsigned which, unsigned bias, uint8_t* out_bits, size_t max_bits) = 0;

  // The generator's clock has been standing still or starts anew now (all buffers full, generator
  // off, load reset): bits not yet given were never made.
  virtual void restart() = 0;

 protected:
  ~NoiseSource() = default;
};

class Rng {
 public:
  static constexpr unsigned kNumBuffers = 4;
  static constexpr unsigned kBufferLen = 8;

  explicit Rng(const Model& model);

  // Bits from physical noise; null (the default): a dead generator that never makes a bit.
  void use_noise(NoiseSource* noise);
  // All buffers are full whenever anyone looks, and |fill| writes the 8 bytes of the buffer that is
  // taken; |context| goes with it. For front-ends that have random bytes at hand. Null: back to the
  // noise source.
  using Fill = void (*)(void* context, uint8_t out[kBufferLen]);
  void use_bytes(Fill fill, void* context = nullptr);

  void reset();  // RESET: enabled, all other fields 0, buffers empty

  uint32_t read_msr();             // the fields, and BCNT as the model reports it
  void write_msr(uint32_t value);  // a load reset; read-only and missing bits are not stored
  uint32_t fields() const { return fields_; }  // bits 31:5 of the MSR, BCNT zero
  bool enabled() const { return (fields_ & kRngEnable) != 0; }

  // Takes the oldest full buffer; false if there is none yet.
  bool take(uint8_t out[kBufferLen]);

  unsigned bytes_available();  // 0 to 32

  void exchange(Snapshot& snapshot);

 private:
  struct Channel {        // what the hardware keeps per noise source
    uint8_t run_bit = 2;  // string filter: the bit that repeats; 2: none yet
    uint32_t run_len = 0;
    uint8_t first = 2;  // whitener: first bit of a pair; 2: none
  };

  void collect();  // brings in what the noise source has made
  bool collect_from(unsigned which);
  void accept_raw(Channel& channel, unsigned bit);
  void accept(unsigned bit);
  void load_reset();
  uint32_t writable() const;  // fields

  const Model* model_;
  NoiseSource* noise_ = nullptr;
  Fill fill_ = nullptr;
  void* fill_context_ = nullptr;
  uint32_t fields_ = kRngEnable;
  Channel channels_[2];
  uint8_t ring_[kNumBuffers * kBufferLen];  // the first bit made is bit 0 of the first byte
  unsigned first_buffer_ = 0;               // the oldest, in ring_
  unsigned num_bits_ = 0;                   // in all buffers, from the oldest on; 0 to 256
};

}  // namespace incore::padlock
