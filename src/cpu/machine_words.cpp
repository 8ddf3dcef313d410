// The entries of the auxiliary vector that describe a POWER machine (getauxval(3)).
#include "cpu/cpu.h"

#if defined(__powerpc64__) && defined(__linux__)

#include <sys/auxv.h>

#include "cpu/power.h"

namespace incore {
namespace {

constexpr struct {
  const char* name;
  unsigned long type;
  const char* const* bit_names;
} kEntries[] = {
    {"AT_HWCAP", AT_HWCAP, kHwcapNames},         {"AT_HWCAP2", kAtHwcap2, kHwcap2Names},
    {"AT_DCACHEBSIZE", AT_DCACHEBSIZE, nullptr}, {"AT_ICACHEBSIZE", AT_ICACHEBSIZE, nullptr},
    {"AT_PAGESZ", AT_PAGESZ, nullptr},
};

}  // namespace

unsigned num_machine_words() {
  return sizeof kEntries / sizeof kEntries[0];
}

MachineWord machine_word(unsigned index) {
  const auto& entry = kEntries[index];
  return {entry.name, getauxval(entry.type), entry.bit_names};
}

}  // namespace incore

#else

namespace incore {

unsigned num_machine_words() {
  return 0;
}

MachineWord machine_word(unsigned) {
  return {};
}

}  // namespace incore

#endif
