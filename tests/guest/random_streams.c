// Prints where its random bytes and addresses come from, one line each: AT_RANDOM, getrandom,
// reads of the devices, threads, children, and what a child executes (this program). random_streams
// ORDER: "forward", "reverse": the order in which threads and children draw, as they were made or
// not.
#include <fcntl.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>

#include "padlock.h"

enum { kBytes = 16, kTasks = 4 };

static void print_bytes(const char* who, int number, const uint8_t* bytes) {
  char line[80];
  int len = snprintf(line, sizeof line, "%s%d ", who, number);
  for (int i = 0; i < kBytes; ++i)
    len += snprintf(line + len, sizeof line - (size_t)len, "%02x", bytes[i]);
  printf("%s\n", line);
  fflush(stdout);
}

static void print_drawn(const char* who, int number) {
  uint8_t bytes[kBytes];
  CHECK(getrandom(bytes, sizeof bytes, 0) == kBytes, "getrandom");
  print_bytes(who, number, bytes);
}

static void print_read(const char* name) {
  uint8_t bytes[kBytes];
  const int fd = open(name, O_RDONLY);
  CHECK(fd >= 0 && read(fd, bytes, sizeof bytes) == kBytes, "%s", name);
  close(fd);
  print_bytes(name, 0, bytes);
}

static int is_reverse;

static void wait_for_turn(int number) {
  const struct timespec time = {0, (1 + (is_reverse ? kTasks - 1 - number : number)) * 20000000L};
  nanosleep(&time, NULL);
}

static void* thread(void* number) {
  wait_for_turn((int)(intptr_t)number);
  print_drawn("thread", (int)(intptr_t)number);
  return NULL;
}

int main(int argc, char** argv) {
  print_bytes("at_random", argc, (const uint8_t*)(uintptr_t)getauxval(AT_RANDOM));
  print_drawn("main", argc);
  if (argc != 2) return 0;
  is_reverse = strcmp(argv[1], "reverse") == 0;
  print_drawn("again", 0);
  print_read("/dev/urandom");
  print_read("/dev/random");
  void* const heap = malloc(100);
  printf("addresses %p %p %p\n", (void*)&argc, heap, (void*)(uintptr_t)&getrandom);
  free(heap);
  fflush(stdout);
  CHECK(getrandom(&argc, 4, 0x100) == -1, "wrong flags were taken");
  void* volatile nowhere = (void*)8;
  CHECK(getrandom(nowhere, 4, 0) == -1, "a wrong address was taken");
  pthread_t threads[kTasks];
  for (int i = 0; i < kTasks; ++i)
    CHECK(pthread_create(&threads[i], NULL, thread, (void*)(intptr_t)i) == 0, "thread");
  for (int i = 0; i < kTasks; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < kTasks; ++i) {
    if (fork() != 0) continue;
    wait_for_turn(i);
    print_drawn("child", i);
    return 0;
  }
  while (wait(NULL) > 0) {
  }
  if (fork() == 0) {
    execl(argv[0], argv[0], (char*)NULL);
    return 1;
  }
  wait(NULL);
  return 0;
}
