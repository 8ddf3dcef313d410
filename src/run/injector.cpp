#include "run/injector.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <span>

// The run-times as ELF images, put here by runtime_image.S, and the code of start.S.
extern "C" const unsigned char incore_runtime_image[], incore_runtime32_image[];
extern "C" const unsigned char incore_start64[], incore_start64_end[];
extern "C" const unsigned char incore_start32[], incore_start32_end[];
static_assert(incore::run::kCallNumber == 0x1C0DE &&
              incore::run::Call::cannot_start == incore::run::Call{21});  // as start.S says

namespace incore::run {
namespace {

constexpr uint64_t kPageMask = 4095;
constexpr uint64_t kNoRestart = ~uint64_t{0};  // as the number of the call that is being made

std::span<const unsigned char> start_code(bool is_32bit) {
  return is_32bit ? std::span(incore_start32, incore_start32_end)
                  : std::span(incore_start64, incore_start64_end);
}

// Puts |code| where nothing of the program is: behind the end of the vDSO, up to that of its page.
// Where there is none, or no room, it replaces code of the program for a moment, at the entry point
// or, if the page has no room behind that, at its beginning. Returns the address; 0: there is no
// code.
uint64_t put_code(const ProcessMemory& memory, std::span<const Mapping> mappings,
                  std::span<const unsigned char> code, StartInfo& info) {
  std::vector<uint8_t> found(code.size());
  const auto reads = [&](uint64_t at) {
    return memory.read(at, found.data(), found.size()) == found.size();
  };
  const auto writes = [&](uint64_t at) { return memory.write(at, code.data(), code.size()); };
  for (const Mapping& m : mappings) {
    const uint64_t end = m.end - code.size();
    if (m.path == "[vdso]" && reads(end) && found == std::vector<uint8_t>(code.size()) &&
        writes(end))
      return end;
  }
  uint64_t at = info.program_entry;
  if ((at & kPageMask) > kPageMask + 1 - code.size()) at &= ~kPageMask;
  if (code.size() > sizeof info.replaced || !reads(at) || !writes(at)) return 0;
  std::copy(found.begin(), found.end(), info.replaced);
  info.replaced_at = at;
  info.replaced_len = found.size();
  return at;
}

// As protocol.h says.
bool put_on_stack(const ProcessMemory& memory, uint64_t stack_pointer, const StartInfo& info) {
  const size_t len = offsetof(StartInfo, sites) + info.num_sites * sizeof info.sites[0];
  std::vector<uint8_t> bytes((len + sizeof(uint64_t) + 15) & ~size_t{15});
  const uint64_t address = (stack_pointer - bytes.size()) & ~uint64_t{15};
  bytes.resize(stack_pointer - address);
  memcpy(bytes.data(), &info, len);
  memcpy(bytes.data() + bytes.size() - sizeof address, &address, sizeof address);
  return memory.write(address, bytes.data(), bytes.size());
}

template <class Header, class ProgramHeader>
std::vector<uint8_t> make_image(const unsigned char* file, uint64_t base, Config config) {
  std::vector<uint8_t> image(kImageLen);
  const auto* const header = reinterpret_cast<const Header*>(file);
  const auto* const segments = reinterpret_cast<const ProgramHeader*>(file + header->e_phoff);
  uint64_t end = 0;
  for (int i = 0; i < header->e_phnum; ++i) {
    const ProgramHeader& segment = segments[i];
    if (segment.p_type != PT_LOAD) continue;
    uint64_t at = segment.p_vaddr - base;
    if ((segment.p_flags & PF_W) != 0) {
      const uint64_t begin = segment.p_vaddr & ~kPageMask;
      config.data_address = begin;
      config.data_len = segment.p_vaddr + segment.p_memsz - begin;
      config.data_file_len = segment.p_vaddr + segment.p_filesz - begin;
      at = kImageDataOffset + (segment.p_vaddr - begin);
      if (config.data_file_len > kImageCodeOffset - kImageDataOffset) abort();
    } else {
      end = std::max(end, at + segment.p_filesz);
    }
    if (at > image.size() || segment.p_filesz > image.size() - at) abort();
    memcpy(&image[at], file + segment.p_offset, segment.p_filesz);
  }
  image.resize(end);
  config.runtime_entry = header->e_entry;
  config.model.cpuid = reinterpret_cast<const padlock::CpuidRow*>(base + offsetof(Config, rows));
  memcpy(image.data(), &config, sizeof config);
  return image;
}

}  // namespace

std::string start_error(int error) {
  if (error == ENOMEM)
    return "no memory for the run-time: the process may have too little (RLIMIT_AS, RLIMIT_DATA)";
  if (error == EEXIST) return "the addresses of the run-time are taken";
  return std::string("cannot map the run-time: ") + strerror(error);
}

std::vector<uint8_t> runtime_image(bool is_32bit, const Config& config) {
  return is_32bit
             ? make_image<Elf32_Ehdr, Elf32_Phdr>(incore_runtime32_image, kRuntimeBase32, config)
             : make_image<Elf64_Ehdr, Elf64_Phdr>(incore_runtime_image, kRuntimeBase64, config);
}

StoppedProcess::StoppedProcess(pid_t pid)
    : pid_(pid), ok_(ptrace(PTRACE_GETREGS, pid, nullptr, &registers_) == 0) {}

bool StoppedProcess::is_32bit() const {
  constexpr uint16_t kUser32Cs = 0x23;
  return registers_.cs == kUser32Cs;
}

// Lets the process run over |num_borders| beginnings and ends of system calls. All signals wait.
bool StoppedProcess::run_over(unsigned num_borders) {
  uint64_t mask = 0;
  const uint64_t all_signals = ~uint64_t{0};
  bool ok = ptrace(PTRACE_GETSIGMASK, pid_, sizeof mask, &mask) == 0 &&
            ptrace(PTRACE_SETSIGMASK, pid_, sizeof all_signals, &all_signals) == 0;
  for (unsigned i = 0; i < num_borders && ok; ++i) {
    int status;
    ok = ptrace(PTRACE_SYSCALL, pid_, nullptr, nullptr) == 0 &&
         waitpid(pid_, &status, __WALL) == pid_ && WIFSTOPPED(status) &&
         WSTOPSIG(status) == SIGTRAP;
  }
  return ok && ptrace(PTRACE_SETSIGMASK, pid_, sizeof mask, &mask) == 0;
}

std::string StoppedProcess::start_runtime(const ProcessMemory& memory,
                                          std::span<const Mapping> mappings, StartInfo info, int fd,
                                          const std::vector<uint8_t>& image) {
  const auto failed = [] { return std::string("cannot start the run-time: ") + strerror(errno); };
  if (!ok_) return failed();
  user_regs_struct r = registers_;
  r.rip = put_code(memory, mappings, start_code(is_32bit()), info);
  if (r.rip == 0) return "";
  if (!put_on_stack(memory, r.rsp, info)) return start_error(ENOMEM);

  const bool is_shared = fd >= 0;
  const uint64_t base = is_32bit() ? kRuntimeBase32 : kRuntimeBase64;
  const uint64_t flags = MAP_PRIVATE | MAP_FIXED_NOREPLACE | (is_shared ? 0 : MAP_ANONYMOUS);
  const uint64_t offset = is_shared ? image_offset(is_32bit()) : 0;
  if (is_32bit()) {
    r.rbx = base, r.rcx = image.size(), r.rdx = PROT_READ | PROT_EXEC, r.rsi = flags;
    r.rdi = static_cast<uint32_t>(fd), r.rbp = offset / (kPageMask + 1);
  } else {
    r.rdi = base, r.rsi = image.size(), r.rdx = PROT_READ | PROT_EXEC, r.r10 = flags;
    r.r8 = static_cast<uint64_t>(int64_t{fd}), r.r9 = offset;
  }
  if (ptrace(PTRACE_SETREGS, pid_, nullptr, &r) != 0) return failed();
  if (is_shared) return "";
  constexpr unsigned kEndOfExecAndMmap = 3;
  if (!run_over(kEndOfExecAndMmap)) return failed();
  if (ptrace(PTRACE_GETREGS, pid_, nullptr, &r) != 0) return failed();
  const bool is_mapped = (is_32bit() ? static_cast<uint32_t>(r.rax) : r.rax) == base;
  return !is_mapped || memory.write(base, image.data(), image.size()) ? "" : failed();
}

bool StoppedProcess::close_descriptor(int fd) {
  constexpr uint64_t kClose32 = 6, kSyscallLen = 2;  // SYSCALL, or INT 80h
  constexpr unsigned kClose = 2;
  uint64_t runtime_entry;
  if (!ok_ || !read_process(pid_, config_address(is_32bit()) + offsetof(Config, runtime_entry),
                            &runtime_entry, sizeof runtime_entry))
    return false;
  user_regs_struct r = registers_;
  r.orig_rax = kNoRestart;
  r.rip = runtime_entry - kSyscallLen;
  r.rax = is_32bit() ? kClose32 : SYS_close;
  (is_32bit() ? r.rbx : r.rdi) = static_cast<uint64_t>(fd);
  if (ptrace(PTRACE_SETREGS, pid_, nullptr, &r) != 0) return false;
  bool ok = run_over(kClose);
  // Only from a stop of this kind would an interrupted call begin again.
  ok = ok && ptrace(PTRACE_INTERRUPT, pid_, nullptr, nullptr) == 0 && run_over(1);
  return ptrace(PTRACE_SETREGS, pid_, nullptr, &registers_) == 0 && ok;
}

}  // namespace incore::run
