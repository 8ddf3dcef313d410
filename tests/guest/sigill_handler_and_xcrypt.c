// A program with its own SIGILL handler: sigaction tells it what it set, and PadLock instructions
// and CPUID never reach the handler; nor with SIGILL ignored or at its default. Crypto++ installs
// such a handler around CPUID and takes a call of it for 'no CPUID'.
#define _GNU_SOURCE
#include "site.h"

static volatile int num_signals;

static void on_sigill(int number, siginfo_t* info, void* context) {
  (void)number, (void)info, (void)context;
  ++num_signals;
  _exit(3);
}

static void run_all(void) {
  const struct cpuid_answer first = cpuid(0, 0);
  for (int i = 0; i < 300; ++i) {
    check_xcrypt();
    const struct cpuid_answer a = cpuid(0, 0);
    CHECK(a.ebx == first.ebx, "CPUID answers differ");
  }
}

int main(void) {
  struct sigaction old;
  CHECK(sigaction(SIGILL, NULL, &old) == 0 && old.sa_handler == SIG_DFL,
        "SIGILL is not at its default at the start");
  check_xcrypt();
  CHECK(sigaction(SIGILL, NULL, &old) == 0 && old.sa_handler == SIG_DFL,
        "SIGILL is not at its default after XCRYPT");

  catch_signal(SIGILL, on_sigill, SA_NODEFER | SA_ONSTACK);
  run_all();
  CHECK(sigaction(SIGILL, NULL, &old) == 0, "sigaction");
  CHECK(old.sa_sigaction == on_sigill, "sigaction does not return the handler");
  CHECK((old.sa_flags & (SA_SIGINFO | SA_NODEFER | SA_ONSTACK)) ==
            (SA_SIGINFO | SA_NODEFER | SA_ONSTACK),
        "sigaction does not return the flags: %x", (unsigned)old.sa_flags);

  struct sigaction ignore = {.sa_handler = SIG_IGN};
  CHECK(sigaction(SIGILL, &ignore, &old) == 0 && old.sa_sigaction == on_sigill,
        "the old handler is lost");
  run_all();
  CHECK(sigaction(SIGILL, NULL, &old) == 0 && old.sa_handler == SIG_IGN, "SIG_IGN is lost");
  CHECK(num_signals == 0, "the handler was called %d times", num_signals);
  return 0;
}
