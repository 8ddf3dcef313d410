// How long PadLock instructions take on silicon: PadLock guide 1.66, sections 2.3, 3.3, 4.2
// and 5.2. Pure functions of the work, without state. What the guide prints as a formula is used as
// printed; what it prints only as a measured rate was fitted, see docs/timing.md. Integers, because
// the run-time of `incore run` calls these where floating point may not be touched.
#pragma once

#include <cstdint>

#include "padlock/model.h"

namespace incore::padlock {

// All times are ticks, sixteenths of a processor clock.
inline constexpr uint64_t kTicksPerClock = 16;
constexpr double clocks_of(uint64_t ticks) {
  return static_cast<double>(ticks) / kTicksPerClock;
}

// ---- ACE, section 3.3 ----

// ideal: the guide's formula, and what two counts of clocks confirm. measured: the guide's tables,
// which are 8 to 20 % slower.
enum class Engine : uint8_t { measured, ideal };

enum class AceMode : uint8_t { ecb, cbc, ctr, cfb, ofb };  // in the order of their opcodes
inline constexpr unsigned kNumAceModes = 5;

enum class KeyLoad : uint8_t {
  bypassed,  // EFLAGS bit 30 = 1
  hardware,  // made from the cipher key, KEYGN = 0
  memory,    // 16 round keys read, KEYGN = 1
};

enum class DataPath : uint8_t {
  plain,       // ALIGN = 0
  realigning,  // ALIGN = 1, though the data are aligned
  misaligned,  // ALIGN = 1, and the data are not
};

struct XcryptWork {
  AceMode mode = AceMode::ecb;
  uint64_t blocks = 0;
  unsigned rounds = 10;
  KeyLoad keys = KeyLoad::bypassed;
  DataPath path = DataPath::plain;
  bool digest = false;  // DGEST = 1
};

// Until an SSE instruction that follows can start.
uint64_t xcrypt_ticks(TimingCore core, Engine engine, const XcryptWork& work);

// Until an integer, MMX or x87 instruction that follows can start, in clocks; 0: the guide gives
// none. It does for ECB with one and two blocks.
unsigned xcrypt_integer_clocks(const XcryptWork& work);

// What data that do not stay in the first-level cache add: |bytes| read, and if |writes| also
// written, again and again. Not part of the other functions, which assume that everything is
// cached, as the guide does.
uint64_t memory_ticks(TimingCore core, uint64_t bytes, bool writes);

// ---- RNG, section 2.3 ----

// Bits that reach the buffers in a second, in thousands; |fields| of MSR 0x110B as in rng.h.
uint32_t rng_kbits_per_second(const Model& model, uint32_t fields);

// The time in which |bytes| reach the buffers.
uint64_t generation_ticks(uint64_t bytes, uint32_t kbits_per_second, uint32_t clock_mhz);

// One XSTORE with the quality factor EDX[1:0].
uint64_t xstore_ticks(unsigned quality, bool data_ready);

// REP XSTORE of |bytes|, of whose steps the first |steps_ready| (at most 4) find a full buffer and
// the others wait |buffer_ticks| each.
uint64_t rep_xstore_ticks(unsigned quality, uint64_t bytes, unsigned steps_ready,
                          uint64_t buffer_ticks);

// ---- PHE, section 4.2 ----

enum class XshaKind : uint8_t { sha1, sha256 };

// |blocks| of 64 bytes, the padding's included, in an instruction that runs to its end.
uint64_t xsha_ticks(XshaKind kind, uint64_t blocks);

// Blocks of a message of |bytes| with its padding.
constexpr uint64_t padded_blocks(uint64_t bytes) {
  return (bytes + 8) / 64 + 1;
}

// What the hash hardware alone needs for a block, in clocks.
unsigned xsha_hardware_clocks(XshaKind kind);

// ---- PMM, section 5.2: C = 1024 (4 N^2 + K1 N) + K2 clocks, N = bits / 1024 ----

// What makes K1 vary. Of the bits / 32 outer steps those after the first overflow take one more
// inner loop. The others may pay for a carry that is stored across a cache line; never both.
struct MontmulCourse {
  uint64_t overflow_steps = 0;
  bool carry_crosses_line = false;
};
uint64_t montmul_ticks(uint64_t bits, const MontmulCourse& course);

// With K1 in the middle of its range.
uint64_t montmul_ticks(uint64_t bits);

}  // namespace incore::padlock
