// Dies of the signal whose number is given as argument; leaves no core file.
#include <signal.h>
#include <sys/resource.h>

#include "power.h"

int main(int argc, char** argv) {
  const struct rlimit none = {0, 0};
  CHECK(argc == 2, "usage: die_by_signal NUMBER");
  CHECK(setrlimit(RLIMIT_CORE, &none) == 0, "setrlimit");
  raise(atoi(argv[1]));
  CHECK(0, "still here after signal %s", argv[1]);
}
