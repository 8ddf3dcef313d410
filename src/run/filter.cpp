// The filter, in classic BPF (Linux Documentation/userspace-api/seccomp_filter.rst). It survives
// exec and is inherited by children, so it is installed once per run. It trusts the run-time's own
// calls, which it knows by their address.
#include "run/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>
#include <vector>

#include "run/protocol.h"
#include "run/qemu/redirect.h"

namespace incore::run {
namespace {

constexpr unsigned kOffsetNumber = offsetof(seccomp_data, nr);
constexpr unsigned kOffsetArch = offsetof(seccomp_data, arch);
constexpr unsigned kOffsetIpLow = offsetof(seccomp_data, instruction_pointer);
constexpr unsigned kOffsetIpHigh = kOffsetIpLow + 4;
constexpr unsigned argument_low(unsigned i) {
  return static_cast<unsigned>(offsetof(seccomp_data, args) + 8 * i);
}
constexpr unsigned argument_high(unsigned i) {
  return argument_low(i) + 4;
}

// A filter as a list of rules; each is a run of tests that all must hold, and a verdict.
class FilterBuilder {
 public:
  void load(unsigned offset) { program_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }
  void verdict(uint32_t action) { program_.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }

  // Begins a rule for system call |number|; end_rule() closes it. What lies between runs for that
  // number only, and not for the run-time's own calls. Nothing but number and architecture is
  // looked at before, so that Linux can remember which calls always pass and spares them the
  // filter.
  void begin_rule(uint32_t number) {
    begin_call(number);
    verdict_if_equal(kOffsetIpHigh, kRuntimeHighWord, SECCOMP_RET_ALLOW);
    if (is_i386_)
      verdict_if_masked_equal(kOffsetIpLow, kRuntimeMask32, kRuntimeBase32, SECCOMP_RET_ALLOW);
  }
  // The same for the run-time's own calls too.
  void begin_call(uint32_t number) {
    load(kOffsetNumber);
    rule_ = program_.size();
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 0));
  }
  void end_rule() { program_[rule_].jf = static_cast<uint8_t>(program_.size() - rule_ - 1); }

  // The same for the calls of one architecture, which may be many.
  void begin_arch(uint32_t arch) {
    is_i386_ = arch == AUDIT_ARCH_I386;
    load(kOffsetArch);
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0));
    arch_ = program_.size();
    program_.push_back(BPF_STMT(BPF_JMP | BPF_JA, 0));
  }
  void end_arch() { program_[arch_].k = static_cast<uint32_t>(program_.size() - arch_ - 1); }

  void rule(uint32_t number, uint32_t action) {
    begin_rule(number);
    verdict(action);
    end_rule();
  }
  // Returns |action| if the word at |offset| equals |value|.
  void verdict_if_equal(unsigned offset, uint32_t value, uint32_t action) {
    load(offset);
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    verdict(action);
  }
  // Returns |action| if the word at |offset| has any bit of |mask|.
  void verdict_if_set(unsigned offset, uint32_t mask, uint32_t action) {
    load(offset);
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, mask, 0, 1));
    verdict(action);
  }
  // Returns |action| if the bits of |mask| in the word at |offset| are those of |value|.
  void verdict_if_masked_equal(unsigned offset, uint32_t mask, uint32_t value, uint32_t action) {
    load(offset);
    program_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    verdict(action);
  }
  void verdict_if_not_equal(unsigned offset, uint32_t value, uint32_t action) {
    load(offset);
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0));
    verdict(action);
  }

  std::vector<sock_filter>& program() { return program_; }

 private:
  std::vector<sock_filter> program_;
  size_t rule_ = 0;
  size_t arch_ = 0;
  bool is_i386_ = false;
};

constexpr uint32_t kAllow = SECCOMP_RET_ALLOW, kToRuntime = SECCOMP_RET_TRAP,
                   kToSupervisor = SECCOMP_RET_USER_NOTIF;

// Numbers of i386 calls (Linux arch/x86/entry/syscalls/syscall_32.tbl).
namespace i386 {
enum : uint32_t {
  exit = 1,
  read = 3,
  write = 4,
  open = 5,
  execve = 11,
  ptrace = 26,
  signal = 48,
  sigaction = 67,
  sigsuspend = 72,
  sgetmask = 68,
  ssetmask = 69,
  mmap = 90,
  munmap = 91,
  socketcall = 102,
  mprotect = 125,
  sigprocmask = 126,
  writev = 146,
  prctl = 172,
  rt_sigaction = 174,
  rt_sigprocmask = 175,
  rt_sigsuspend = 179,
  pwrite64 = 181,
  mmap2 = 192,
  exit_group = 252,
  openat = 295,
  pselect6 = 308,
  ppoll = 309,
  epoll_pwait = 319,
  pwritev = 334,
  sendmmsg = 345,
  seccomp = 354,
  getrandom = 355,
  execveat = 358,
  sendto = 369,
  sendmsg = 370,
  pwritev2 = 379,
  pkey_mprotect = 380,
  pselect6_time64 = 413,
  ppoll_time64 = 414,
  epoll_pwait2 = 441,
};
}

