#include "hash_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <vector>

#include "incore/crc.h"
#include "progress.h"
#include "quote.h"

namespace incore::cli {
namespace {

// Large enough that system calls do not count, small enough that it stays in the second-level
// cache.
constexpr size_t kReadLen = 256 << 10;

void require_ok(incore_status status) {
  if (status != INCORE_OK) throw std::runtime_error(incore_status_message(status));
}

class Hasher {
 public:
  explicit Hasher(const HashAlgorithm& algorithm) : algorithm_(algorithm) {
    if (algorithm_.crc == nullptr) require_ok(incore_sha_init(&sha_, algorithm_.sha));
  }
  void update(const uint8_t* data, size_t len) {
    require_ok(algorithm_.crc != nullptr ? algorithm_.crc(&crc_, data, len)
                                         : incore_sha_update(&sha_, data, len));
  }
  std::string finish() {
    if (algorithm_.crc != nullptr) return fmt::format("{:08x}", crc_);
    uint8_t digest[INCORE_SHA_MAX_DIGEST_LEN];
    require_ok(incore_sha_final(&sha_, digest, algorithm_.digest_len));
    std::string hex;
    for (size_t i = 0; i < algorithm_.digest_len; ++i) hex += fmt::format("{:02x}", digest[i]);
    return hex;
  }

 private:
  const HashAlgorithm& algorithm_;
  incore_sha sha_;
  uint32_t crc_ = 0;
};

struct File {
  int fd;
  explicit File(const std::string& name)
      : fd(name == "-" ? STDIN_FILENO : open(name.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (fd > STDIN_FILENO) close(fd);
  }
  File(const File&) = delete;
};

template <class Matches>
const HashAlgorithm* find_hash(Matches matches) {
  const HashAlgorithm* end = kHashAlgorithms + kNumHashAlgorithms;
  const HashAlgorithm* found = std::find_if(kHashAlgorithms, end, matches);
  return found == end ? nullptr : found;
}

}  // namespace

const HashAlgorithm kHashAlgorithms[kNumHashAlgorithms] = {
    {"sha1", "SHA1", 20, INCORE_SHA1, nullptr},
    {"sha224", "SHA224", 28, INCORE_SHA224, nullptr},
    {"sha256", "SHA256", 32, INCORE_SHA256, nullptr},
    {"sha384", "SHA384", 48, INCORE_SHA384, nullptr},
    {"sha512", "SHA512", 64, INCORE_SHA512, nullptr},
    {"crc32", "CRC32", 4, INCORE_SHA1, incore_crc32},
    {"crc32c", "CRC32C", 4, INCORE_SHA1, incore_crc32c},
};

const HashAlgorithm* find_hash_by_name(const std::string& name) {
  return find_hash([&](const HashAlgorithm& a) { return name == a.name; });
}
const HashAlgorithm* find_hash_by_tag(const std::string& tag) {
  return find_hash([&](const HashAlgorithm& a) { return tag == a.tag; });
}
const HashAlgorithm* find_hash_by_len(size_t digest_len) {
  return find_hash([&](const HashAlgorithm& a) { return digest_len == a.digest_len; });
}

FileHash hash_file(const std::string& name, const HashAlgorithm& algorithm) {
  Hasher hasher(algorithm);
  const File file(name);
  if (file.fd < 0) return {"", errno};
  struct stat status = {};
  if (fstat(file.fd, &status) != 0) return {"", errno};
  posix_fadvise(file.fd, 0, 0, POSIX_FADV_SEQUENTIAL);

  static std::vector<uint8_t> buffer(kReadLen);
  Progress progress(quoted_if_needed(name),
                    S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0);
  for (uint64_t done = 0;;) {
    const ssize_t len = read(file.fd, buffer.data(), buffer.size());
    if (len < 0 && errno == EINTR) continue;
    if (len < 0) return {"", errno};
    if (len == 0) return {hasher.finish(), 0};
    hasher.update(buffer.data(), static_cast<size_t>(len));
    done += static_cast<uint64_t>(len);
    progress.update(done);
  }
}

}  // namespace incore::cli
