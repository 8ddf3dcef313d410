// Runs what its arguments say, first in a child, then in its own place.
#include <errno.h>
#include <sys/wait.h>

#include "power.h"

int main(int argc, char** argv) {
  CHECK(argc > 1, "no program given");
  check_vsbox();
  const pid_t pid = fork();
  if (pid == 0) {
    execv(argv[1], argv + 1);
    _exit(99);
  }
  int status;
  CHECK(waitpid(pid, &status, 0) == pid && status == 0, "%s: status %x", argv[1], (unsigned)status);
  CHECK(execv("/no/such/program", argv + 1) == -1 && errno == ENOENT, "exec of nothing: errno %d",
        errno);
  check_vsbox();
  execv(argv[1], argv + 1);
  CHECK(0, "%s cannot be executed", argv[1]);
}
