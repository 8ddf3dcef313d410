#include "run/process_image.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

#include "base/descriptor.h"
#include "run/mappings.h"
#include "scan/site_finder.h"

namespace incore::run {
namespace {

Descriptor open_memory(pid_t pid, int mode) {
  return Descriptor(open(("/proc/" + std::to_string(pid) + "/mem").c_str(), mode | O_CLOEXEC));
}

}  // namespace

bool read_process(pid_t pid, uint64_t address, void* out, size_t len) {
  const iovec local = {out, len};
  const iovec remote = {reinterpret_cast<void*>(address), len};
  return process_vm_readv(pid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(len);
}

bool write_process(pid_t pid, uint64_t address, const void* in, size_t len) {
  const iovec local = {const_cast<void*>(in), len};
  const iovec remote = {reinterpret_cast<void*>(address), len};
  return process_vm_writev(pid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(len);
}

size_t read_process_part(pid_t pid, uint64_t address, void* out, size_t len) {
  const Descriptor memory = open_memory(pid, O_RDONLY);
  const ssize_t got = pread(memory.get(), out, len, static_cast<off_t>(address));
  return got < 0 ? 0 : static_cast<size_t>(got);
}

bool read_process_code(pid_t pid, uint64_t address, void* out, size_t len) {
  return read_process_part(pid, address, out, len) == len;
}

bool write_process_code(pid_t pid, uint64_t address, const void* in, size_t len) {
  const Descriptor memory = open_memory(pid, O_WRONLY);
  return pwrite(memory.get(), in, len, static_cast<off_t>(address)) == static_cast<ssize_t>(len);
}

size_t write_process_code(pid_t pid, std::span<const uint64_t> addresses, uint8_t byte) {
  const Descriptor memory = open_memory(pid, O_WRONLY);
  size_t num_written = 0;
  while (num_written < addresses.size() &&
         pwrite(memory.get(), &byte, 1, static_cast<off_t>(addresses[num_written])) == 1)
    ++num_written;
  return num_written;
}

bool is_code(pid_t pid, uint64_t address) {
  uint8_t byte;
  for (const Mapping& m : read_mappings(pid))
    if (m.contains(address)) return m.is_executable() && read_process_code(pid, address, &byte, 1);
  return false;
}

bool is_stable_code(pid_t pid, uint64_t begin, uint64_t end) {
  for (const Mapping& m : read_mappings(pid))
    if (m.begin <= begin && end <= m.end) return m.permissions[1] != 'w' && m.is_private_file();
  return false;
}

const std::vector<uint64_t>& ProvedSites::offsets_in_file(const MappedFile& file, bool with_flags) {
  static const std::vector<uint64_t> kNone;
  if (!file.error().empty()) return kNone;
  const struct stat& info = file.info();
  const FileIdentity identity = {info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec,
                                 info.st_mtim.tv_nsec};
  const auto [entry, is_new] = known_.try_emplace({identity, with_flags});
  if (!is_new) return entry->second;
  const scan::Wanted wanted = with_flags ? scan::Wanted::crypto_and_flags : scan::Wanted::crypto;
  for (const scan::Site& site : scan::find_sites(file.data(), file.size(), wanted).sites)
    if (site.kind != scan::SiteKind::padlock && site.proof != scan::Proof::none)
      entry->second.push_back(site.file_offset);
  return entry->second;
}

std::vector<uint64_t> ProvedSites::find(pid_t pid, uint64_t begin, uint64_t end, bool with_flags) {
  std::vector<uint64_t> addresses;
  for (const Mapping& m : read_mappings(pid)) {
    if (!m.is_executable() || !m.is_private_file() || m.end <= begin || m.begin >= end) continue;
    for (const uint64_t offset : offsets_in_file(open_mapped_file(pid, m), with_flags)) {
      if (offset < m.file_offset) continue;
      const uint64_t address = m.begin + (offset - m.file_offset);
      if (address >= begin && address < end && address < m.end) addresses.push_back(address);
    }
  }
  std::sort(addresses.begin(), addresses.end());
  return addresses;
}

}  // namespace incore::run
