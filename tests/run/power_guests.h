// The guest programs for PowerPC: tests/guest/power, built for both byte orders.
#pragma once

#include <string>
#include <vector>

#include "run/incore_run.h"

namespace incore::test {

// A byte order, by QEMU's name and the file's.
struct PowerPort {
  const char* name;     // of the emulator: qemu-<name>
  const char* machine;  // as incore scan says
  const char* sysroot;
  const char* package;  // of the C library
  bool is_built;        // the guest programs are

  std::string guest(const std::string& program) const {
    return test::guest(name + ("_" + program));
  }
};

#ifndef INCORE_HAVE_ppc64le_GUESTS
#define INCORE_HAVE_ppc64le_GUESTS 0
#endif
#ifndef INCORE_HAVE_ppc64_GUESTS
#define INCORE_HAVE_ppc64_GUESTS 0
#endif

inline const PowerPort kPowerPorts[] = {
    {"ppc64le", "powerpc64le", "/usr/powerpc64le-linux-gnu", "libc6-ppc64el-cross",
     INCORE_HAVE_ppc64le_GUESTS != 0},
    {"ppc64", "powerpc64", "/usr/powerpc64-linux-gnu", "libc6-ppc64-cross",
     INCORE_HAVE_ppc64_GUESTS != 0},
};

inline void PrintTo(const PowerPort& port, std::ostream* out) {
  *out << port.name;
}

#define SKIP_WITHOUT_POWER_GUESTS(port)                                                          \
  if (!(port).is_built)                                                                          \
  GTEST_SKIP() << "the cross compiler or C library for " << (port).machine << " is missing, so " \
               << "there are no programs for it"

}  // namespace incore::test
