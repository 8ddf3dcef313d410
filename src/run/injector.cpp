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

// The run-times as ELF images, put here by runtime_image.S.
extern "C" const unsigned char incore_runtime_image[], incore_runtime32_image[];

namespace incore::run {
namespace {

constexpr uint64_t kPageMask = 4095;
constexpr uint64_t page_floor(uint64_t x) {
  return x & ~kPageMask;
}
constexpr uint64_t page_ceiling(uint64_t x) {
  return (x + kPageMask) & ~kPageMask;
}

// Makes a stopped process do system calls, at the place where it stands, as its own machine does
// them.
class RemoteCaller {
 public:
  explicit RemoteCaller(pid_t pid) : pid_(pid) {
    ok_ = ptrace(PTRACE_GETREGS, pid_, nullptr, &registers_) == 0;
    ok_ = ok_ && read_process_code(pid_, registers_.rip, code_, sizeof code_);
    const uint64_t all_signals = ~uint64_t{0};
    ok_ = ok_ && ptrace(PTRACE_GETSIGMASK, pid_, sizeof mask_, &mask_) == 0 &&
          ptrace(PTRACE_SETSIGMASK, pid_, sizeof all_signals, &all_signals) == 0;
    constexpr uint8_t kSyscallInt3[] = {0x0F, 0x05, 0xCC}, kInt80Int3[] = {0xCD, 0x80, 0xCC};
    ok_ = ok_ && write_process_code(pid_, registers_.rip, is_32bit() ? kInt80Int3 : kSyscallInt3,
                                    sizeof code_);
  }

  bool ok() const { return ok_; }
  uint64_t rip() const { return registers_.rip; }
  bool is_32bit() const {
    constexpr uint16_t kUser32Cs = 0x23;
    return registers_.cs == kUser32Cs;
  }

  // Their results, or a negative errno. New memory has no content and is private.
  long mmap(uint64_t address, uint64_t len, uint64_t protection, uint64_t flags) {
    constexpr long kMmap2 = 192;
    return call(is_32bit() ? kMmap2 : SYS_mmap, address, len, protection,
                flags | MAP_PRIVATE | MAP_ANONYMOUS, static_cast<uint64_t>(-1), 0);
  }
  long mprotect(uint64_t address, uint64_t len, uint64_t protection) {
    constexpr long kMprotect32 = 125;
    return call(is_32bit() ? kMprotect32 : SYS_mprotect, address, len, protection, 0, 0, 0);
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
  long call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
    user_regs_struct r = registers_;
    r.orig_rax = static_cast<unsigned long long>(-1);  // the kernel shall not restart anything
    r.rax = static_cast<unsigned long long>(number);
    if (is_32bit())
      r.rbx = a, r.rcx = b, r.rdx = c, r.rsi = d, r.rdi = e, r.rbp = f;
    else
      r.rdi = a, r.rsi = b, r.rdx = c, r.r10 = d, r.r8 = e, r.r9 = f;
    if (ptrace(PTRACE_SETREGS, pid_, nullptr, &r) != 0) return -errno;
    if (ptrace(PTRACE_CONT, pid_, nullptr, nullptr) != 0) return -errno;
    int status;
    if (waitpid(pid_, &status, __WALL) != pid_ || !WIFSTOPPED(status) ||
        WSTOPSIG(status) != SIGTRAP)
      return -ESRCH;
    if (ptrace(PTRACE_GETREGS, pid_, nullptr, &r) != 0) return -errno;
    return is_32bit() ? static_cast<int32_t>(r.rax) : static_cast<long>(r.rax);
  }

  pid_t pid_;
  bool ok_ = false;
  user_regs_struct registers_ = {};
  uint64_t mask_ = 0;
  uint8_t code_[3] = {};
};

// Returns an error in words. |flags| may be MAP_GROWSDOWN: Linux counts such memory as stack, so
// the program keeps all that RLIMIT_DATA allows it. It never grows, because below it lies code.
std::string map_fixed(RemoteCaller& caller, uint64_t address, uint64_t len, uint64_t flags = 0) {
  const long result =
      caller.mmap(address, len, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE);
  const uint64_t mask = caller.is_32bit() ? UINT32_MAX : UINT64_MAX;
  if ((static_cast<uint64_t>(result) & mask) == address) return "";
  if (result == -ENOMEM)
    return "no memory for the run-time: the process may have too little (RLIMIT_AS, RLIMIT_DATA)";
  return "the addresses of the run-time are taken";
}

// Maps |image| and writes its segments. Returns an error in words.
template <class Header, class ProgramHeader>
std::string map_image(RemoteCaller& caller, pid_t pid, const unsigned char* image) {
  const auto* header = reinterpret_cast<const Header*>(image);
  const auto* segments = reinterpret_cast<const ProgramHeader*>(image + header->e_phoff);
  for (int i = 0; i < header->e_phnum; ++i) {
    const ProgramHeader& segment = segments[i];
    if (segment.p_type != PT_LOAD) continue;
    const uint64_t begin = page_floor(segment.p_vaddr);
    const uint64_t len = page_ceiling(segment.p_vaddr + segment.p_memsz) - begin;
    const bool writable = (segment.p_flags & PF_W) != 0;
    if (std::string error = map_fixed(caller, begin, len, writable ? MAP_GROWSDOWN : 0);
        !error.empty())
      return error;
    if (segment.p_filesz > 0 &&
        !write_process(pid, segment.p_vaddr, image + segment.p_offset, segment.p_filesz))
      return std::string("cannot write the run-time: ") + strerror(errno);
    if (writable) continue;
    const uint64_t protection = PROT_READ | ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
    if (caller.mprotect(begin, len, protection) != 0) return "cannot make the run-time executable";
  }
  return "";
}

}  // namespace

bool starts_in_code(pid_t pid) {
  user_regs_struct registers = {};
  return ptrace(PTRACE_GETREGS, pid, nullptr, &registers) == 0 && is_code(pid, registers.rip);
}

std::string inject_runtime(pid_t pid, const Config& config) {
  RemoteCaller caller(pid);
  if (!caller.ok()) return std::string("cannot reach its registers and code: ") + strerror(errno);

  const bool is_32bit = caller.is_32bit();
  const std::string error =
      is_32bit ? map_image<Elf32_Ehdr, Elf32_Phdr>(caller, pid, incore_runtime32_image)
               : map_image<Elf64_Ehdr, Elf64_Phdr>(caller, pid, incore_runtime_image);
  if (!error.empty()) return error;
  Config program_config = config;
  program_config.program_entry = caller.rip();

  const uint64_t config_address = (is_32bit ? kRuntimeBase32 : kRuntimeBase64) + kConfigOffset;
  if (std::string no_room = map_fixed(caller, config_address, kConfigLen); !no_room.empty())
    return no_room;
  if (!write_process(pid, config_address, &program_config, sizeof program_config))
    return "cannot write the configuration of the run-time";
  const uint64_t entry = is_32bit
                             ? reinterpret_cast<const Elf32_Ehdr*>(incore_runtime32_image)->e_entry
                             : reinterpret_cast<const Elf64_Ehdr*>(incore_runtime_image)->e_entry;
  if (!caller.finish(entry)) return std::string("cannot start the run-time: ") + strerror(errno);
  return "";
}

}  // namespace incore::run
