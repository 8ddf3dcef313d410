// incore/scan.h: the C interface over find_sites().
#include "incore/scan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/descriptor.h"
#include "capi/hosted/guard.h"
#include "scan/site_finder.h"

struct incore_scan {
  std::vector<uint8_t> file;
  incore::scan::FoundSites found;
};

namespace {

// Reads a regular file whole: unlike a mapping, it cannot vanish below us. Returns what went wrong,
// or an empty string.
std::string read_file(const char* path, std::vector<uint8_t>& out_bytes) {
  const incore::Descriptor file(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (file.get() < 0 || fstat(file.get(), &status) != 0) return std::strerror(errno);
  if (S_ISDIR(status.st_mode)) return "is a directory";
  if (!S_ISREG(status.st_mode)) return "is not a regular file";
  out_bytes.resize(static_cast<size_t>(status.st_size));
  size_t filled = 0;
  while (filled < out_bytes.size()) {
    const ssize_t count = read(file.get(), &out_bytes[filled], out_bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::strerror(errno);
    if (count == 0) out_bytes.resize(filled);
    if (count > 0) filled += static_cast<size_t>(count);
  }
  return "";
}

incore_scan_certainty certainty_of(const incore::scan::Site& site) {
  if (site.proof != incore::scan::Proof::none) return INCORE_SCAN_PROVED;
  return site.is_likely ? INCORE_SCAN_LIKELY : INCORE_SCAN_DATA;
}

}  // namespace

incore_status incore_scan_file(const char* path, incore_scan** out_scan, char* out_reason,
                               size_t reason_len) {
  if (path == nullptr || out_scan == nullptr || (out_reason == nullptr && reason_len != 0))
    return INCORE_ERROR_NULL;
  return incore::guarded(out_reason, reason_len, [&] {
    auto scan = std::make_unique<incore_scan>();
    if (const std::string error = read_file(path, scan->file); !error.empty())
      incore::refuse(INCORE_ERROR_IO, error);
    scan->found = incore::scan::find_sites(scan->file.data(), scan->file.size());
    if (!scan->found.error.empty()) incore::refuse(INCORE_ERROR_FORMAT, scan->found.error);
    *out_scan = scan.release();
  });
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
