// Looking into and changing a live process from outside.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "run/protocol.h"

namespace incore::run {

class GroupMemory;
struct Mapping;

bool read_process(pid_t pid, uint64_t address, void* out, size_t len);
bool write_process(pid_t pid, uint64_t address, const void* in, size_t len);
// The same through /proc/PID/mem, which reads code that the process may only execute, and writes to
// code that it may not write.
// The first returns how many bytes there were.
size_t read_process_part(pid_t pid, uint64_t address, void* out, size_t len);
bool read_process_code(pid_t pid, uint64_t address, void* out, size_t len);
bool write_process_code(pid_t pid, uint64_t address, const void* in, size_t len);
// Writes |byte| to each of |addresses|, up to the first where it fails. How many it was.
size_t write_process_code(pid_t pid, std::span<const uint64_t> addresses, uint8_t byte);
// The same |offset| behind those of the ascending |addresses| where CPUID stands, which are
// returned. Nobody else may change the code meanwhile.
std::vector<uint64_t> replace_cpuid(pid_t pid, std::span<const uint64_t> addresses, size_t offset,
                                    uint8_t byte);

// True if [begin, end) is a private, unwritable mapping of a file.
bool is_stable_code(pid_t pid, uint64_t begin, uint64_t end);

// Finds the proved instructions in the executable file mappings of processes that are to come to
// the run-time. Remembers files, and tells |group|, which may be null, of them.
class ProvedSites {
 public:
  // Addresses of CPUID in |pid| within [begin, end), ascending; |with_flags|: and of PUSHF,
  // POPF and IRET near PadLock instructions.
  std::vector<uint64_t> find(pid_t pid, uint64_t begin, uint64_t end, bool with_flags,
                             GroupMemory* group);

 private:
  using Known = std::map<std::pair<FileIdentity, bool>, std::vector<uint64_t>>;
  Known::const_iterator find_file(pid_t pid, const Mapping& mapping, bool with_flags);
  Known known_;  // offsets in the file
};

}  // namespace incore::run
