// What this machine can do. One detect_<arch>.cpp per architecture; features.def is the only list.
#pragma once

#include <cstdint>

namespace incore {

enum class Feature : uint8_t {
#define X(architecture, feature, kernel, how) feature,
#include "cpu/features.def"
#undef X
  count_,
};

inline constexpr unsigned kNumFeatures = static_cast<unsigned>(Feature::count_);
static_assert(kNumFeatures <= 64);

class FeatureSet {
 public:
  constexpr FeatureSet() = default;
  template <class... Fs>
  constexpr explicit FeatureSet(Feature first, Fs... rest)
      : bits_((bit(first) | ... | bit(rest))) {}

  constexpr bool has(Feature f) const { return (bits_ & bit(f)) != 0; }
  constexpr bool has_all(FeatureSet needed) const { return (needed.bits_ & ~bits_) == 0; }
  constexpr bool has_any(FeatureSet others) const { return (others.bits_ & bits_) != 0; }
  constexpr void add(Feature f) { bits_ |= bit(f); }
  constexpr void add(FeatureSet others) { bits_ |= others.bits_; }
  constexpr FeatureSet missing_from(FeatureSet available) const {
    FeatureSet r;
    r.bits_ = bits_ & ~available.bits_;
    return r;
  }
  constexpr bool empty() const { return bits_ == 0; }

 private:
  static constexpr uint64_t bit(Feature f) { return uint64_t{1} << static_cast<unsigned>(f); }
  uint64_t bits_ = 0;
};

// Those of PadLock that kernels are named for.
inline constexpr FeatureSet kPadlockFeatures(Feature::padlock_ace, Feature::padlock_ace2,
                                             Feature::padlock_ctr, Feature::padlock_phe,
                                             Feature::padlock_xsha, Feature::padlock_phe2,
                                             Feature::padlock_pmm);

// The name that /proc/cpuinfo uses where it has one.
const char* feature_name(Feature f);

// What kernels are called that are named for the feature; its own name if none are.
const char* feature_kernel(Feature f);

// How the feature is read, in words.
const char* feature_source(Feature f);

// Whether CPUs of the architecture that this is built for may have it.
bool feature_is_possible(Feature f);

// Reads the features of the running CPU anew. Makes no system call and is safe in a signal handler,
// but for the first call on a POWER system that does not tell: that one runs the probe
// (probe_power.h).
FeatureSet detect_features();

// A word by which the operating system describes the machine.
struct MachineWord {
  const char* name;  // "AT_HWCAP2"
  uint64_t value;
  const char* const* bit_names;  // 32, from bit 0, null where a bit has none; null: a plain number
};

// The words that decide on POWER under Linux; none elsewhere.
unsigned num_machine_words();
MachineWord machine_word(unsigned index);

}  // namespace incore
