#include "tools/hash/hash_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <memory>
#include <stdexcept>

#include "incore/crc.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/base/require_ok.h"

namespace incore::tools {
namespace {

// Large enough that system calls do not count, small enough that it stays in the second-level
// cache.
constexpr size_t kReadLen = 256 << 10;
// What is mapped at a time: reading would copy it. A multiple of every page size.
constexpr size_t kMapLen = 8 << 20;

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

// A part of a file in memory. If the file becomes shorter meanwhile, or cannot be read, an access
// raises SIGBUS.
class Mapping {
 public:
  Mapping(int fd, uint64_t offset)
      : data_(mmap(nullptr, kMapLen, PROT_READ, MAP_SHARED | MAP_POPULATE, fd,
                   static_cast<off_t>(offset))) {}
  ~Mapping() {
    if (ok()) munmap(data_, kMapLen);
  }
  Mapping(const Mapping&) = delete;
  bool ok() const { return data_ != MAP_FAILED; }

  // False if a SIGBUS came; |hasher| is of no use then.
  bool hash(Hasher* hasher) const {
    current_ = static_cast<const uint8_t*>(data_);
    struct sigaction action = {}, before;
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, &before);
    if (sigsetjmp(bus_error_, 1) != 0) {
      sigaction(SIGBUS, &before, nullptr);
      return false;
    }
    hasher->update(current_, kMapLen);
    sigaction(SIGBUS, &before, nullptr);
    return true;
  }

 private:
  static void on_bus_error(int signal, siginfo_t* info, void*) {
    const auto* const address = static_cast<const uint8_t*>(info->si_addr);
    if (address >= current_ && address < current_ + kMapLen) siglongjmp(bus_error_, 1);
    std::signal(signal, SIG_DFL);  // not ours: it comes again
  }

  static inline const uint8_t* current_;
  static inline sigjmp_buf bus_error_;
  void* const data_;
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

std::vector<std::string> hash_names() {
  std::vector<std::string> names;
  for (const HashAlgorithm& each : kHashAlgorithms) names.emplace_back(each.name);
  return names;
}

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

  const uint64_t size = S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0;
  Progress progress(quoted_if_needed(name), size);
  uint64_t done = 0;
  // Standard input may begin within the file.
  if (size >= kMapLen && lseek(file.fd, 0, SEEK_CUR) == 0) {
    for (; size - done >= kMapLen; done += kMapLen) {
      const Mapping mapping(file.fd, done);
      if (!mapping.ok()) break;
      posix_fadvise(file.fd, static_cast<off_t>(done + kMapLen), kMapLen, POSIX_FADV_WILLNEED);
      if (!mapping.hash(&hasher)) return {"", EIO};
      progress.update(done + kMapLen);
    }
    if (lseek(file.fd, static_cast<off_t>(done), SEEK_SET) < 0) return {"", errno};
  }

  // The rest, also what was appended meanwhile.
  static const std::unique_ptr<uint8_t[]> buffer(new uint8_t[kReadLen]);  // no page touched yet
  for (;;) {
    const ssize_t len = read(file.fd, buffer.get(), kReadLen);
    if (len < 0 && errno == EINTR) continue;
    if (len < 0) return {"", errno};
    if (len == 0) return {hasher.finish(), 0};
    hasher.update(buffer.get(), static_cast<size_t>(len));
    done += static_cast<uint64_t>(len);
    progress.update(done);
  }
}

}  // namespace incore::tools
