// 200 threads run XCRYPT without pause while signals rain on them: SIGUSR1 and SIGUSR2 from other
// threads, SIGALRM from a timer. Handlers run XCRYPT too, one of them with nested signals. Some
// threads have alternate stacks, some block everything. Every result must be right.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>

#include "padlock.h"

enum { kThreads = 200, kSeconds = 2, kStackLen = 64 << 10 };

static uint8_t key[16] ALIGNED16, plain[64] ALIGNED16, ecb[64] ALIGNED16, cbc[64] ALIGNED16,
    start[16] ALIGNED16;
static _Atomic pthread_t threads[kThreads];  // all the main one at first
static atomic_int stop;
static atomic_int num_senders = kThreads;  // threads that may still call pthread_kill
static atomic_long calls, signals;
static const struct control_word kControl = {.bits = kRounds10};

static void use_padlock(const char* who) {
  uint8_t out[64] ALIGNED16, iv[16] ALIGNED16;
  reload_key();
  xcrypt_ecb(NULL, key, &kControl, plain, out, 4);
  CHECK(memcmp(out, ecb, 64) == 0, "%s: ECB", who);
  memcpy(iv, start, 16);
  reload_key();
  xcrypt_cbc(iv, key, &kControl, plain, out, 4);
  CHECK(memcmp(out, cbc, 64) == 0, "%s: CBC", who);
  atomic_fetch_add_explicit(&calls, 2, memory_order_relaxed);
}

static void on_signal(int number) {
  atomic_fetch_add_explicit(&signals, 1, memory_order_relaxed);
  if (number != SIGALRM) use_padlock(number == SIGUSR1 ? "SIGUSR1" : "SIGUSR2");
}

static void* thread(void* argument) {
  const size_t index = (size_t)argument;
  stack_t stack = {.ss_sp = NULL, .ss_size = kStackLen, .ss_flags = 0};
  if (index % 4 == 1) {
    stack.ss_sp = malloc(kStackLen);
    CHECK(stack.ss_sp != NULL && sigaltstack(&stack, NULL) == 0, "sigaltstack");
  }
  sigset_t all;
  sigfillset(&all);
  if (index % 8 == 7) CHECK(pthread_sigmask(SIG_SETMASK, &all, NULL) == 0, "pthread_sigmask");
  uint32_t random = (uint32_t)index + 1;
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    use_padlock("thread");
    random = random * 1664525 + 1013904223;
    if (random >> 28 == 0)  // one call in sixteen hits someone
      pthread_kill(threads[(random >> 8) % kThreads], random & 0x80 ? SIGUSR1 : SIGUSR2);
  }
  atomic_fetch_sub(&num_senders, 1);
  return NULL;
}

int main(void) {
  from_hex(key, kSpKey, 16);
  from_hex(start, kSpIv, 16);
  from_hex(plain, kSpPlain, 64);
  from_hex(ecb, kSpEcb, 64);
  from_hex(cbc, kSpCbc, 64);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0, "sigaction");
  CHECK(sigaction(SIGALRM, &action, NULL) == 0, "sigaction");
  sigfillset(&action.sa_mask);
  CHECK(sigaction(SIGUSR2, &action, NULL) == 0, "sigaction");

  for (size_t i = 0; i < kThreads; ++i) threads[i] = pthread_self();
  pthread_attr_t attributes;
  CHECK(pthread_attr_init(&attributes) == 0, "pthread_attr_init");
  CHECK(pthread_attr_setstacksize(&attributes, 256 << 10) == 0, "stack size");
  for (size_t i = 0; i < kThreads; ++i) {
    pthread_t id;
    CHECK(pthread_create(&id, &attributes, thread, (void*)i) == 0, "pthread_create %zu", i);
    threads[i] = id;
  }
  const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0, "setitimer");
  struct timespec now, end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += kSeconds;
  do {
    use_padlock("main");
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0, "setitimer");
  atomic_store(&stop, 1);
  // A thread's id lives until the thread is joined. That may unmap its stack, and with it the lock
  // that pthread_kill takes there, so a slow sender would fault, with or without us. All must be
  // done first; until then also threads that have ended may be signalled.
  while (atomic_load(&num_senders) != 0) use_padlock("main");
  for (size_t i = 0; i < kThreads; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0, "pthread_join %zu", i);
  CHECK(calls > 10 * kThreads && signals > 100, "%ld calls, %ld signals", calls, signals);
  return 0;
}
