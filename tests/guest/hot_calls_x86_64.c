// System calls made many times from one place work as they did the first time: results, errors,
// registers, steps, waits that a signal ends, and threads that come there while a jump is put in.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/ucontext.h>
#include <sys/wait.h>

#include "padlock.h"

enum { kOften = 100, kLoadLen = 5, kTrapFlag = 0x100 };
#define EXPAND_TEXT(x) #x
#define TEXT(x) EXPAND_TEXT(x)

// A function that makes one system call, as libc does.
#define CALL_SITE(name, number)                                                           \
  long name(long a, const void* b, long c, long d);                                       \
  extern char name##_site[];                                                              \
  __asm__(".pushsection .text\n.globl " #name "\n.type " #name ", @function\n" #name      \
          ": mov %rcx, %r10\n" #name                                                      \
          "_site: mov $" TEXT(number) ", %eax\nsyscall\nret\n.size " #name ", . - " #name \
                                      "\n.popsection")
CALL_SITE(call_sigaction, 13);
CALL_SITE(call_sigprocmask, 14);
CALL_SITE(call_openat, 257);
CALL_SITE(call_openat_first_stepped, 257);
CALL_SITE(call_openat_by_threads, 257);

// Eight bytes into a longer instruction, as a compiler might choose: it is no load into EAX.
long number_in_operand(void);
extern char number_in_operand_site[];
__asm__(
    ".pushsection .text\n.type number_in_operand, @function\nnumber_in_operand:\n"
    "mov $257, %eax\nxor %edi, %edi\nlea number_in_operand_path(%rip), %rsi\n"
    "xor %edx, %edx\nxor %r10d, %r10d\nmov $1, %r8d\n.byte 0x41\n"  // mov $257, %r8d
    "number_in_operand_site: .byte 0xb8, 1, 1, 0, 0\nsyscall\nmov %r8, %rax\nret\n"
    ".size number_in_operand, . - number_in_operand\n"
    "number_in_operand_path: .asciz \"/dev/null\"\n.popsection");

// As the kernel has it.
struct action {
  void* handler;
  unsigned long flags;
  void* restorer;
  uint64_t mask;
};

static uint64_t bit(int number) {
  return (uint64_t)1 << (number - 1);
}

static bool is_jump(const char* site) {
  return *(const volatile uint8_t*)site == 0xE9;
}

static void check_sigaction(void) {
  const struct action ignore = {(void*)SIG_IGN, SA_RESTART, 0, bit(SIGUSR2) | bit(SIGILL)};
  struct action old;
  for (int i = 0; i < kOften; ++i) {
    CHECK(call_sigaction(SIGUSR1, &ignore, 0, 8) == 0, "set %d", i);
    CHECK(call_sigaction(SIGUSR1, NULL, (long)&old, 8) == 0, "get %d", i);
    CHECK(old.handler == ignore.handler && old.mask == bit(SIGUSR2), "action %d", i);
    CHECK(call_sigaction(SIGUSR1, &ignore, 0, 4) == -EINVAL, "length %d", i);
    CHECK(call_sigaction(SIGUSR1, (void*)16, 0, 8) == -EFAULT, "pointer %d", i);
    CHECK(call_sigaction(SIGKILL, &ignore, 0, 8) == -EINVAL, "SIGKILL %d", i);
    CHECK(call_sigaction(999, &ignore, 0, 8) == -EINVAL, "number %d", i);
    // One of the five is kept by the run-time.
    CHECK(call_sigaction(SIGSEGV, &ignore, (long)&old, 8) == 0, "SIGSEGV %d", i);
    CHECK(i == 0 || (old.handler == ignore.handler && old.mask == ignore.mask), "SIGSEGV %d", i);
  }
  CHECK(is_jump(call_sigaction_site), "no jump at sigaction");
}

static void check_sigprocmask(void) {
  const uint64_t usual = bit(SIGUSR1) | bit(SIGCHLD), owned = bit(SIGILL) | bit(SIGUSR2);
  uint64_t old;
  for (int i = 0; i < kOften; ++i) {
    CHECK(call_sigprocmask(SIG_BLOCK, &usual, 0, 8) == 0, "block %d", i);
    CHECK(call_sigprocmask(SIG_BLOCK, NULL, (long)&old, 8) == 0 && old == usual, "get %d", i);
    CHECK(call_sigprocmask(SIG_BLOCK, &owned, (long)&old, 8) == 0 && old == usual, "two %d", i);
    CHECK(call_sigprocmask(99, NULL, (long)&old, 8) == 0 && old == (usual | owned), "both %d", i);
    CHECK(call_sigprocmask(99, &usual, 0, 8) == -EINVAL, "how %d", i);
    CHECK(call_sigprocmask(SIG_UNBLOCK, &owned, 0, 8) == 0, "unblock %d", i);
    CHECK(call_sigprocmask(99, &usual, 0, 8) == -EINVAL, "how without one of the five %d", i);
    CHECK(call_sigprocmask(SIG_SETMASK, (void*)16, 0, 8) == -EFAULT, "pointer %d", i);
    CHECK(call_sigprocmask(SIG_SETMASK, &usual, 16, 8) == -EFAULT, "old pointer %d", i);
    CHECK(call_sigprocmask(SIG_SETMASK, &usual, 0, 4) == -EINVAL, "length %d", i);
  }
  CHECK(is_jump(call_sigprocmask_site), "no jump at sigprocmask");
}

