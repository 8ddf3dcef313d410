// Calls that wait under a signal mask of their own (sigsuspend(2), ppoll(2), pselect(2),
// epoll_pwait(2)), with everything blocked but the signal that ends them: its handler runs CPUID
// and XCRYPT all the same. Then the call has failed with EINTR, and registers and mask are as
// before. The kernel by itself passes this too, given an argument, which leaves PadLock out.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "site.h"

// System call |number|; all words come back as the kernel leaves the registers.
struct call {
  unsigned long number, arguments[6];  // |number| becomes the result
  unsigned long carry;                 // EFLAGS.CF, which was set
  unsigned long red_zone;              // words of it that have changed
};
void do_call(struct call*) __attribute__((visibility("hidden")));
#ifdef __x86_64__
#define SIXTEEN "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"
__asm__(
    ".text\n.type do_call, @function\ndo_call:\n"
    "push %rbx\nmov %rdi, %rbx\n"
    ".irp i," SIXTEEN
    "\nmovq $\\i, -8*\\i(%rsp)\n.endr\n"
    "mov 0(%rbx), %rax\nmov 8(%rbx), %rdi\nmov 16(%rbx), %rsi\nmov 24(%rbx), %rdx\n"
    "mov 32(%rbx), %r10\nmov 40(%rbx), %r8\nmov 48(%rbx), %r9\n"
    "stc\nsyscall\n"
    "mov %rax, 0(%rbx)\nmov %rdi, 8(%rbx)\nmov %rsi, 16(%rbx)\nmov %rdx, 24(%rbx)\n"
    "mov %r10, 32(%rbx)\nmov %r8, 40(%rbx)\nmov %r9, 48(%rbx)\nsetc 56(%rbx)\n"
    ".irp i," SIXTEEN
    "\ncmpq $\\i, -8*\\i(%rsp)\nsetne %al\nmovzbl %al, %eax\nadd %rax, 64(%rbx)\n.endr\n"
    "pop %rbx\nret\n.size do_call, . - do_call\n");
#else
__asm__(
    ".text\n.type do_call, @function\ndo_call:\n"
    "push %ebx\npush %esi\npush %edi\npush %ebp\nmov 20(%esp), %eax\npush %eax\n"
    "mov 4(%eax), %ebx\nmov 8(%eax), %ecx\nmov 12(%eax), %edx\n"
    "mov 16(%eax), %esi\nmov 20(%eax), %edi\nmov 24(%eax), %ebp\nmov 0(%eax), %eax\n"
    "stc\nint $0x80\nxchg %eax, (%esp)\n"
    "mov %ebx, 4(%eax)\nmov %ecx, 8(%eax)\nmov %edx, 12(%eax)\n"
    "mov %esi, 16(%eax)\nmov %edi, 20(%eax)\nmov %ebp, 24(%eax)\nsetc 28(%eax)\n"
    "pop 0(%eax)\npop %ebp\npop %edi\npop %esi\npop %ebx\nret\n.size do_call, . - do_call\n");
#endif

enum form { kSuspendOld, kSuspend, kPoll, kSelect, kEpoll, kEpoll2 };
static const struct {
  const char* name;
  long number;
  enum form form;
} kWaits[] = {
    {"rt_sigsuspend", SYS_rt_sigsuspend, kSuspend},
    {"ppoll", SYS_ppoll, kPoll},
    {"pselect6", SYS_pselect6, kSelect},
    {"epoll_pwait", SYS_epoll_pwait, kEpoll},
    {"epoll_pwait2", SYS_epoll_pwait2, kEpoll2},
#ifdef __i386__
    {"sigsuspend", SYS_sigsuspend, kSuspendOld},
    {"ppoll_time64", SYS_ppoll_time64, kPoll},
    {"pselect6_time64", SYS_pselect6_time64, kSelect},
#endif
};

static const uint64_t kNoMask = 0;
static uint64_t bit(int number) {
  return 1ull << (number - 1);
}

static int with_padlock, use_longjmp;
static volatile int num_signals, last_signal;
static sigjmp_buf before_call;
static int read_end, write_end, epoll;

