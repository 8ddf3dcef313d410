// incore/scan.h: the C interface over find_sites().
#include "incore/scan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "scan/site_finder.h"

struct incore_scan {
  std::vector<uint8_t> file;
  incore::scan::FoundSites found;
};

namespace {

// Reads a regular file whole: unlike a mapping, it cannot vanish below us. Returns what went wrong,
// or an empty string.
std::string read_file(const char* path, std::vector<uint8_t>& out_bytes) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return std::strerror(errno);
  struct stat status;
  std::string error;
  if (fstat(fd, &status) != 0)
    error = std::strerror(errno);
  else if (S_ISDIR(status.st_mode))
    error = "is a directory";
  else if (!S_ISREG(status.st_mode))
    error = "is not a regular file";
  if (error.empty()) out_bytes.resize(static_cast<size_t>(status.st_size));
  size_t filled = 0;
  while (error.empty() && filled < out_bytes.size()) {
    const ssize_t count = read(fd, &out_bytes[filled], out_bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) error = std::strerror(errno);
    if (count == 0) out_bytes.resize(filled);
    if (count > 0) filled += static_cast<size_t>(count);
  }
  close(fd);
  return error;
}

incore_scan_certainty certainty_of(const incore::scan::Site& site) {
  if (site.proof != incore::scan::Proof::none) return INCORE_SCAN_PROVED;
  return site.is_likely ? INCORE_SCAN_LIKELY : INCORE_SCAN_DATA;
}

incore_status scan_file(const char* path, incore_scan** out_scan, std::string& out_reason) {
  incore_scan* scan = new incore_scan;
  incore_status status = INCORE_OK;
  out_reason = read_file(path, scan->file);
  if (!out_reason.empty()) {
    status = INCORE_ERROR_IO;
  } else {
    scan->found = incore::scan::find_sites(scan->file.data(), scan->file.size());
    out_reason = scan->found.error;
    if (!out_reason.empty()) status = INCORE_ERROR_FORMAT;
  }
  if (status == INCORE_OK)
    *out_scan = scan;
  else
    delete scan;
  return status;
}

}  // namespace

incore_status incore_scan_file(const char* path, incore_scan** out_scan, char* out_reason,
                               size_t reason_len) {
  if (path == nullptr || out_scan == nullptr || (out_reason == nullptr && reason_len != 0))
    return INCORE_ERROR_NULL;
  try {
    std::string reason;
    const incore_status status = scan_file(path, out_scan, reason);
    if (status != INCORE_OK && reason_len != 0)
      std::snprintf(out_reason, reason_len, "%s", reason.c_str());
    return status;
  } catch (const std::bad_alloc&) {
    if (reason_len != 0) std::snprintf(out_reason, reason_len, "not enough memory to read it");
    return INCORE_ERROR_IO;
  }
}

void incore_scan_free(incore_scan* scan) {
  delete scan;
}

const char* incore_scan_machine(const incore_scan* scan) {
  return incore::scan::machine_name(scan->found.machine);
}

size_t incore_scan_num_sites(const incore_scan* scan) {
  return scan->found.sites.size();
}

incore_status incore_scan_get_site(const incore_scan* scan, size_t index,
                                   incore_scan_site* out_site) {
  if (scan == nullptr || out_site == nullptr) return INCORE_ERROR_NULL;
  if (index >= scan->found.sites.size()) return INCORE_ERROR_RANGE;
  const incore::scan::Site& site = scan->found.sites[index];
  *out_site = {};
  out_site->address = site.address;
  out_site->file_offset = site.file_offset;
  out_site->symbol_offset = site.symbol_offset;
  out_site->symbol = site.symbol.c_str();
  out_site->mnemonic = site.mnemonic.c_str();
  out_site->proof = incore::scan::proof_name(site.proof);
  out_site->certainty = certainty_of(site);
  out_site->bytes_len = site.length;
  std::copy_n(&scan->file[site.file_offset], site.length, out_site->bytes);
  return INCORE_OK;
}
