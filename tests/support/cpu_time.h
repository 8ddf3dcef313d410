// How long this thread has computed: a busy machine does not lengthen it as it does time by the
// clock on the wall.
#pragma once

#include <time.h>

#include <chrono>

namespace incore::test {

inline std::chrono::nanoseconds cpu_time() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace incore::test
