// A program that closes every descriptor, standard ones and unknown ones included, and may open no
// more. CPUID and PadLock work as before, also at sites that never ran, and in a child.
#define _GNU_SOURCE
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "padlock.h"

__attribute__((noinline)) static void first_run(void) {
  check_xcrypt();
}
__attribute__((noinline)) static void in_child(void) {
  check_xcrypt();
}

int main(void) {
  if (syscall(SYS_close_range, 0, ~0u, 0) != 0)
    for (int fd = 0; fd < 65536; ++fd) close(fd);
  const struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_NOFILE, &none) != 0) return 2;
  first_run();
  if (cpuid(0xC0000000, 0).eax < 0xC0000001) return 3;
  for (int i = 0; i < 1000; ++i) check_xcrypt();
  const pid_t child = fork();
  if (child < 0) return 4;
  if (child == 0) {
    in_child();
    return 0;
  }
  int status;
  if (waitpid(child, &status, 0) != child || status != 0) return 5;
  return 0;
}
