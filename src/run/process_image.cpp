#include "run/process_image.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

#include "base/descriptor.h"
#include "run/group.h"
#include "run/mappings.h"
#include "scan/code_proof.h"
#include "scan/site_finder.h"

namespace incore::run {
namespace {

FileIdentity identity_of(const struct stat& s) {
  return {.device = uint64_t{major(s.st_dev)} << 32 | minor(s.st_dev),
          .inode = s.st_ino,
          .len = static_cast<uint64_t>(s.st_size),
          .modified = s.st_mtim.tv_sec,
          .modified_nanoseconds = static_cast<uint32_t>(s.st_mtim.tv_nsec)};
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

ProcessMemory::ProcessMemory(pid_t pid)
    : file_(open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDWR | O_CLOEXEC)) {}

size_t ProcessMemory::read(uint64_t address, void* out, size_t len) const {
  const ssize_t got = pread(file_.get(), out, len, static_cast<off_t>(address));
  return got < 0 ? 0 : static_cast<size_t>(got);
}

bool ProcessMemory::write(uint64_t address, const void* in, size_t len) const {
  return pwrite(file_.get(), in, len, static_cast<off_t>(address)) == static_cast<ssize_t>(len);
}

std::vector<uint64_t> replace_cpuid(const ProcessMemory& memory,
                                    std::span<const uint64_t> addresses, const CpuidTrap& trap) {
  constexpr uint8_t kCpuid[] = {0x0F, 0xA2};
  std::vector<uint64_t> replaced;
  uint8_t code[4096];
  for (size_t i = 0, end = 0; i < addresses.size(); i = end) {  // a stretch of code at once
    const uint64_t begin = addresses[i];
    for (end = i; end < addresses.size(); ++end)
      if (addresses[end] - begin > sizeof code - sizeof kCpuid) break;
    const size_t len = addresses[end - 1] - begin + sizeof kCpuid;
    if (memory.read(begin, code, len) != len) continue;
    const size_t num_before = replaced.size();
    for (const uint64_t address : addresses.subspan(i, end - i)) {
      uint8_t* const at = code + (address - begin);
      if (memcmp(at, kCpuid, sizeof kCpuid) != 0) continue;
      at[trap.offset] = trap.byte;
      replaced.push_back(address);
    }
    if (!memory.write(begin, code, len)) replaced.resize(num_before);
  }
  return replaced;
}

bool is_stable_code(pid_t pid, uint64_t begin, uint64_t end) {
  for (const Mapping& m : read_mappings(pid))
    if (m.begin <= begin && end <= m.end) return m.permissions[1] != 'w' && m.is_private_file();
  return false;
}

// The end of known_ if the file cannot be had.
ProvedSites::Known::iterator ProvedSites::find_file(pid_t pid, const Mapping& mapping,
                                                    bool with_flags) {
  struct stat info;
  if (stat(mapping.path.c_str(), &info) == 0 && mapping.is_of(info))
    if (const auto known = known_.find({identity_of(info), with_flags}); known != known_.end())
      return known;
  const MappedFile file = open_mapped_file(pid, mapping);
  if (!file.error().empty()) return known_.end();
  const auto [entry, is_new] = known_.try_emplace({identity_of(file.info()), with_flags});
  if (!is_new) return entry;
  const scan::Wanted wanted = with_flags ? scan::Wanted::crypto_and_flags : scan::Wanted::crypto;
  for (const scan::Site& site : scan::find_sites(file.data(), file.size(), wanted).sites)
    if (site.kind != scan::SiteKind::padlock && site.proof != scan::Proof::none)
      entry->second.all.push_back(site.file_offset);
  return entry;
}

std::vector<uint64_t> ProvedSites::find(pid_t pid, std::span<const Mapping> mappings,
                                        uint64_t begin, uint64_t end, bool with_flags,
                                        GroupMemory* group, std::vector<uint64_t>* out_hot) {
  std::vector<uint64_t> addresses;
  for (const Mapping& m : mappings) {
    if (!m.is_executable() || !m.is_private_file() || m.is_of_runtime() || m.end <= begin ||
        m.begin >= end)
      continue;
    const auto file = find_file(pid, m, with_flags);
    if (file == known_.end()) continue;
    if (group != nullptr && !with_flags) group->tell(file->first.first, file->second.all);
    const auto add = [&](const std::vector<uint64_t>& offsets, std::vector<uint64_t>& out) {
      for (const uint64_t offset : offsets) {
        if (offset < m.file_offset) continue;
        const uint64_t address = m.begin + (offset - m.file_offset);
        if (address >= begin && address < end && address < m.end) out.push_back(address);
      }
    };
    add(file->second.all, addresses);
    if (out_hot != nullptr && m.permissions[1] != 'w') add(file->second.hot, *out_hot);
  }
  std::sort(addresses.begin(), addresses.end());
  return addresses;
}

void ProvedSites::note_hot(pid_t pid, uint64_t address) {
  for (const Mapping& m : read_mappings(pid)) {
    if (!m.contains(address) || !m.is_private_file()) continue;
    const auto file = find_file(pid, m, false);
    if (file == known_.end()) return;
    auto& [all, hot] = file->second;
    const uint64_t offset = m.offset_of(address);
    if (std::binary_search(all.begin(), all.end(), offset) &&
        std::find(hot.begin(), hot.end(), offset) == hot.end())
      hot.push_back(offset);
  }
}

bool ProvedSites::is_call_site(pid_t pid, uint64_t address) {
  constexpr uint8_t kLengths[] = {5, 2};  // MOV and SYSCALL
  for (const Mapping& m : read_mappings(pid)) {
    if (!m.contains(address) || !m.contains(address + 6)) continue;
    if (!m.is_executable() || m.permissions[1] == 'w' || !m.is_private_file()) return false;
    const uint64_t offset = m.offset_of(address);
    struct stat info;
    if (stat(m.path.c_str(), &info) == 0 && m.is_of(info))
      if (const auto known = call_sites_.find({identity_of(info), offset});
          known != call_sites_.end())
        return known->second;
    const MappedFile file = open_mapped_file(pid, m);
    if (!file.error().empty()) return false;
    return call_sites_[{identity_of(file.info()), offset}] =
               scan::are_instructions(file.data(), file.size(), offset, kLengths);
  }
  return false;
}

}  // namespace incore::run