// A debugger inside would take the run-time's signals for its own and wait for ever: it is told at
// once that it cannot.
void add_ptrace_rule(FilterBuilder& f, uint32_t number) {
  f.begin_rule(number);
  f.verdict_if_equal(argument_low(0), PTRACE_TRACEME, SECCOMP_RET_ERRNO | EPERM);
  f.verdict(kAllow);
  f.end_rule();
}

// A program that shuts others out, by a filter of its own or by PR_SET_DUMPABLE, must not shut out
// the run-time.
void add_confinement_rules(FilterBuilder& f, uint32_t prctl, uint32_t seccomp) {
  f.begin_rule(prctl);
  for (const uint32_t option : {PR_GET_DUMPABLE, PR_SET_DUMPABLE, PR_SET_SECCOMP})
    f.verdict_if_equal(argument_low(0), option, kToRuntime);
  f.verdict(kAllow);
  f.end_rule();
  f.begin_rule(seccomp);
  for (const uint32_t operation : {SECCOMP_SET_MODE_STRICT, SECCOMP_SET_MODE_FILTER})
    f.verdict_if_equal(argument_low(0), operation, kToRuntime);
  f.verdict(kAllow);
  f.end_rule();
}

// Signals that the run-time owns, and masks, which may contain them. A query about another signal
// is the kernel's.
void add_sigaction_rule(FilterBuilder& f, uint32_t number) {
  f.begin_rule(number);
  f.verdict_if_not_equal(argument_low(1), 0, kToRuntime);
  f.verdict_if_not_equal(argument_high(1), 0, kToRuntime);
  for (uint32_t signal : {4u, 5u, 7u, 11u, 31u})
    f.verdict_if_equal(argument_low(0), signal, kToRuntime);
  f.verdict(kAllow);
  f.end_rule();
}

// A wait with a mask at |argument|, if that is not null.
void add_wait_rule(FilterBuilder& f, uint32_t number, unsigned argument) {
  f.begin_rule(number);
  f.verdict_if_not_equal(argument_low(argument), 0, kToRuntime);
  f.verdict_if_not_equal(argument_high(argument), 0, kToRuntime);
  f.verdict(kAllow);
  f.end_rule();
}

// Of what is opened to be read, with flags in |argument|, /proc/cpuinfo is to be the model's.
void add_open_rule(FilterBuilder& f, uint32_t number, unsigned argument) {
  f.begin_rule(number);
  f.verdict_if_masked_equal(argument_low(argument), O_ACCMODE | O_CREAT | O_DIRECTORY | O_PATH,
                            O_RDONLY, kToRuntime);
  f.verdict(kAllow);
  f.end_rule();
}

// Where a program hands out data, ends, or gives memory back. What wakes a thread, a write of eight
// bytes to an event counter, is none of that.
void add_watch_rules(FilterBuilder& f, uint32_t write, uint32_t sendmsg,
                     std::initializer_list<uint32_t> others) {
  constexpr uint32_t kEventLen = 8;
  f.begin_rule(write);
  f.verdict_if_equal(argument_low(2), kEventLen, kAllow);
  f.verdict(kToSupervisor);
  f.end_rule();
  f.begin_rule(sendmsg);
  f.verdict_if_equal(argument_low(2), kSendsListener, kAllow);
  f.verdict(kToSupervisor);
  f.end_rule();
  for (const uint32_t number : others) f.rule(number, kToSupervisor);
}

void add_x86_64_rules(FilterBuilder& f) {
  // A new program image is to be prepared, if the run-time finds a file.
  f.begin_call(__NR_execve);
  f.verdict_if_equal(kOffsetIpHigh, kRuntimeHighWord, kToSupervisor);
  f.verdict_if_equal(argument_high(5), kFirstExec, kToSupervisor);
  f.verdict(kToRuntime);
  f.end_rule();
  f.rule(__NR_execveat, kToSupervisor);
  add_ptrace_rule(f, __NR_ptrace);
  add_confinement_rules(f, __NR_prctl, __NR_seccomp);
  f.rule(__NR_rt_sigprocmask, kToRuntime);
  add_sigaction_rule(f, __NR_rt_sigaction);
  add_wait_rule(f, __NR_rt_sigsuspend, 0);
  add_wait_rule(f, __NR_ppoll, 3);
  add_wait_rule(f, __NR_epoll_pwait, 4);
  add_wait_rule(f, __NR_epoll_pwait2, 4);
  add_wait_rule(f, __NR_pselect6, 5);
  add_open_rule(f, __NR_open, 1);
  add_open_rule(f, __NR_openat, 2);
  // New code: CPUID in it is to be replaced. New program images map the run-time.
  for (uint32_t number : {__NR_mmap, __NR_mprotect, __NR_pkey_mprotect}) {
    f.begin_rule(number);
    f.verdict_if_equal(argument_high(0), kRuntimeHighWord, kAllow);
    f.verdict_if_set(argument_low(2), PROT_EXEC, kToRuntime);
    f.verdict(kAllow);
    f.end_rule();
  }
}

