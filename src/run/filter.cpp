// The filter, in classic BPF (Linux Documentation/userspace-api/seccomp_filter.rst). It survives
// exec and is inherited by children, so it is installed once per run. It trusts the run-time's own
// calls, which it knows by their address.
#include "run/filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

#include "run/protocol.h"

namespace incore::run {
namespace {

constexpr unsigned kOffsetNumber = offsetof(seccomp_data, nr);
constexpr unsigned kOffsetArch = offsetof(seccomp_data, arch);
constexpr unsigned kOffsetIpHigh = offsetof(seccomp_data, instruction_pointer) + 4;
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
  // number only.
  void begin_rule(uint32_t number) {
    load(kOffsetNumber);
    rule_ = program_.size();
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 0));
  }
  void end_rule() { program_[rule_].jf = static_cast<uint8_t>(program_.size() - rule_ - 1); }

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
  void verdict_if_not_equal(unsigned offset, uint32_t value, uint32_t action) {
    load(offset);
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0));
    verdict(action);
  }

  std::vector<sock_filter>& program() { return program_; }

 private:
  std::vector<sock_filter> program_;
  size_t rule_ = 0;
};

std::vector<sock_filter> build_filter() {
  constexpr uint32_t kAllow = SECCOMP_RET_ALLOW, kToRuntime = SECCOMP_RET_TRAP,
                     kToSupervisor = SECCOMP_RET_USER_NOTIF;
  FilterBuilder f;
  // 32-bit programs run without Incore for now.
  f.verdict_if_not_equal(kOffsetArch, AUDIT_ARCH_X86_64, kAllow);
  f.rule(kCallNumber, kToSupervisor);
  f.verdict_if_equal(kOffsetIpHigh, kRuntimeHighWord, kAllow);

  // A new program image is to be prepared.
  f.rule(__NR_execve, kToSupervisor);
  f.rule(__NR_execveat, kToSupervisor);

  // A debugger inside would take the run-time's signals for its own and wait for ever: it is told
  // at once that it cannot.
  f.begin_rule(__NR_ptrace);
  f.verdict_if_equal(argument_low(0), PTRACE_TRACEME, SECCOMP_RET_ERRNO | EPERM);
  f.verdict(kAllow);
  f.end_rule();

  // Signals that the run-time owns, and masks, which may contain them. A query about another signal
  // is the kernel's.
  f.rule(__NR_rt_sigprocmask, kToRuntime);
  f.begin_rule(__NR_rt_sigaction);
  f.verdict_if_not_equal(argument_low(1), 0, kToRuntime);
  f.verdict_if_not_equal(argument_high(1), 0, kToRuntime);
  for (uint32_t signal : {4u, 5u, 7u, 11u, 31u})
    f.verdict_if_equal(argument_low(0), signal, kToRuntime);
  f.verdict(kAllow);
  f.end_rule();

  // New code: CPUID in it is to be replaced. The supervisor itself maps the run-time.
  for (uint32_t number : {__NR_mmap, __NR_mprotect, __NR_pkey_mprotect}) {
    f.begin_rule(number);
    f.verdict_if_equal(argument_high(0), kRuntimeHighWord, kAllow);
    f.verdict_if_set(argument_low(2), PROT_EXEC, kToRuntime);
    f.verdict(kAllow);
    f.end_rule();
  }
  f.verdict(kAllow);
  return f.program();
}

}  // namespace

int install_filter() {
  std::vector<sock_filter> program = build_filter();
  sock_fprog filter = {static_cast<unsigned short>(program.size()), program.data()};
  constexpr unsigned long kFlags[] = {
      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
      SECCOMP_FILTER_FLAG_NEW_LISTENER,  // before Linux 5.19
  };
  for (const unsigned long flags : kFlags) {
    long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
    if (listener < 0 &&
        errno == EACCES) {  // not root: allowed when privileges can no longer be gained
      if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
      listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
    }
    if (listener >= 0) return static_cast<int>(listener);
    if (errno != EINVAL) return -errno;
  }
  return -EINVAL;
}

}  // namespace incore::run
