// The length of an L1 data cache line. Linux on POWER answers 0 to sysconf; the auxiliary vector
// knows better there.
#include "cpu/cache_line.h"

#include <unistd.h>

#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(_AIX)
#include <sys/systemcfg.h>
#endif

namespace incore {
namespace {

bool usable(long len) {
  return len >= 16 && (len & (len - 1)) == 0;
}

}  // namespace

unsigned choose_l1_data_line(long from_sysconf, unsigned long from_auxv, unsigned usual) {
  if (usable(from_sysconf)) return static_cast<unsigned>(from_sysconf);
  if (usable(static_cast<long>(from_auxv))) return static_cast<unsigned>(from_auxv);
  return usual;
}

unsigned l1_data_line() {
#if defined(__powerpc__)
  constexpr unsigned kUsual = 128;
#else
  constexpr unsigned kUsual = 64;
#endif
  long from_sysconf = 0;
  unsigned long from_auxv = 0;
#if defined(_AIX)
  from_sysconf = getsystemcfg(SC_L1C_DLS);
#elif defined(_SC_LEVEL1_DCACHE_LINESIZE)
  from_sysconf = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
#endif
#if defined(__linux__)
  from_auxv = getauxval(AT_DCACHEBSIZE);
#endif
  return choose_l1_data_line(from_sysconf, from_auxv, kUsual);
}

}  // namespace incore