void add_i386_rules(FilterBuilder& f) {
  f.rule(i386::execve, kToSupervisor);
  f.rule(i386::execveat, kToSupervisor);
  add_ptrace_rule(f, i386::ptrace);
  add_confinement_rules(f, i386::prctl, i386::seccomp);
  for (uint32_t number : {i386::rt_sigprocmask, i386::sigprocmask, i386::sgetmask, i386::ssetmask,
                          i386::signal, i386::mmap})
    f.rule(number, kToRuntime);
  add_sigaction_rule(f, i386::rt_sigaction);
  add_sigaction_rule(f, i386::sigaction);
  f.rule(i386::sigsuspend, kToRuntime);  // its mask is a value
  add_wait_rule(f, i386::rt_sigsuspend, 0);
  for (uint32_t number : {i386::ppoll, i386::ppoll_time64}) add_wait_rule(f, number, 3);
  for (uint32_t number : {i386::epoll_pwait, i386::epoll_pwait2}) add_wait_rule(f, number, 4);
  for (uint32_t number : {i386::pselect6, i386::pselect6_time64}) add_wait_rule(f, number, 5);
  add_open_rule(f, i386::open, 1);
  add_open_rule(f, i386::openat, 2);
  for (uint32_t number : {i386::mmap2, i386::mprotect, i386::pkey_mprotect}) {
    f.begin_rule(number);
    f.verdict_if_masked_equal(argument_low(0), kRuntimeMask32, kRuntimeBase32, kAllow);
    f.verdict_if_set(argument_low(2), PROT_EXEC, kToRuntime);
    f.verdict(kAllow);
    f.end_rule();
  }
}

std::vector<sock_filter> build_filter(const Filter& filter) {
  FilterBuilder f;
  f.verdict_if_equal(kOffsetNumber, kCallNumber, kToSupervisor);
  f.begin_arch(AUDIT_ARCH_X86_64);
  add_x86_64_rules(f);
  if (filter.seeded)
    for (const uint32_t number : {__NR_getrandom, __NR_read}) f.rule(number, kToSupervisor);
  if (filter.watched)
    add_watch_rules(f, __NR_write, __NR_sendmsg,
                    {__NR_writev, __NR_pwrite64, __NR_pwritev, __NR_pwritev2, __NR_sendto,
                     __NR_sendmmsg, __NR_munmap, __NR_exit, __NR_exit_group});
  f.verdict(kAllow);
  f.end_arch();
  f.begin_arch(AUDIT_ARCH_I386);
  add_i386_rules(f);
  if (filter.seeded)
    for (const uint32_t number : {i386::getrandom, i386::read}) f.rule(number, kToSupervisor);
  if (filter.watched)
    add_watch_rules(f, i386::write, i386::sendmsg,
                    {i386::writev, i386::pwrite64, i386::pwritev, i386::pwritev2, i386::socketcall,
                     i386::sendto, i386::sendmmsg, i386::munmap, i386::exit, i386::exit_group});
  f.verdict(kAllow);
  f.end_arch();
  f.verdict(kAllow);
  return f.program();
}

std::vector<sock_filter> build_power_filter() {
  FilterBuilder f;
  const auto add_exec_rules = [&](uint32_t arch, uint32_t execve, uint32_t execveat) {
    f.begin_arch(arch);
    for (const uint32_t number : {execve, execveat}) {
      f.begin_rule(number);
      f.verdict_if_equal(argument_high(5), qemu::kRedirectedExec, kAllow);
      f.verdict(kToSupervisor);
      f.end_rule();
    }
    f.verdict(kAllow);
    f.end_arch();
  };
  add_exec_rules(AUDIT_ARCH_X86_64, __NR_execve, __NR_execveat);
  add_exec_rules(AUDIT_ARCH_I386, i386::execve, i386::execveat);
  f.verdict(kAllow);
  return f.program();
}

}  // namespace

int install_filter(const Filter& filter) {
  std::vector<sock_filter> program = filter.for_power ? build_power_filter() : build_filter(filter);
  sock_fprog installed = {static_cast<unsigned short>(program.size()), program.data()};
  constexpr unsigned long kFlags[] = {
      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
      SECCOMP_FILTER_FLAG_NEW_LISTENER,  // before Linux 5.19
  };
  for (const unsigned long flags : kFlags) {
    long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &installed);
    if (listener < 0 &&
        errno == EACCES) {  // not root: allowed when privileges can no longer be gained
      if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
      listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &installed);
    }
    if (listener >= 0) return static_cast<int>(listener);
    if (errno != EINVAL) return -errno;
  }
  return -EINVAL;
}

}  // namespace incore::run
