// Files are opened as ever, whatever their names: errors, waiting for the other end of a FIFO, and
// a handler that ends the wait or leaves it by longjmp.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "padlock.h"

static char folder[] = "/tmp/guest_opens_XXXXXX";
static const char* const kNames[] = {"cpuinfo", "cpuinfo2", "other"};

static long open_at(int directory, const char* path) {
  return syscall(SYS_openat, directory, path, O_RDONLY);
}

static void check_errors(int directory) {
  CHECK(open_at(directory, "cpuinfo") == -1 && errno == ENOENT, "no file");
  CHECK(open_at(-5, "cpuinfo") == -1 && errno == EBADF, "no directory");
  CHECK(open_at(directory, (const char*)16) == -1 && errno == EFAULT, "no path");
  CHECK(open_at(directory, "") == -1 && errno == ENOENT, "empty path");
  static char long_path[8192];
  memset(long_path, 'x', sizeof long_path - 1);
  memcpy(long_path + sizeof long_path - 9, "/cpuinfo", 9);
  CHECK(open_at(directory, long_path) == -1 && errno == ENAMETOOLONG, "long path");
}

static void check_content(int directory, const char* name) {
  const int out = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
  CHECK(write(out, name, strlen(name)) == (ssize_t)strlen(name), "write: %d", errno);
  close(out);
  char content[16] = {0};
  const long in = open_at(directory, name);
  CHECK(read((int)in, content, sizeof content) > 0 && strcmp(content, name) == 0, "%s", name);
  close((int)in);
  unlinkat(directory, name, 0);
}

static volatile int num_signals;
static int use_longjmp;
static sigjmp_buf before_open;
static void on_alarm(int number) {
  (void)number;
  ++num_signals;
  if (use_longjmp) siglongjmp(before_open, 1);
}

static void* open_other_end(void* path) {
  usleep(20000);
  return (void*)(long)open(path, O_WRONLY);
}

static void check_fifo(int directory, const char* name) {
  CHECK(mkfifoat(directory, name, 0600) == 0, "mkfifo: %d", errno);
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval soon = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
  for (use_longjmp = 0; use_longjmp < 2; ++use_longjmp) {
    num_signals = 0;
    if (sigsetjmp(before_open, 1) == 0) {
      setitimer(ITIMER_REAL, &soon, NULL);
      CHECK(open_at(directory, name) == -1 && errno == EINTR, "EINTR: %d", errno);
    }
    CHECK(num_signals > 0, "no signal");
    setitimer(ITIMER_REAL, &never, NULL);
  }

  char path[64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  pthread_t thread;
  pthread_create(&thread, NULL, open_other_end, path);
  const long fd = open_at(directory, name);
  void* other;
  pthread_join(thread, &other);
  char byte = 0;
  CHECK(write((int)(long)other, "x", 1) == 1 && read((int)fd, &byte, 1) == 1 && byte == 'x',
        "through the FIFO");
  close((int)fd);
  close((int)(long)other);
  unlinkat(directory, name, 0);
}

int main(void) {
  CHECK(mkdtemp(folder) != NULL, "mkdtemp: %d", errno);
  const int directory = open(folder, O_RDONLY | O_DIRECTORY);
  check_errors(directory);
  for (size_t i = 0; i < sizeof kNames / sizeof *kNames; ++i) {
    check_content(directory, kNames[i]);
    check_fifo(directory, kNames[i]);
  }
  CHECK(rmdir(folder) == 0, "rmdir: %d", errno);
  return 0;
}
