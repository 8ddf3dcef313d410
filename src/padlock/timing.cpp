// The timing model's calculations; its constants that differ by core are in timing_core.cpp.
#include "padlock/timing.h"

#include "padlock/rng.h"
#include "padlock/timing_core.h"

namespace incore::padlock {
namespace {

constexpr uint64_t ticks(uint64_t clocks) {
  return clocks * kTicksPerClock;
}

// The guide's table of REP XCRYPTECB, section 3.3: 9, 45, 76 clocks for one block and 11, 47, 78
// for more, less the first of each; and the integer clocks for one and two blocks.
constexpr uint64_t kKeyLoadTicks[] = {0, ticks(36), ticks(67)};
constexpr unsigned kIntegerClocks[][3] = {{17, 61, 84}, {12, 56, 79}};
constexpr uint64_t kOddSavingTicks = ticks(2);  // the last block of an odd number stands alone

// ECX = 0 takes "between 10 and 27 clocks, depending on EFLAGS:30" and on what is not said.
constexpr uint64_t kNoBlocksTicks = ticks(10), kNoBlocksUnloadedTicks = ticks(27);

// Ticks of the data, the key load left out.
uint64_t data_ticks(const CoreTiming& core, const ModeTiming& mode, const XcryptWork& work) {
  uint64_t per_unit = ticks(mode.clocks_per_round) * work.rounds + mode.per_block_ticks;
  const bool chains_digest = work.mode == AceMode::cbc || work.mode == AceMode::cfb;
  if (work.digest && chains_digest) per_unit += core.digest_ticks;
  if (work.mode != AceMode::ecb) return mode.start_ticks + work.blocks * per_unit;
  const uint64_t odd = work.blocks % 2;
  return mode.start_ticks + (work.blocks / 2 + odd) * per_unit - odd * kOddSavingTicks;
}

uint64_t misaligned_ticks(const CoreTiming& core, const XcryptWork& work) {
  const uint64_t all = data_ticks(core, core.misaligned[static_cast<unsigned>(work.mode)], work);
  const bool saves = work.blocks == 1 && work.mode != AceMode::ctr;
  return saves ? all - core.single_saving_ticks : all;
}

}  // namespace

uint64_t xcrypt_ticks(TimingCore core_name, Engine engine, const XcryptWork& work) {
  if (work.blocks == 0)
    return work.keys == KeyLoad::bypassed ? kNoBlocksTicks : kNoBlocksUnloadedTicks;
  const CoreTiming& core = core_timing(core_name);
  const ModeTiming* const engines = engine == Engine::ideal ? core.ideal : core.measured;
  const uint64_t plain = data_ticks(core, engines[static_cast<unsigned>(work.mode)], work);
  const uint64_t load = kKeyLoadTicks[static_cast<unsigned>(work.keys)];
  const bool realigns = work.mode != AceMode::ecb && core.misaligned[1].start_ticks != 0;
  if (work.path == DataPath::plain || !realigns) return load + plain;
  const uint64_t misaligned = misaligned_ticks(core, work);
  // Aligned data with ALIGN = 1: faster than misaligned data and slower than ALIGN = 0, says
  // section 3.1. Undocumented how much; halfway is our choice.
  return load + (work.path == DataPath::misaligned ? misaligned : (plain + misaligned) / 2);
}

unsigned xcrypt_integer_clocks(const XcryptWork& work) {
  if (work.mode != AceMode::ecb || work.blocks < 1 || work.blocks > 2) return 0;
  return kIntegerClocks[work.blocks - 1][static_cast<unsigned>(work.keys)];
}

uint64_t memory_ticks(TimingCore core_name, uint64_t bytes, bool writes) {
  const CoreTiming& core = core_timing(core_name);
  if (bytes <= core.first_cache_bytes) return 0;
  const uint64_t per_block =
      bytes <= core.second_cache_bytes ? core.second_cache_ticks : core.memory_ticks;
  const uint64_t both_ways = bytes / 16 * per_block;
  return writes ? both_ways : both_ways / 2;
}

// ---- RNG ----

uint32_t rng_kbits_per_second(const Model& model, uint32_t fields) {
  const CoreTiming& core = core_timing(model.timing);
  const bool both = (fields & kRngSourceMask) >= 2u << kRngSourceShift && model.rng_num_sources > 1;
  const uint32_t one = (fields & kRngRawBits) != 0 ? core.raw_kbits : core.whitened_kbits;
  return both ? 2 * one : one;
}

uint64_t generation_ticks(uint64_t bytes, uint32_t kbits_per_second, uint32_t clock_mhz) {
  return ticks(bytes * 8 * clock_mhz) * 1000 / kbits_per_second;
}

uint64_t xstore_ticks(unsigned quality, bool data_ready) {
  constexpr uint64_t kReady[] = {55, 310, 200, 120}, kNotReady = 30;
  return ticks(data_ready ? kReady[quality & 3] : kNotReady);
}

uint64_t rep_xstore_ticks(unsigned quality, uint64_t bytes, unsigned steps_ready,
                          uint64_t buffer_ticks) {
  constexpr uint64_t kRep = ticks(7);
  constexpr uint64_t kWaiting = ticks(300);  // "a few hundred clocks"
  const uint64_t step_bytes = Rng::kBufferLen >> (quality & 3);
  const uint64_t steps = (bytes + step_bytes - 1) / step_bytes;
  const uint64_t busy = kRep + steps * xstore_ticks(quality, true);
  if (steps <= steps_ready) return busy;
  const uint64_t waiting = (steps - steps_ready) * buffer_ticks + kWaiting;
  return busy > waiting ? busy : waiting;
}

// ---- PHE ----

uint64_t xsha_ticks(XshaKind kind, uint64_t blocks) {
  // 512 bits at 2.66 and 2.26 bits per clock. The start is undocumented: that of XSTORE, which does
  // little else.
  constexpr uint64_t kSha1 = ticks(385) / 2, kSha256 = ticks(453) / 2, kStart = ticks(30);
  return kStart + blocks * (kind == XshaKind::sha1 ? kSha1 : kSha256);
}

unsigned xsha_hardware_clocks(XshaKind kind) {
  return kind == XshaKind::sha1 ? 80 * 2 : 64 * 3;  // rounds x clocks
}

// ---- PMM ----

namespace {

// 1024 x 4 N^2 clocks are bits / 32 outer steps of bits / 128 inner loops of 16 clocks. 1024 x K1 N
// clocks are 32 K1 to each outer step.
constexpr uint64_t kInnerLoopTicks = ticks(16);
constexpr uint64_t kOuterStepTicks = 287;           // K1 = 0.5605
constexpr uint64_t kOuterStepTypicalTicks = 415;    // K1 = 0.8105, the middle of 0.56 to 1.06
constexpr uint64_t kOverflowTicks = 255;            // K1 = 1.0586 if in all steps
constexpr uint64_t kLineCrossingTicks = ticks(8);   // undocumented; within the range of K1
constexpr uint64_t kMontmulStartTicks = ticks(35);  // K2

constexpr uint64_t outer_steps(uint64_t bits) {
  return bits / 32;
}

constexpr uint64_t inner_ticks(uint64_t bits) {
  return outer_steps(bits) * (bits / 128) * kInnerLoopTicks;
}

}  // namespace

uint64_t montmul_ticks(uint64_t bits, const MontmulCourse& course) {
  const uint64_t steps = outer_steps(bits);
  const uint64_t overflows = course.overflow_steps < steps ? course.overflow_steps : steps;
  uint64_t result = kMontmulStartTicks + inner_ticks(bits) + steps * kOuterStepTicks;
  result += overflows * kOverflowTicks;
  if (course.carry_crosses_line) result += (steps - overflows) * kLineCrossingTicks;
  return result;
}

uint64_t montmul_ticks(uint64_t bits) {
  return kMontmulStartTicks + inner_ticks(bits) + outer_steps(bits) * kOuterStepTypicalTicks;
}

}  // namespace incore::padlock
