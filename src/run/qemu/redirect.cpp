// The call is made to fail, and the process is stopped with ptrace on its way out of it. There its
// registers are set back to before the system call, now with the emulator's arguments, which lie in
// unused memory below its stack pointer. The filter lets this second call pass. If that fails too,
// the process sees an exec that failed.
#include "run/qemu/redirect.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "run/process_image.h"

namespace incore::run::qemu {
namespace {

constexpr size_t kMaxPath = 4096;
constexpr uint64_t kPage = 4096;  // a read goes no further than that: the next may not exist
constexpr size_t kMaxArguments = 1 << 17;  // with MAX_ARG_STRINGS the kernel allows more than fit

// The zero-terminated string at |address| of |pid|; nothing if it is not there or longer than a
// path can be.
std::optional<std::string> read_string(pid_t pid, uint64_t address) {
  std::string text;
  while (text.size() <= kMaxPath) {
    char part[kPage];
    const size_t len = kPage - (address + text.size()) % kPage;
    if (!read_process(pid, address + text.size(), part, len)) return std::nullopt;
    const size_t found = strnlen(part, len);
    text.append(part, found);
    if (found < len) return text;
  }
  return std::nullopt;
}

std::optional<std::vector<uint64_t>> read_pointers(pid_t pid, uint64_t address) {
  constexpr size_t kSize = sizeof(uint64_t);
  std::vector<uint64_t> pointers;
  while (address != 0 && pointers.size() <= kMaxArguments) {
    const size_t num = std::max<size_t>((kPage - address % kPage) / kSize, 1);
    const size_t old_num = pointers.size();
    pointers.resize(old_num + num);
    if (!read_process(pid, address, &pointers[old_num], num * kSize)) return std::nullopt;
    const auto end =
        std::find(pointers.begin() + static_cast<ptrdiff_t>(old_num), pointers.end(), 0);
    if (end != pointers.end()) {
      pointers.erase(end, pointers.end());
      break;
    }
    address += num * kSize;
  }
  return pointers;
}

std::string link_target(const std::string& path) {
  char target[kMaxPath];
  const ssize_t len = readlink(path.c_str(), target, sizeof target);
  return len <= 0 ? "" : std::string(target, static_cast<size_t>(len));
}

// Where |path| of a process leads, seen from here. Sets |inside| to a path that it has itself.
std::string outer_path(const std::string& proc, const std::string& path, int folder,
                       std::string& inside) {
  constexpr std::string_view kSelf = "/proc/self/";
  inside = path;
  if (path.rfind(kSelf, 0) == 0) {  // descriptors may be closed by the exec
    const std::string outer = proc + "/" + path.substr(kSelf.size());
    if (const std::string target = link_target(outer); !target.empty()) inside = target;
    return outer;
  }
  if (!path.empty() && path[0] == '/') return path;
  if (folder == AT_FDCWD) return proc + "/cwd/" + path;
  inside = link_target(proc + "/fd/" + std::to_string(folder));
  if (!path.empty()) inside += "/" + path;
  return inside;
}

class Redirection {
 public:
  Redirection(const ExecCall& call, const RedirectHooks& hooks) : call_(call), hooks_(hooks) {}

  std::string run(const Emulator::Command& command) {
    if (ptrace(PTRACE_SEIZE, call_.pid, nullptr, PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD) != 0) {
      const std::string error = strerror(errno);
      hooks_.respond(-EPERM);
      return "cannot reach it (is a debugger attached to it?): " + error;
    }
    // Interrupted first and answered then, it cannot go on in between.
    ptrace(PTRACE_INTERRUPT, call_.pid, nullptr, nullptr);
    hooks_.respond(-ENOEXEC);
    pid_t stopped;
    if (!wait_for_stop(&stopped)) return "";  // it has been killed
    std::string error = enter_again(command);
    if (error.empty())
      error = finish();
    else
      fail(ENOEXEC);
    ptrace(PTRACE_DETACH, last_stopped_, nullptr, nullptr);
    return error;
  }

 private:
  // False if the process is gone.
  bool wait_for_stop(pid_t* out_pid, int* out_status = nullptr) {
    for (;;) {
      int status;
      const pid_t pid = waitpid(-1, &status, __WALL);
      if (pid < 0 && errno == EINTR) continue;
      if (pid < 0) return false;
      if (WIFSTOPPED(status)) {
        *out_pid = last_stopped_ = pid;
        if (out_status != nullptr) *out_status = status;
        return true;
      }
      hooks_.note_exit(pid, status);
      if (pid == call_.pid) return false;
    }
  }

