// The CPUID instruction as a function. x86 only.
#pragma once

#include <cpuid.h>

#include <cstdint>

namespace incore {

struct CpuidResult {
  uint32_t eax, ebx, ecx, edx;
};

inline CpuidResult native_cpuid(uint32_t leaf, uint32_t subleaf = 0) {
  CpuidResult r;
  __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
  return r;
}

}  // namespace incore
