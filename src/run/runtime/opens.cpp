#include "run/runtime/opens.h"

#include "run/runtime/plain_calls.h"

namespace incore::run {
namespace {

constexpr uint64_t kPathMax = 4096;
constexpr uint64_t kPageLen = 4096;
constexpr int kAtFdcwd = -100;
constexpr int kOAccmode = 3, kOCreat = 0100, kODirectory = 0200000, kOPath = 010000000,
              kOCloexec = 02000000;
constexpr Word kProcSuperMagic = 0x9FA0;

enum class Ending : uint8_t { cpuinfo, other, unreadable };

Ending ending_of(uint64_t path) {
  constexpr char kName[] = "cpuinfo";
  constexpr size_t kLen = sizeof kName - 1, kOther = kLen + 1;
  LiveMemory memory;
  size_t matched = 0;
  for (uint64_t at = path; at < path + kPathMax; ++at) {
    if ((at == path || at % kPageLen == 0) && memory.readable(at, 1) == nullptr)
      return Ending::unreadable;
    const char c = *at_address<const char>(at);
    if (c == 0) return matched == kLen ? Ending::cpuinfo : Ending::other;
    if (c == '/')
      matched = 0;
    else
      matched = matched < kLen && c == kName[matched] ? matched + 1 : kOther;
  }
  return Ending::other;
}

// It is a file of Linux's process file system. Looked at without opening it, which may wait.
bool is_in_proc(int directory, uint64_t path) {
  const long fd = sys(__NR_openat, directory, path, kOPath | kOCloexec);
  if (is_error(fd)) return false;
  Word statfs[32] = {};  // struct statfs, which begins with the type
  const long result = sys(__NR_fstatfs, fd, statfs);
  sys(__NR_close, fd);
  return result == 0 && statfs[0] == kProcSuperMagic;
}

}  // namespace

bool is_open_to_read(uint64_t flags) {
  return (flags & (kOAccmode | kOCreat | kODirectory | kOPath)) == 0;
}

bool may_be_cpuinfo(uint64_t path) {
  return ending_of(path) != Ending::other;
}

bool on_open(const SystemCall& call, KernelUcontext* uc) {
  if (call.number != __NR_open && call.number != __NR_openat) return false;
  const bool has_directory = call.number == __NR_openat;
  const uint64_t* const path_and_flags = call.arguments + (has_directory ? 1 : 0);
  const int directory = has_directory ? static_cast<int>(call.arguments[0]) : kAtFdcwd;
  if (ending_of(path_and_flags[0]) == Ending::cpuinfo && is_in_proc(directory, path_and_flags[0])) {
    const long fd =
        call_supervisor(Call::cpuinfo_fd, config().group, path_and_flags[1] & kOCloexec);
    if (!is_error(fd)) {
      uc->rax = static_cast<Word>(fd);
      return true;
    }
  }
  make_plain_call(uc);
  return true;
}

}  // namespace incore::run
