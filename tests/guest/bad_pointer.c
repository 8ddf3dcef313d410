// Reads through a bad pointer, in its own code or, with the argument "xcrypt", as XCRYPT's source;
// no handler, no core file.
#include <sys/resource.h>

#include "padlock.h"

int main(int argc, char** argv) {
  const struct rlimit none = {0, 0};
  static const struct control_word kControl = {.bits = kRounds10};
  static uint8_t key[16] ALIGNED16, out[64] ALIGNED16;
  uint8_t* volatile bad = (uint8_t*)0x1000;
  CHECK(setrlimit(RLIMIT_CORE, &none) == 0, "setrlimit");
  check_xcrypt();
  if (argc > 1 && strcmp(argv[1], "xcrypt") == 0) xcrypt_ecb(NULL, key, &kControl, bad, out, 4);
  return *bad;
}