static bool is_model(int fd) {
  char text[64] = {0};
  CHECK(read(fd, text, sizeof text - 1) > 0, "read: %d", errno);
  return strstr(text, "CentaurHauls") != NULL;
}

static void check_open(void) {
  char name[] = "/tmp/guest_hot_calls_XXXXXX";
  CHECK(mkdtemp(name) != NULL, "mkdtemp: %d", errno);
  const int folder = open(name, O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < kOften; ++i) {
    long fd = call_openat(folder, "new", O_WRONLY | O_CREAT | O_EXCL, 0640);
    struct stat info;
    CHECK(fd >= 0 && fstat((int)fd, &info) == 0 && (info.st_mode & 0777) == 0640, "new %d", i);
    close((int)fd);
    CHECK((fd = call_openat(folder, "new", O_RDONLY | O_CLOEXEC, 0)) >= 0, "read %d", i);
    CHECK(fcntl((int)fd, F_GETFD) == FD_CLOEXEC, "close-on-exec %d", i);
    close((int)fd);
    unlinkat(folder, "new", 0);
    CHECK(call_openat(folder, "new", O_RDONLY, 0) == -ENOENT, "none %d", i);
    CHECK(call_openat(-5, "new", O_RDONLY, 0) == -EBADF, "folder %d", i);
    CHECK(call_openat(folder, (void*)16, O_RDONLY, 0) == -EFAULT, "path %d", i);
    CHECK((fd = call_openat(0, "/proc/cpuinfo", O_RDONLY, 0)) >= 0 && is_model((int)fd),
          "cpuinfo %d", i);
    close((int)fd);
  }
  CHECK(is_jump(call_openat_site), "no jump at openat");
  rmdir(name);
}

static sigjmp_buf before_open;
static volatile int num_alarms;
static void on_alarm(int number) {
  (void)number;
  if (++num_alarms == 2) siglongjmp(before_open, 1);
}

// A FIFO that nobody writes to, twice: a handler returns, another one jumps.
static void check_waiting(void) {
  char name[] = "/tmp/guest_hot_calls_XXXXXX", path[64];
  CHECK(mkdtemp(name) != NULL, "mkdtemp: %d", errno);
  snprintf(path, sizeof path, "%s/fifo", name);
  CHECK(mkfifo(path, 0600) == 0, "mkfifo: %d", errno);
  const struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval soon = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
  if (sigsetjmp(before_open, 1) == 0) {
    setitimer(ITIMER_REAL, &soon, NULL);
    CHECK(call_openat(0, path, O_RDONLY, 0) == -EINTR && num_alarms == 1, "EINTR");
    call_openat(0, path, O_RDONLY, 0);
    CHECK(0, "opened");
  }
  setitimer(ITIMER_REAL, &never, NULL);
  unlink(path);
  rmdir(name);
}

