#include "tools/base/input_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace incore::tools {

std::string read_input_file(const std::string& path, std::string* out_bytes) {
  out_bytes->clear();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (file == nullptr) return std::strerror(errno);
  struct stat status;
  if (fstat(fileno(file.get()), &status) != 0) return std::strerror(errno);
  if (S_ISDIR(status.st_mode)) return "is a directory";
  if (status.st_size > static_cast<off_t>(kMaxInputLen))
    return fmt::format("is larger than {} MiB", kMaxInputLen >> 20);
  char block[65536];
  while (const size_t len = std::fread(block, 1, sizeof block, file.get())) {
    out_bytes->append(block, len);
    if (out_bytes->size() > kMaxInputLen)
      return fmt::format("is larger than {} MiB", kMaxInputLen >> 20);
  }
  return std::ferror(file.get()) != 0 ? std::strerror(errno) : "";
}

}  // namespace incore::tools
