// The POWER processors of cpus.def, on which PowerPC programs run. QEMU has them by these names.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace incore::run::qemu {

struct Cpu {
  const char* name;
  const char* description;  // one line for people
};

inline constexpr Cpu kCpus[] = {
#define X(name, description) {#name, description},
#include "run/qemu/cpus.def"
#undef X
};
inline constexpr const char* kDefaultCpu = "power8";

// The processor number |index|, or null behind the last.
inline const Cpu* cpu(size_t index) {
  return index < std::size(kCpus) ? &kCpus[index] : nullptr;
}

// The processor called |name|, or null.
inline const Cpu* find_cpu(std::string_view name) {
  for (const Cpu& cpu : kCpus)
    if (name == cpu.name) return &cpu;
  return nullptr;
}

}  // namespace incore::run::qemu