  // Writes the new arguments below the stack pointer and sets the registers. Signals wait, because
  // their frames would come to lie there too.
  std::string enter_again(const Emulator::Command& command) {
    if (ptrace(PTRACE_GETREGS, call_.pid, nullptr, &registers_) != 0 ||
        ptrace(PTRACE_GETSIGMASK, call_.pid, sizeof mask_, &mask_) != 0)
      return std::string("cannot read its registers: ") + strerror(errno);
    const size_t num_own = call_.arguments.empty() ? 0 : call_.arguments.size() - 1;
    const size_t num_pointers = command.arguments.size() + num_own + 1;
    std::string strings;
    for (const std::string& argument : command.arguments) strings += argument + '\0';
    constexpr uint64_t kRedZone = 256;  // twice what the ABI keeps for leaf functions
    const uint64_t size = num_pointers * sizeof(uint64_t) + strings.size();
    const uint64_t base = (registers_.rsp - kRedZone - size) & ~uint64_t{15};
    std::vector<uint64_t> pointers;
    uint64_t next = base + num_pointers * sizeof(uint64_t);
    for (const std::string& argument : command.arguments) {
      pointers.push_back(next);
      next += argument.size() + 1;
    }
    if (num_own != 0)
      pointers.insert(pointers.end(), call_.arguments.begin() + 1, call_.arguments.end());
    pointers.push_back(0);
    if (!write_process(call_.pid, base, pointers.data(), pointers.size() * sizeof(uint64_t)) ||
        !write_process(call_.pid, base + pointers.size() * sizeof(uint64_t), strings.data(),
                       strings.size()))
      return "its stack is too small for the arguments";

    constexpr uint64_t kSyscallLen = 2;  // 0F 05
    const uint64_t all_signals = ~uint64_t{0};
    user_regs_struct r = registers_;
    r.orig_rax =
        static_cast<unsigned long long>(-1);  // the kernel shall not restart the first call
    r.rip -= kSyscallLen;
    r.rax = SYS_execve;
    r.rdi = pointers[0];
    r.rsi = base;
    r.rdx = call_.environment;
    r.r9 = uint64_t{kRedirectedExec} << 32;
    if (ptrace(PTRACE_SETREGS, call_.pid, nullptr, &r) != 0 ||
        ptrace(PTRACE_SETSIGMASK, call_.pid, sizeof all_signals, &all_signals) != 0)
      return std::string("cannot change its registers: ") + strerror(errno);
    return "";
  }

  // Goes with it through the second call, up to the new image or to the failure.
  std::string finish() {
    constexpr int kSyscallStop = SIGTRAP | 0x80;
    bool is_inside = false;
    for (long signal = 0;;) {
      pid_t pid;
      int status;
      ptrace(PTRACE_SYSCALL, last_stopped_, nullptr, signal);
      if (!wait_for_stop(&pid, &status)) return "";
      if (status >> 16 == PTRACE_EVENT_EXEC) {
        ptrace(PTRACE_SETSIGMASK, pid, sizeof mask_, &mask_);
        return "";
      }
      signal = status >> 16 == 0 && WSTOPSIG(status) != kSyscallStop ? WSTOPSIG(status) : 0;
      if (WSTOPSIG(status) != kSyscallStop) continue;
      if (!std::exchange(is_inside, true)) continue;
      user_regs_struct r = {};
      ptrace(PTRACE_GETREGS, pid, nullptr, &r);
      const int error = static_cast<int>(-static_cast<int64_t>(r.rax));
      fail(error);
      ptrace(PTRACE_SETSIGMASK, pid, sizeof mask_, &mask_);
      return std::string("cannot execute the emulator: ") + strerror(error);
    }
  }

  // The process sees that the call which it made has failed with |error|.
  void fail(int error) {
    registers_.rax = static_cast<unsigned long long>(-error);
    registers_.orig_rax = static_cast<unsigned long long>(-1);
    ptrace(PTRACE_SETREGS, call_.pid, nullptr, &registers_);
  }

  const ExecCall& call_;
  const RedirectHooks& hooks_;
  pid_t last_stopped_ = -1;  // exec in a thread gives it another number
  user_regs_struct registers_ = {};
  uint64_t mask_ = 0;
};

}  // namespace

std::optional<ExecCall> read_exec_call(const seccomp_notif& notification) {
  const seccomp_data& data = notification.data;
  if (data.arch != AUDIT_ARCH_X86_64) return std::nullopt;
  const bool is_at = data.nr == SYS_execveat;
  const __u64* const arguments = data.args + (is_at ? 1 : 0);
  ExecCall call;
  call.pid = static_cast<pid_t>(notification.pid);
  const auto path = read_string(call.pid, arguments[0]);
  auto pointers = read_pointers(call.pid, arguments[1]);
  if (!path || !pointers) return std::nullopt;
  call.path = outer_path("/proc/" + std::to_string(call.pid), *path,
                         is_at ? static_cast<int>(data.args[0]) : AT_FDCWD, call.inside);
  call.arguments = std::move(*pointers);
  call.environment = arguments[2];
  call.name = call.inside;
  if (!call.arguments.empty())
    call.name = read_string(call.pid, call.arguments[0]).value_or(call.name);
  return call;
}

std::string redirect_exec(const ExecCall& call, const Emulator::Command& command,
                          const RedirectHooks& hooks) {
  return Redirection(call, hooks).run(command);
}

}  // namespace incore::run::qemu
