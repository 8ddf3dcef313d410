// The CPUID instruction as a function. x86 only.
#pragma once

#include <cpuid.h>

#include <cstdint>

#include "cpu/cpu.h"

namespace incore {

struct CpuidResult {
  uint32_t eax, ebx, ecx, edx;
};

inline CpuidResult native_cpuid(uint32_t leaf, uint32_t subleaf = 0) {
  CpuidResult r;
  __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
  return r;
}

// What leaf 0xC0000001 EDX tells of a PadLock processor whose leaf 1 EAX is |leaf1_eax|. A unit
// that is there but not enabled counts as absent.
FeatureSet padlock_features(uint32_t leaf1_eax, uint32_t flags);

}  // namespace incore
