// Dies of the signal whose number is given as argument, after one PadLock job; leaves no core file.
#include <signal.h>
#include <sys/resource.h>

#include "padlock.h"

int main(int argc, char** argv) {
  const struct rlimit none = {0, 0};
  CHECK(argc == 2, "usage: die_by_signal NUMBER");
  CHECK(setrlimit(RLIMIT_CORE, &none) == 0, "setrlimit");
  check_xcrypt();
  raise(atoi(argv[1]));
  CHECK(0, "still here after signal %s", argv[1]);
}
