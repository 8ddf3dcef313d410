// A thread that blocks every signal, by the system call itself, then runs CPUID and XCRYPT for the
// first time: a synchronous signal that is blocked kills the process, so an emulator must not
// depend on one. The mask reads back as it was set.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>

#include "site.h"

static uint64_t change_mask(int how, const uint64_t* mask) {
  uint64_t old = 0;
  CHECK(syscall(SYS_rt_sigprocmask, how, mask, &old, sizeof old) == 0, "rt_sigprocmask");
  return old;
}

static void* thread(void* unused) {
  const uint64_t all = ~(uint64_t)0;
  const uint64_t expected = all & ~(1ull << (SIGKILL - 1)) & ~(1ull << (SIGSTOP - 1));
  change_mask(SIG_SETMASK, &all);
  for (int i = 0; i < 1000; ++i) {
    const struct cpuid_answer a = cpuid(0xC0000000, 0);
    CHECK(a.eax >= 0xC0000001, "CPUID 0xC0000000 answers %08x", a.eax);
    check_xcrypt();
    const uint64_t mask = change_mask(SIG_BLOCK, NULL);
    CHECK(mask == expected, "the mask reads %016llx", (unsigned long long)mask);
  }
  const uint64_t none = 0;
  change_mask(SIG_SETMASK, &none);
  CHECK(change_mask(SIG_BLOCK, NULL) == 0, "the empty mask does not read back");
  check_xcrypt();
  return unused;
}

int main(void) {
  for (int i = 0; i < 4; ++i) {
    pthread_t id;
    CHECK(pthread_create(&id, NULL, thread, NULL) == 0, "pthread_create");
    CHECK(pthread_join(id, NULL) == 0, "pthread_join");
  }
  return 0;
}
