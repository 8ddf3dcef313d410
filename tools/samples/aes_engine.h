// What runs the AES jobs of the sample BAES: PadLock's REP XCRYPT, on this CPU or on an emulated
// model, or the library. A job is described by PadLock's control word in any case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "incore/padlock.h"

namespace incore::tools {

enum class AesMode { ecb, cbc, cfb, ofb, ctr };

// Fields of a control word (PadLock guide, section 3.2) for 128-bit keys that the hardware expands.
inline constexpr uint32_t kControlEncrypt = 0x00A;
inline constexpr uint32_t kControlDecrypt = 0x20A;
inline constexpr uint32_t kControlUnaligned = 0x020;
inline constexpr uint32_t kControlMac = 0x010;

// The control word with the scratch space behind it, which data at any address need.
struct alignas(16) ControlBlock {
  uint8_t bytes[128] = {};
};

struct AesJob {
  AesMode mode;
  uint32_t control;
  const uint8_t* key;  // 16 bytes; these two are aligned to 16
  uint8_t* vector;
  const uint8_t* in;  // aligned to 16 unless |control| has kControlUnaligned
  uint8_t* out;
  size_t blocks;
};

class AesEngine {
 public:
  virtual ~AesEngine() = default;
  // For people: "esther, emulated", "library, kernel vaes".
  virtual std::string name() const = 0;
  // Key and control word have changed: the next job loads them anew.
  virtual void load_key(const AesJob& job) = 0;
  // Does |job|, whose key and control word are those of load_key, |times| times over. Empty, or why
  // it cannot.
  virtual std::string run(const AesJob& job, size_t times) = 0;
  // A clock: of this machine, or the emulated processor's own.
  virtual double seconds() const = 0;
};

std::unique_ptr<AesEngine> library_aes_engine();
// |padlock| outlives it.
std::unique_ptr<AesEngine> padlock_aes_engine(incore_padlock* padlock);

}  // namespace incore::tools
