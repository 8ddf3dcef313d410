#include "run/injector.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "run/process_image.h"

// The run-time as an ELF image, put here by runtime_image.S.
extern "C" const unsigned char incore_runtime_image[];

namespace incore::run {
namespace {

constexpr uint64_t kPageMask = 4095;
constexpr uint64_t page_floor(uint64_t x) {
  return x & ~kPageMask;
}
constexpr uint64_t page_ceiling(uint64_t x) {
  return (x + kPageMask) & ~kPageMask;
}

// Makes a stopped process do system calls, at the place where it stands.
class RemoteCaller {
 public:
  explicit RemoteCaller(pid_t pid) : pid_(pid) {
    ok_ = ptrace(PTRACE_GETREGS, pid_, nullptr, &registers_) == 0;
    ok_ = ok_ && read_process_code(pid_, registers_.rip, code_, sizeof code_);
    const uint64_t all_signals = ~uint64_t{0};
    ok_ = ok_ && ptrace(PTRACE_GETSIGMASK, pid_, sizeof mask_, &mask_) == 0 &&
          ptrace(PTRACE_SETSIGMASK, pid_, sizeof all_signals, &all_signals) == 0;
    constexpr uint8_t kSyscallInt3[] = {0x0F, 0x05, 0xCC};
    ok_ = ok_ && write_process_code(pid_, registers_.rip, kSyscallInt3, sizeof kSyscallInt3);
  }

  bool ok() const { return ok_; }
  uint64_t rip() const { return registers_.rip; }

  // The call's result, or a negative errno.
  long call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d = 0, uint64_t e = 0,
            uint64_t f = 0) {
    user_regs_struct r = registers_;
    r.orig_rax = static_cast<unsigned long long>(-1);  // the kernel shall not restart anything
    r.rax = static_cast<unsigned long long>(number);
    r.rdi = a, r.rsi = b, r.rdx = c, r.r10 = d, r.r8 = e, r.r9 = f;
    if (ptrace(PTRACE_SETREGS, pid_, nullptr, &r) != 0) return -errno;
    if (ptrace(PTRACE_CONT, pid_, nullptr, nullptr) != 0) return -errno;
    int status;
    if (waitpid(pid_, &status, __WALL) != pid_ || !WIFSTOPPED(status) ||
        WSTOPSIG(status) != SIGTRAP)
      return -ESRCH;
    if (ptrace(PTRACE_GETREGS, pid_, nullptr, &r) != 0) return -errno;
    return static_cast<long>(r.rax);
  }

  // Leaves everything as it was, but the program goes on at |rip|.
  bool finish(uint64_t rip) {
    user_regs_struct r = registers_;
    r.orig_rax = static_cast<unsigned long long>(-1);
    r.rip = rip;
    return write_process_code(pid_, registers_.rip, code_, sizeof code_) &&
           ptrace(PTRACE_SETREGS, pid_, nullptr, &r) == 0 &&
           ptrace(PTRACE_SETSIGMASK, pid_, sizeof mask_, &mask_) == 0;
  }

 private:
  pid_t pid_;
  bool ok_ = false;
  user_regs_struct registers_ = {};
  uint64_t mask_ = 0;
  uint8_t code_[3] = {};
};

bool map_fixed(RemoteCaller& caller, uint64_t address, uint64_t len) {
  const long result =
      caller.call(SYS_mmap, address, len, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, static_cast<uint64_t>(-1), 0);
  return result == static_cast<long>(address);
}

}  // namespace

bool starts_in_code(pid_t pid) {
  user_regs_struct registers = {};
  return ptrace(PTRACE_GETREGS, pid, nullptr, &registers) == 0 && is_code(pid, registers.rip);
}

std::string inject_runtime(pid_t pid, const Config& config) {
  RemoteCaller caller(pid);
  if (!caller.ok()) return std::string("cannot reach its registers and code: ") + strerror(errno);

  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(incore_runtime_image);
  const auto* segments =
      reinterpret_cast<const Elf64_Phdr*>(incore_runtime_image + header->e_phoff);
  for (int i = 0; i < header->e_phnum; ++i) {
    const Elf64_Phdr& segment = segments[i];
    if (segment.p_type != PT_LOAD) continue;
    const uint64_t begin = page_floor(segment.p_vaddr);
    const uint64_t len = page_ceiling(segment.p_vaddr + segment.p_memsz) - begin;
    if (!map_fixed(caller, begin, len)) return "the addresses of the run-time are taken";
    if (segment.p_filesz > 0 &&
        !write_process(pid, segment.p_vaddr, incore_runtime_image + segment.p_offset,
                       segment.p_filesz))
      return std::string("cannot write the run-time: ") + strerror(errno);
    if ((segment.p_flags & PF_W) != 0) continue;
    const uint64_t protection = PROT_READ | ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
    if (caller.call(SYS_mprotect, begin, len, protection) != 0)
      return "cannot make the run-time executable";
  }
  Config program_config = config;
  program_config.program_entry = caller.rip();
  if (!map_fixed(caller, kConfigAddress, kConfigLen) ||
      !write_process(pid, kConfigAddress, &program_config, sizeof program_config))
    return "cannot write the configuration of the run-time";
  if (!caller.finish(header->e_entry))
    return std::string("cannot start the run-time: ") + strerror(errno);
  return "";
}

}  // namespace incore::run
