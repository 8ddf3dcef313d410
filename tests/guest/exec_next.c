// Runs what its arguments say, first in a child after vfork, then in its own place.
#include <sys/wait.h>

#include "padlock.h"

int main(int argc, char** argv) {
  CHECK(argc > 1, "no program given");
  check_xcrypt();
  const pid_t pid = vfork();
  if (pid == 0) {
    execv(argv[1], argv + 1);
    _exit(99);
  }
  int status;
  CHECK(waitpid(pid, &status, 0) == pid && status == 0, "%s: status %x", argv[1], (unsigned)status);
  check_xcrypt();
  execv(argv[1], argv + 1);
  CHECK(0, "%s cannot be executed", argv[1]);
}
