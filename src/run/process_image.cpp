#include "run/process_image.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "run/mapped_file.h"
#include "run/text.h"
#include "scan/site_finder.h"

namespace incore::run {
namespace {

// One line of /proc/PID/maps.
struct Mapping {
  uint64_t begin, end, file_offset;
  char permissions[5];
  std::string path;

  bool is_private_file() const { return permissions[3] == 'p' && !path.empty() && path[0] == '/'; }
};

std::vector<Mapping> read_mappings(pid_t pid) {
  std::vector<Mapping> mappings;
  const std::string maps = read_text("/proc/" + std::to_string(pid) + "/maps");
  for (const std::string_view each : split(maps, '\n')) {
    const std::string line(each);
    Mapping m = {};
    int path_at = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &m.begin,
                    &m.end, m.permissions, &m.file_offset, &path_at) < 4)
      continue;
    if (path_at > 0) m.path = line.substr(static_cast<size_t>(path_at));
    mappings.push_back(m);
  }
  return mappings;
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

bool read_process_code(pid_t pid, uint64_t address, void* out, size_t len) {
  const int fd = open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t got = pread(fd, out, len, static_cast<off_t>(address));
  close(fd);
  return got == static_cast<ssize_t>(len);
}

bool write_process_code(pid_t pid, uint64_t address, const void* in, size_t len) {
  const int fd = open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t written = pwrite(fd, in, len, static_cast<off_t>(address));
  close(fd);
  return written == static_cast<ssize_t>(len);
}

bool is_code(pid_t pid, uint64_t address) {
  uint8_t byte;
  for (const Mapping& m : read_mappings(pid))
    if (m.begin <= address && address < m.end)
      return m.permissions[2] == 'x' && read_process_code(pid, address, &byte, 1);
  return false;
}

bool is_stable_code(pid_t pid, uint64_t begin, uint64_t end) {
  for (const Mapping& m : read_mappings(pid))
    if (m.begin <= begin && end <= m.end) return m.permissions[1] != 'w' && m.is_private_file();
  return false;
}

FilePlace find_file_place(pid_t pid, uint64_t address) {
  for (const Mapping& m : read_mappings(pid))
    if (m.begin <= address && address < m.end && !m.path.empty() && m.path[0] == '/')
      return {m.path, m.file_offset + (address - m.begin)};
  return {};
}

const std::vector<uint64_t>& CpuidFinder::offsets_in_file(const std::string& path) {
  static const std::vector<uint64_t> kNone;
  const MappedFile file(path);
  if (!file.error().empty()) return kNone;
  const struct stat& info = file.info();
  const auto [entry, is_new] = known_.try_emplace(FileIdentity{
      info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec});
  if (is_new)
    for (const scan::Site& site : scan::find_sites(file.data(), file.size()).sites)
      if (site.kind == scan::SiteKind::cpuid && site.proof != scan::Proof::none)
        entry->second.push_back(site.file_offset);
  return entry->second;
}

std::vector<uint64_t> CpuidFinder::find(pid_t pid, uint64_t begin, uint64_t end) {
  std::vector<uint64_t> addresses;
  for (const Mapping& m : read_mappings(pid)) {
    if (m.permissions[2] != 'x' || !m.is_private_file() || m.end <= begin || m.begin >= end)
      continue;
    for (const uint64_t offset :
         offsets_in_file("/proc/" + std::to_string(pid) + "/root" + m.path)) {
      if (offset < m.file_offset) continue;
      const uint64_t address = m.begin + (offset - m.file_offset);
      if (address >= begin && address < end && address < m.end) addresses.push_back(address);
    }
  }
  std::sort(addresses.begin(), addresses.end());
  return addresses;
}

}  // namespace incore::run
