// Executes a copy of a program that no path leads to: exec_copy memfd|deleted PROGRAM [ARGS].
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "padlock.h"

int main(int argc, char** argv) {
  CHECK(argc > 2, "exec_copy memfd|deleted PROGRAM [ARGS]");
  char name[] = "/tmp/guest_exec_copy_XXXXXX";
  const int to = strcmp(argv[1], "memfd") == 0 ? memfd_create("copy", MFD_CLOEXEC) : mkstemp(name);
  const int from = open(argv[2], O_RDONLY);
  CHECK(to >= 0 && from >= 0, "no copy of %s", argv[2]);
  char bytes[4096];
  for (ssize_t len; (len = read(from, bytes, sizeof bytes)) > 0;)
    CHECK(write(to, bytes, (size_t)len) == len, "write");
  CHECK(fchmod(to, 0700) == 0, "fchmod");
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", to);
  const int copy = open(path, O_RDONLY | O_CLOEXEC);  // who writes a program cannot execute it
  CHECK(copy >= 0 && close(to) == 0, "%s", path);
  if (strcmp(argv[1], "deleted") == 0) unlink(name);
  fexecve(copy, argv + 2, environ);
  CHECK(0, "%s cannot be executed", argv[2]);
}
