// Runs a program as an older Linux would: what came later is refused as a kernel that never heard
// of it does. Arguments: a version of the table, the program's path, and its own arguments.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The last number of a system call of each (Linux arch/x86/entry/syscalls/syscall_64.tbl), and
// whether filters may ask a supervisor.
static const struct {
  const char* version;
  unsigned last_call;
  int has_listeners;
} kVersions[] = {{"3.10", 313, 0}, {"3.19", 322, 0}, {"4.19", 334, 0}, {"5.8", 439, 1}};

static int refuse_what_came_after(unsigned last_call, int has_listeners) {
  const unsigned number = offsetof(struct seccomp_data, nr);
  const unsigned second = offsetof(struct seccomp_data, args) + 8;
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, last_call, 6, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, second),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SECCOMP_IOCTL_NOTIF_ADDFD, 5, 4),  // from 5.9
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, has_listeners ? ~0u : SYS_seccomp, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, second),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, SECCOMP_FILTER_FLAG_NEW_LISTENER, 2, 1),  // from 5.0
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int main(int argc, char** argv) {
  for (size_t i = 0; argc > 2 && i < sizeof kVersions / sizeof *kVersions; ++i) {
    if (strcmp(argv[1], kVersions[i].version) != 0) continue;
    if (refuse_what_came_after(kVersions[i].last_call, kVersions[i].has_listeners))
      execv(argv[2], argv + 2);
    perror(argv[2]);
    return 126;
  }
  fputs("usage: older_linux VERSION PROGRAM [ARGUMENT...]\n", stderr);
  return 2;
}
