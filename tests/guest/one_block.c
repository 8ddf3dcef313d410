// Threads encrypt single blocks with many keys, more than there are processors for them, each key
// several times in a row, while a timer's handler does the same and forks children that do, too.
// What they compute must be what calls of two blocks do. Prints how many calls were made.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "padlock.h"

enum { kThreads = 8, kKeys = 64, kRounds = 400, kInARow = 6, kMaxChildren = 40 };

static struct { uint8_t key[16], expected[16]; } keys[kKeys] ALIGNED16;
static uint8_t plain[32] ALIGNED16;
static const struct control_word kControl = {.bits = kRounds10};
static atomic_long* calls;  // of all processes
static atomic_int num_children;

static void encrypt_with(unsigned key, const char* who) {
  uint8_t out[16] ALIGNED16;
  for (int i = 0; i < kInARow; ++i) {
    reload_key();
    memset(out, 0, sizeof out);
    xcrypt_ecb(NULL, keys[key].key, &kControl, plain, out, 1);
    CHECK(memcmp(out, keys[key].expected, 16) == 0, "%s: key %u, call %d", who, key, i);
  }
  atomic_fetch_add(calls, kInARow);
}

static void on_alarm(int number) {
  (void)number;
  static atomic_uint next;
  encrypt_with(atomic_fetch_add(&next, 1) % kKeys, "handler");
  if (atomic_fetch_add(&num_children, 1) >= kMaxChildren) return;
  const pid_t child = _Fork();  // fork() may not be called in a handler
  CHECK(child >= 0, "fork");
  if (child == 0) {
    signal(SIGALRM, SIG_IGN);
    for (unsigned key = 0; key < kKeys; ++key) encrypt_with(key, "child");
    _exit(0);
  }
}

static void* thread(void* argument) {
  const unsigned index = (unsigned)(size_t)argument;
  for (unsigned i = 0; i < kRounds; ++i)
    for (unsigned key = 0; key < kKeys; ++key) encrypt_with((key * 5 + index) % kKeys, "thread");
  return NULL;
}

int main(void) {
  calls = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(calls != MAP_FAILED, "mmap");
  for (unsigned i = 0; i < kKeys; ++i) {
    for (unsigned j = 0; j < 16; ++j) keys[i].key[j] = (uint8_t)(i * 37 + j * (i + 3));
    uint8_t out[32] ALIGNED16;
    reload_key();
    xcrypt_ecb(NULL, keys[i].key, &kControl, plain, out, 2);
    memcpy(keys[i].expected, out, 16);
    atomic_fetch_add(calls, 1);
  }
  const struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  const struct itimerval every = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
  CHECK(sigaction(SIGALRM, &action, NULL) == 0, "sigaction");
  CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0, "setitimer");
  pthread_t threads[kThreads];
  for (size_t i = 0; i < kThreads; ++i)
    CHECK(pthread_create(&threads[i], NULL, thread, (void*)i) == 0, "pthread_create");
  for (int i = 0; i < kThreads; ++i) CHECK(pthread_join(threads[i], NULL) == 0, "pthread_join");
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0, "setitimer");
  signal(SIGALRM, SIG_IGN);
  int status;
  while (wait(&status) > 0) CHECK(status == 0, "a child ended with %d", status);
  printf("%ld\n", atomic_load(calls));
  return 0;
}
