// Makes as many random calls as it is told to, each against the library or GMP, at full speed.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "padlock/differential.h"

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1000000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
  incore::test::SeededChoices choices(seed);
  incore::padlock::test::Differential differential;
  for (uint64_t i = 0; i < count; ++i) {
    const std::string difference = differential.call(choices);
    if (difference.empty()) continue;
    std::fprintf(stderr, "seed %" PRIu64 ", call %" PRIu64 ": %s\n", seed, i, difference.c_str());
    return 1;
  }
  std::printf("%" PRIu64 " calls agree\n", count);
}
