// A timer at 1 kHz whose handler runs XCRYPT with another key, while the main loop encrypts:
// neither disturbs the other.
#define _GNU_SOURCE
#include <sys/time.h>
#include <time.h>

#include "site.h"

enum { kWantedSignals = 300, kLen = 4096 };

static uint8_t key[2][16] ALIGNED16, iv[16] ALIGNED16, message[kLen] ALIGNED16,
    expected[kLen] ALIGNED16;
static const struct control_word kControl = {.bits = kRounds10};
static volatile int num_signals;

static void on_alarm(int number, siginfo_t* info, void* context) {
  // FIPS 197, C.1
  static const char kResult[] = "69c4e0d86a7b0430d8cdb78070b4c55a";
  uint8_t in[32] ALIGNED16, out[32] ALIGNED16;
  (void)number, (void)info, (void)context;
  from_hex(in, "00112233445566778899aabbccddeeff", 16);
  reload_key();
  xcrypt_ecb(NULL, key[1], &kControl, in, out, 1);
  check_hex("ECB in the handler", out, kResult, 16);
  num_signals = num_signals + 1;
}

static void encrypt(uint8_t* out) {
  uint8_t vector[16] ALIGNED16;
  memcpy(vector, iv, 16);
  reload_key();
  xcrypt_cbc(vector, key[0], &kControl, message, out, kLen / 16);
}

int main(void) {
  static uint8_t out[kLen] ALIGNED16;
  const struct itimerval period = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  from_hex(key[0], kSpKey, 16);
  for (int i = 0; i < 16; ++i) key[1][i] = (uint8_t)i;
  from_hex(iv, kSpIv, 16);
  from_hex(message, kSpPlain, 64);
  encrypt(expected);
  check_hex("CBC", expected, kSpCbc, 64);
  catch_signal(SIGALRM, on_alarm, SA_RESTART);
  CHECK(setitimer(ITIMER_REAL, &period, NULL) == 0, "setitimer");
  const time_t end = time(NULL) + 60;
  for (unsigned long calls = 0; num_signals < kWantedSignals; ++calls) {
    encrypt(out);
    CHECK(memcmp(out, expected, kLen) == 0, "CBC, call %lu, after %d signals", calls, num_signals);
    CHECK(time(NULL) < end, "only %d signals in a minute", num_signals);
  }
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0, "setitimer");
  return 0;
}
