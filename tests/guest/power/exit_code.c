// Ends with the exit code given as argument, after one VSBOX.
#include "power.h"

int main(int argc, char** argv) {
  CHECK(argc == 2, "usage: exit_code CODE");
  check_vsbox();
  return atoi(argv[1]);
}