static void on_signal(int number, siginfo_t* info, void* context) {
  (void)info, (void)context;
  const struct cpuid_answer a = cpuid(with_padlock ? 0xC0000000 : 0, 0);
  CHECK(!with_padlock || a.eax >= 0xC0000001, "CPUID 0xC0000000 answers %08x", a.eax);
  if (with_padlock) check_xcrypt();
  num_signals = num_signals + 1;
  last_signal = number;
  if (use_longjmp) siglongjmp(before_call, 1);
}

static uint64_t blocked(void) {
  uint64_t mask = 0;
  CHECK(syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof mask) == 0, "rt_sigprocmask");
  return mask;
}

// Waits for |read_end|, for ever or not at all. |mask| and |mask_len| as the kernel gets them.
static long wait_for(size_t i, const uint64_t* mask, size_t mask_len, int for_ever) {
  static int64_t no_time[2];
  struct pollfd poll_fd = {read_end, POLLIN, 0};
  struct epoll_event event;
  fd_set set;
  const struct {
    const uint64_t* mask;
    size_t len;
  } pair = {mask, mask_len};
  const unsigned long timeout = for_ever ? 0 : (unsigned long)no_time;
  const unsigned long mask_word = (unsigned long)mask, len_word = (unsigned long)mask_len;
  struct call call = {.number = (unsigned long)kWaits[i].number};
  unsigned long* const a = call.arguments;
  FD_ZERO(&set);
  FD_SET(read_end, &set);
  for (int k = 0; k < 6; ++k) a[k] = 0x1230u + (unsigned)k;
  switch (kWaits[i].form) {
    case kSuspendOld:
      a[2] = (unsigned long)*mask;
      break;
    case kSuspend:
      a[0] = mask_word, a[1] = len_word;
      break;
    case kPoll:
      a[0] = (unsigned long)&poll_fd, a[1] = 1, a[2] = timeout, a[3] = mask_word, a[4] = len_word;
      break;
    case kSelect:
      a[0] = (unsigned long)read_end + 1, a[1] = (unsigned long)&set, a[2] = a[3] = 0;
      a[4] = timeout, a[5] = mask_len == 0 ? 0 : (unsigned long)&pair;
      break;
    case kEpoll:
    case kEpoll2:
      a[0] = (unsigned long)epoll, a[1] = (unsigned long)&event, a[2] = 1;
      a[3] = kWaits[i].form == kEpoll2 ? timeout : for_ever ? (unsigned long)-1 : 0;
      a[4] = mask_word, a[5] = len_word;
      break;
  }
  struct call after = call;
  do_call(&after);
  CHECK(memcmp(after.arguments, a, sizeof call.arguments) == 0, "%s changes a register",
        kWaits[i].name);
  CHECK(after.carry == 1, "%s changes the flags", kWaits[i].name);
  CHECK(after.red_zone == 0, "%s changes the red zone", kWaits[i].name);
  return (long)after.number;
}

static void expect(size_t i, const char* when, long result, long expected, int signals) {
  static uint64_t former;
  if (former == 0) former = blocked();
  CHECK(result == expected, "%s, %s: %ld", kWaits[i].name, when, result);
  CHECK(num_signals == signals, "%s, %s: %d signals", kWaits[i].name, when, num_signals);
  CHECK(blocked() == former, "%s, %s: the mask is %llx", kWaits[i].name, when,
        (unsigned long long)blocked());
  num_signals = 0;
}

// A signal that is pending, one that comes during the wait, and one whose handler does not return.
static void check_signals(size_t i) {
  const struct itimerval soon = {{0, 0}, {0, 20000}};
  uint64_t mask = ~bit(SIGUSR1);
  raise(SIGUSR1);
  expect(i, "signal pending", wait_for(i, &mask, 8, 1), -EINTR, 1);
  mask = ~bit(SIGALRM);
  CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0, "setitimer");
  expect(i, "signal during the wait", wait_for(i, &mask, 8, 1), -EINTR, 1);
  CHECK(last_signal == SIGALRM && mask == ~bit(SIGALRM), "signal %d", last_signal);
  mask = ~bit(SIGUSR1);
  use_longjmp = 1;
  raise(SIGUSR1);
  if (sigsetjmp(before_call, 1) == 0) {
    wait_for(i, &mask, 8, 1);
    CHECK(0, "%s returns although its handler left", kWaits[i].name);
  }
  use_longjmp = 0;
  expect(i, "longjmp", 0, 0, 1);
}

