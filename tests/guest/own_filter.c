// PadLock behind a system call filter of the program's own, which lets it write, say its time and
// end, and kills, refuses or traps all else; and in the strict mode. It is used there for the first
// time, so its sites are found and patched there.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "padlock.h"

static void install(uint32_t otherwise, int by_prctl) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, otherwise),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
  const long result = by_prctl ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)
                               : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  CHECK(result == 0, "the filter is refused: %d", errno);
}

static void refuse(void) {
  install(SECCOMP_RET_ERRNO | EPERM, 0);
  CHECK(syscall(SYS_getppid) == -1 && errno == EPERM, "the filter does not work");
  CHECK(syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY) == -1 && errno == EPERM, "a file is opened");
  CHECK(syscall(SYS_execve, "/no/such/program", NULL, NULL) == -1 && errno == EPERM,
        "exec is not refused: %d", errno);
}

// The program answers the calls itself.
static void answer(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  mcontext_t* const c = &((ucontext_t*)context)->uc_mcontext;
#ifdef __x86_64__
  c->gregs[REG_RAX] = -EXDEV;
#else
  c->gregs[REG_EAX] = -EXDEV;
#endif
}
static void trap(void) {
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO};
  sigaction(SIGSYS, &action, NULL);
  install(SECCOMP_RET_TRAP, 0);
  CHECK(syscall(SYS_getppid) == -1 && errno == EXDEV, "the handler is not called");
  CHECK(syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY) == -1 && errno == EXDEV, "a file is opened");
}

static void kill_process(void) {
  install(SECCOMP_RET_KILL_PROCESS, 0);
}
static void kill_by_prctl(void) {
  install(SECCOMP_RET_KILL_PROCESS, 1);
}
static void two_filters(void) {
  CHECK(prctl(PR_GET_SECCOMP) == SECCOMP_MODE_FILTER, "PR_GET_SECCOMP");
  struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {1, all};
  CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0, "the first filter");
  kill_process();
}
static void strict(void) {
  CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0, "the strict mode is refused: %d", errno);
}

// Runs in a child: |confine|, then PadLock. Ends by SYS_exit, which the strict mode allows.
static int status_behind(void (*confine)(void), int forbidden_call) {
  const pid_t pid = fork();
  if (pid == 0) {
    confine();
    check_xcrypt();
    if (forbidden_call) syscall(SYS_getppid);
    syscall(confine == strict ? SYS_exit : SYS_exit_group, 0);
  }
  int status;
  CHECK(waitpid(pid, &status, 0) == pid, "waitpid");
  return status;
}

int main(void) {
  void (*const kConfinements[])(void) = {refuse,        trap,        kill_process,
                                         kill_by_prctl, two_filters, strict};
  for (size_t i = 0; i < sizeof kConfinements / sizeof *kConfinements; ++i) {
    const int status = status_behind(kConfinements[i], 0);
    CHECK(status == 0, "behind confinement %zu: status %x", i, (unsigned)status);
    // What it forbids stays forbidden.
    const int forbidden = status_behind(kConfinements[i], 1);
    const int signal = kConfinements[i] == strict ? SIGKILL : SIGSYS;
    if (kConfinements[i] == refuse || kConfinements[i] == trap)
      CHECK(forbidden == 0, "refused: status %x", (unsigned)forbidden);
    else
      CHECK(WIFSIGNALED(forbidden) &&
                (WTERMSIG(forbidden) == signal || WTERMSIG(forbidden) == SIGSYS),
            "forbidden behind confinement %zu: status %x", i, (unsigned)forbidden);
  }

  // Wrong ones are refused as Linux does.
  struct sock_fprog nothing = {0, NULL};
  CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &nothing) == -1 && errno == EINVAL,
        "empty");
  struct sock_fprog elsewhere = {1, (struct sock_filter*)16};
  CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &elsewhere) == -1 && errno == EFAULT,
        "at 16");
  CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, 16) == -1 && errno == EFAULT, "at 16");
  CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, 0) == -1 && errno == EINVAL, "strict");
  return 0;
}
