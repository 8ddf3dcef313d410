// Variables of the environment that steer the library.
#pragma once

#include <unistd.h>

#include <cstdlib>

namespace incore {

// The value of |name|; null if there is none, and in a program that runs with more rights than
// its caller has (set-user-ID and its like): there the caller's environment is not to be trusted.
inline const char* trusted_environment(const char* name) {
#if defined(__linux__)
  return secure_getenv(name);
#else
  const bool own_rights = getuid() == geteuid() && getgid() == getegid();
  return own_rights ? std::getenv(name) : nullptr;
#endif
}

}  // namespace incore
