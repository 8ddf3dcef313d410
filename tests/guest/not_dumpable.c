// A program that nobody may look into, as key daemons are: it has PadLock, and so has the program
// that a child of it executes, if one is given.
#include <sys/prctl.h>
#include <sys/wait.h>

#include "padlock.h"

int main(int argc, char** argv) {
  CHECK(prctl(PR_GET_DUMPABLE) == 1, "already not dumpable");
  CHECK(prctl(PR_SET_DUMPABLE, 0) == 0, "PR_SET_DUMPABLE");
  CHECK(prctl(PR_GET_DUMPABLE) == 0, "still dumpable");
  CHECK(prctl(PR_SET_DUMPABLE, 3) == -1, "PR_SET_DUMPABLE 3");
  check_xcrypt();
  if (argc < 2) return 0;
  const pid_t pid = fork();
  if (pid == 0) {
    execv(argv[1], argv + 1);
    _exit(99);
  }
  int status;
  CHECK(waitpid(pid, &status, 0) == pid && status == 0, "%s: status %x", argv[1], (unsigned)status);
  return 0;
}
