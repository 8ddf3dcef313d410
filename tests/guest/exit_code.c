// Ends with the exit code given as argument, after one PadLock job.
#include "padlock.h"

int main(int argc, char** argv) {
  CHECK(argc == 2, "usage: exit_code CODE");
  check_xcrypt();
  return atoi(argv[1]);
}