// All registers but RAX, RCX and R11 stay, DF, and the 128 bytes below the stack. The tables are in
// the order of |ORDER|.
uint64_t registers_in[12], registers_out[12], red_zone_out[2], result_out;
uint8_t vectors_in[256] ALIGNED16, vectors_out[256] ALIGNED16;
void openat_with_registers(void);
#define ORDER "rdi, rsi, rdx, r10, r8, r9, rbx, rbp, r12, r13, r14, r15"
#define EACH_VECTOR ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
__asm__(
    ".pushsection .text\n.type openat_with_registers, @function\nopenat_with_registers:\n"
    ".irp r, rbx, rbp, r12, r13, r14, r15\npush %\\r\n.endr\n"
    "lea vectors_in(%rip), %rax\n" EACH_VECTOR
    "movaps 16 * \\i(%rax), %xmm\\i\n.endr\n"
    "lea registers_in(%rip), %rax\n"
    ".irp r, " ORDER
    "\nmov (%rax), %\\r\nlea 8(%rax), %rax\n.endr\n"
    "movq $0x5A5A5A5A, -16(%rsp)\nmovq $0x5A5A5A5A, -128(%rsp)\nstd\n"
    "lea 1f(%rip), %rax\nmov %rax, -8(%rsp)\n"
    "jmp call_openat_jumped_site\n1: lea 128(%rsp), %rsp\n"
    "pushf\ncld\nmov %rax, result_out(%rip)\n"
    "lea registers_out(%rip), %rax\n"
    ".irp r, " ORDER
    "\nmov %\\r, (%rax)\nlea 8(%rax), %rax\n.endr\n"
    "lea vectors_out(%rip), %rax\n" EACH_VECTOR
    "movaps %xmm\\i, 16 * \\i(%rax)\n.endr\n"
    "pop %rax\nand $0x400, %eax\nmov %rax, red_zone_out+8(%rip)\n"
    ".irp r, r15, r14, r13, r12, rbp, rbx\npop %\\r\n.endr\nret\n"
    ".size openat_with_registers, . - openat_with_registers\n"
    // The call of the system, which comes back without using the stack.
    ".type call_openat_jumped, @function\ncall_openat_jumped:\n"
    "call_openat_jumped_site: mov $257, %eax\nsyscall\n"
    "mov -16(%rsp), %rcx\nsub -128(%rsp), %rcx\nmov %rcx, red_zone_out(%rip)\n"
    "mov -8(%rsp), %rcx\nlea -128(%rsp), %rsp\njmp *%rcx\n"
    ".size call_openat_jumped, . - call_openat_jumped\n.popsection");
extern char call_openat_jumped_site[];

static void check_registers(void) {
  for (size_t i = 0; i < 12; ++i) registers_in[i] = i * 0x0123456789ABCDEFu;
  for (size_t i = 0; i < sizeof vectors_in; ++i) vectors_in[i] = (uint8_t)(i * 7 + 1);
  registers_in[1] = (uintptr_t) "/nowhere";
  registers_in[2] = O_RDONLY;
  for (int i = 0; i < kOften; ++i) {
    openat_with_registers();
    CHECK((long)result_out == -ENOENT, "result %ld", (long)result_out);
    CHECK(memcmp(registers_in, registers_out, sizeof registers_in) == 0, "registers");
    CHECK(memcmp(vectors_in, vectors_out, sizeof vectors_in) == 0, "XMM registers");
    CHECK(red_zone_out[0] == 0 && red_zone_out[1] == 0x400, "red zone or DF");
  }
  CHECK(is_jump(call_openat_jumped_site), "no jump at the call with registers");
}

// A program that runs in single steps comes to the system call.
static volatile uintptr_t steps[64];
static volatile size_t num_steps;
static void on_step(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  ucontext_t* uc = context;
  if (num_steps < 64) steps[num_steps++] = (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
}

static void check_steps(const char* site, long (*call)(long, const void*, long, long)) {
  struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &action, NULL);
  num_steps = 0;
  __asm__ volatile(
      "lea -128(%%rsp), %%rsp\npushf\norl %0, (%%rsp)\npopf\nlea 128(%%rsp), %%rsp" ::"i"(kTrapFlag)
      : "cc", "memory");
  const long result = call(0, "/nowhere", O_RDONLY, 0);
  __asm__ volatile(
      "lea -128(%%rsp), %%rsp\npushf\nandl %0, (%%rsp)\npopf\nlea 128(%%rsp), %%rsp" ::"i"(
          ~kTrapFlag)
      : "cc", "memory");
  CHECK(result == -ENOENT, "result %ld", result);
  bool after_load = false;
  for (size_t i = 0; i < num_steps; ++i) after_load |= steps[i] == (uintptr_t)site + kLoadLen;
  CHECK(after_load, "no step to the system call");
}

static void* open_often(void* unused) {
  (void)unused;
  for (int i = 0; i < 2000; ++i)
    CHECK(call_openat_by_threads(0, "/nowhere", O_RDONLY, 0) == -ENOENT, "thread");
  return NULL;
}

static void check_threads(void) {
  pthread_t threads[4];
  for (size_t i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, open_often, NULL);
  for (size_t i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  CHECK(is_jump(call_openat_by_threads_site), "no jump where threads were");
}

static void check_fork(void) {
  const pid_t child = fork();
  if (child == 0) _exit(call_openat(0, "/nowhere", O_RDONLY, 0) == -ENOENT ? 0 : 1);
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0, "child: %x", status);
}

int main(void) {
  check_steps(call_openat_first_stepped_site, call_openat_first_stepped);
  check_sigaction();
  check_sigprocmask();
  check_open();
  check_registers();
  check_waiting();
  check_steps(call_openat_site, call_openat);
  check_threads();
  check_fork();
  for (int i = 0; i < kOften; ++i) CHECK(number_in_operand() == 257, "operand");
  CHECK(!is_jump(number_in_operand_site), "a jump in the middle of an instruction");
  return 0;
}
