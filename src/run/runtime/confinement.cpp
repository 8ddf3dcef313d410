#include "run/runtime/confinement.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>

#include "run/runtime/plain_calls.h"

namespace incore::run {
namespace {

constexpr long kEnomem = 12;
constexpr uint32_t kIpLow = offsetof(seccomp_data, instruction_pointer), kIpHigh = kIpLow + 4;

constinit std::atomic<bool> dumpable = true;

// Before a filter of the program: the run-time's own calls pass, which it knows by their address,
// but not those that it makes as the program's.
struct RuntimePasses {
  sock_filter insns[10] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kAuditArch, 0, 8),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kIpHigh),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kRuntimeBase >> 32, 0, 6),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kIpLow),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, static_cast<uint32_t>(address_of(plain_calls_begin)), 0,
               1),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, static_cast<uint32_t>(address_of(plain_calls_end)), 0, 3),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, kRuntimeMask32),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(kRuntimeBase), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
};

// seccomp(2), SECCOMP_SET_MODE_STRICT.
#define ALLOW(number)                                       \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##number, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
constexpr sock_filter kStrict[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
    ALLOW(read),
    ALLOW(write),
    ALLOW(exit),
    ALLOW(rt_sigreturn),
#ifdef __NR_sigreturn
    ALLOW(sigreturn),
#endif
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_THREAD),
};
#undef ALLOW

// Installs the |len| instructions at |filter| with |flags|; the result of seccomp(2).
long install(Word flags, uint64_t filter, size_t len) {
  const RuntimePasses ours;
  constexpr size_t kNumOurs = sizeof ours / sizeof *ours.insns;
  const size_t bytes = (kNumOurs + len) * sizeof(sock_filter);
  const long mapped =
      sys(kMmap, 0, bytes, kProtRead | kProtWrite, kMapPrivate | kMapAnonymous, -1, 0);
  if (is_error(mapped)) return -kEnomem;
  auto* const whole = at_address<sock_filter>(static_cast<Word>(mapped));
  std::memcpy(whole, &ours, sizeof ours);
  long result = -kEfault;
  if (copy_from_program(whole + kNumOurs, filter, len * sizeof(sock_filter))) {
    const sock_fprog program = {static_cast<unsigned short>(kNumOurs + len), whole};
    stats().own_filters.fetch_add(1, std::memory_order_relaxed);
    result = sys(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  }
  sys(__NR_munmap, mapped, bytes);
  return result;
}

long set_filter(Word flags, uint64_t address) {
  sock_fprog wanted;
  if (!copy_from_program(&wanted, address, sizeof wanted)) return -kEfault;
  if (wanted.len == 0 || wanted.len > BPF_MAXINSNS) return -kEinval;
  return install(flags, address_of(wanted.filter), wanted.len);
}

long set_strict() {
  return install(0, address_of(kStrict), sizeof kStrict / sizeof *kStrict);
}

long on_seccomp(const uint64_t (&a)[6]) {
  if (a[0] == SECCOMP_SET_MODE_FILTER) return set_filter(static_cast<Word>(a[1]), a[2]);
  if (a[0] == SECCOMP_SET_MODE_STRICT && a[1] == 0 && a[2] == 0) return set_strict();
  return -kEinval;
}

long on_prctl(const uint64_t (&a)[6]) {
  switch (a[0]) {
    case PR_GET_DUMPABLE:
      return dumpable ? 1 : 0;
    case PR_SET_DUMPABLE:
      if (a[1] > 1) return -kEinval;
      dumpable = a[1] == 1;
      return 0;
    case PR_SET_SECCOMP:
      if (a[1] == SECCOMP_MODE_FILTER) return set_filter(0, a[2]);
      if (a[1] == SECCOMP_MODE_STRICT) return set_strict();
      [[fallthrough]];
    default:
      return -kEinval;
  }
}

}  // namespace

bool on_confinement(const SystemCall& call, long* out_result) {
  if (call.number != __NR_prctl && call.number != __NR_seccomp) return false;
  *out_result = call.number == __NR_prctl ? on_prctl(call.arguments) : on_seccomp(call.arguments);
  return true;
}

}  // namespace incore::run
