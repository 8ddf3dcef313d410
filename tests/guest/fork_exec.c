// PadLock and CPUID in children: after fork, vfork and posix_spawn, after exec of itself by path,
// through /proc and with an empty environment; a failing exec leaves the program as it was. Nobody
// sees a descriptor of the run-time. With an argument it is the child: it checks and ends.
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "padlock.h"

extern char** environ;

static char vendor[13];

static void read_vendor(char out[13]) {
  const struct cpuid_answer a = cpuid(0, 0);
  memcpy(out, &a.ebx, 4);
  memcpy(out + 4, &a.edx, 4);
  memcpy(out + 8, &a.ecx, 4);
  out[12] = 0;
}

static void check_here(const char* where) {
  char now[13];
  read_vendor(now);
  CHECK(strcmp(now, vendor) == 0, "%s: the vendor is '%s', expected '%s'", where, now, vendor);
  CHECK(cpuid(0xC0000000, 0).eax >= 0xC0000001, "%s: no Centaur leaves", where);
  check_xcrypt();
}

static void check_descriptors(const char* where) {
  for (int fd = 0; fd < 64; ++fd) {
    char link[32], path[256];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t len = readlink(link, path, sizeof path - 1);
    path[len < 0 ? 0 : len] = 0;
    CHECK(strstr(path, "incore-run") == NULL, "%s: descriptor %d is %s", where, fd, path);
  }
}

static void wait_for(const char* what, pid_t pid) {
  int status;
  CHECK(pid > 0, "%s failed", what);
  CHECK(waitpid(pid, &status, 0) == pid, "%s: waitpid", what);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42, "%s: the child's status is %x", what,
        (unsigned)status);
  check_here(what);
}

static void spawn_all(const char* path) {
  char* arguments[] = {(char*)path, vendor, NULL};
  char* empty[] = {NULL};

  pid_t pid = fork();
  if (pid == 0) {
    check_here("in the fork");
    _exit(42);
  }
  wait_for("fork", pid);

  pid = fork();
  if (pid == 0) {
    execv(path, arguments);
    _exit(1);
  }
  wait_for("fork and exec", pid);

  pid = fork();
  if (pid == 0) {
    execve("/proc/self/exe", arguments, empty);
    _exit(1);
  }
  wait_for("exec with an empty environment", pid);

  pid = vfork();
  if (pid == 0) {
    execv(path, arguments);
    _exit(1);
  }
  wait_for("vfork and exec", pid);

  CHECK(posix_spawn(&pid, path, NULL, NULL, arguments, environ) == 0, "posix_spawn");
  wait_for("posix_spawn", pid);

  errno = 0;
  CHECK(execv("/no/such/program", arguments) == -1 && errno == ENOENT, "exec of nothing: errno %d",
        errno);
  check_here("after a failed exec");
  errno = 0;
  CHECK(execv("/", arguments) == -1 && errno == EACCES, "exec of a folder: errno %d", errno);
  CHECK(execv("/dev/null/program", arguments) == -1 && errno == ENOTDIR, "below a file: errno %d",
        errno);
  CHECK(syscall(SYS_execve, 16, arguments, environ) == -1 && errno == EFAULT,
        "a path at 16: errno %d", errno);
  check_here("after a failed exec");
  check_descriptors("after a failed exec");
  for (int i = 0; i < 20; ++i) {
    const struct timespec a_moment = {0, 2000000};
    CHECK(execv("/", arguments) == -1, "exec of a folder");
    CHECK(nanosleep(&a_moment, NULL) == 0, "sleep after a failed exec: errno %d", errno);
  }
}

int main(int argc, char** argv) {
  read_vendor(vendor);
  if (argc > 1) {
    CHECK(strcmp(argv[1], vendor) == 0, "the child's vendor is '%s', its parent's '%s'", vendor,
          argv[1]);
    check_here("in the child");
    check_descriptors("in the child");
    return 42;
  }
  check_here("at the start");
  spawn_all(argv[0]);
  return 0;
}
