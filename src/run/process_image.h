// Looking into and changing a live process from outside.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/descriptor.h"
#include "run/protocol.h"

namespace incore::run {

class GroupMemory;
struct Mapping;

bool read_process(pid_t pid, uint64_t address, void* out, size_t len);
bool write_process(pid_t pid, uint64_t address, const void* in, size_t len);

// The same through /proc/PID/mem, which reads code that the process may only execute, and writes to
// code that it may not write. To open it takes longer than to use it.
class ProcessMemory {
 public:
  explicit ProcessMemory(pid_t pid);
  // How many bytes there were.
  size_t read(uint64_t address, void* out, size_t len) const;
  bool write(uint64_t address, const void* in, size_t len) const;

 private:
  Descriptor file_;
};

// Writes |trap| over CPUID where it stands at one of the ascending |addresses|. Those are returned.
// Nobody else may change the code meanwhile.
std::vector<uint64_t> replace_cpuid(const ProcessMemory& memory,
                                    std::span<const uint64_t> addresses, const CpuidTrap& trap);

// True if [begin, end) is a private, unwritable mapping of a file.
bool is_stable_code(pid_t pid, uint64_t begin, uint64_t end);

// Finds the proved instructions in the executable file mappings of processes that are to come to
// the run-time. Remembers files, and tells |group|, which may be null, of them.
class ProvedSites {
 public:
  // Addresses of CPUID in the |mappings| of |pid| within [begin, end), ascending; |with_flags|: and
  // of PUSHF, POPF and IRET near PadLock instructions. |out_hot|, which may be null, gets those
  // that note_hot() was told of.
  std::vector<uint64_t> find(pid_t pid, std::span<const Mapping> mappings, uint64_t begin,
                             uint64_t end, bool with_flags, GroupMemory* group,
                             std::vector<uint64_t>* out_hot = nullptr);

  // The CPUID at |address| in |pid| is executed often.
  void note_hot(pid_t pid, uint64_t address);

  // Whether the code of |pid| at |address| is a load of a number into EAX and a system call, and
  // only the run-time can change it.
  bool is_call_site(pid_t pid, uint64_t address);

 private:
  struct Offsets {  // in the file
    std::vector<uint64_t> all, hot;
  };
  using Known = std::map<std::pair<FileIdentity, bool>, Offsets>;
  Known::iterator find_file(pid_t pid, const Mapping& mapping, bool with_flags);
  Known known_;
  std::map<std::pair<FileIdentity, uint64_t>, bool> call_sites_;  // by offset in the file
};

}  // namespace incore::run