// A signal that the thread does not block, and no mask.
static void check_unmasked(size_t i) {
  const struct itimerval often = {{0, 50000}, {0, 50000}}, never = {{0, 0}, {0, 0}};
  const uint64_t alarm = bit(SIGALRM);
  CHECK(syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &alarm, NULL, 8) == 0, "rt_sigprocmask");
  CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0, "setitimer");
  const long result = wait_for(i, NULL, 8, 1);
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0, "setitimer");
  CHECK(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &alarm, NULL, 8) == 0, "rt_sigprocmask");
  expect(i, "signal without a mask", result, -EINTR, num_signals > 0 ? num_signals : 1);
}

// What ends without a signal: errors, and files that are ready or not.
static void check_results(size_t i) {
  const uint64_t all = ~kNoMask;
  const enum form form = kWaits[i].form;
  uint8_t byte = 0;
  if (form == kSuspendOld) return;
  expect(i, "wrong length", wait_for(i, &all, 4, 0), -EINVAL, 0);
  expect(i, "bad pointer", wait_for(i, (const uint64_t*)16, 8, 0), -EFAULT, 0);
  if (form == kSuspend) return;
  check_unmasked(i);
  raise(SIGUSR1);  // which stays pending
  expect(i, "no mask", wait_for(i, NULL, 8, 0), 0, 0);
  expect(i, "no mask and no length", wait_for(i, NULL, 0, 0), 0, 0);
  expect(i, "all blocked", wait_for(i, &all, 8, 0), 0, 0);
  CHECK(write(write_end, &byte, 1) == 1, "write");
  expect(i, "no mask, file ready", wait_for(i, NULL, 8, 1), 1, 0);
  expect(i, "all blocked, file ready", wait_for(i, &all, 8, 1), 1, 0);
  expect(i, "none blocked, file not looked at", wait_for(0, &kNoMask, 8, 1), -EINTR, 1);
  CHECK(read(read_end, &byte, 1) == 1, "read");
}

// The same by the C library, which has its own way into the kernel.
static void check_library(void) {
  sigset_t mask;
  struct epoll_event event;
  sigfillset(&mask);
  sigdelset(&mask, SIGUSR1);
  for (int k = 0; k < 4; ++k) {
    raise(SIGUSR1);
    errno = 0;
    const int result = k == 0   ? sigsuspend(&mask)
                       : k == 1 ? ppoll(NULL, 0, NULL, &mask)
                       : k == 2 ? pselect(0, NULL, NULL, NULL, NULL, &mask)
                                : epoll_pwait(epoll, &event, 1, -1, &mask);
    CHECK(result == -1 && errno == EINTR, "library call %d: %d, %s", k, result, strerror(errno));
    expect(0, "library", 0, 0, 1);
  }
}

int main(int argc, char** argv) {
  (void)argv;
  with_padlock = argc == 1;
  const uint64_t former = bit(SIGUSR1) | bit(SIGALRM) | bit(SIGSEGV) | bit(SIGHUP);
  struct epoll_event event = {.events = EPOLLIN};
  int fds[2];
  CHECK(pipe(fds) == 0 && (epoll = epoll_create(1)) >= 0, "pipe or epoll");
  read_end = fds[0], write_end = fds[1];
  CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, read_end, &event) == 0, "epoll_ctl");
  catch_signal(SIGUSR1, on_signal, SA_RESTART);  // these calls are never restarted
  catch_signal(SIGALRM, on_signal, 0);
  CHECK(syscall(SYS_rt_sigprocmask, SIG_SETMASK, &former, NULL, 8) == 0, "rt_sigprocmask");
  for (size_t i = 0; i < sizeof kWaits / sizeof *kWaits; ++i) {
    check_signals(i);
    check_results(i);
  }
  check_library();
  return 0;
}
