#include "output_file.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace incore::cli {

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

std::string OutputFile::failure() const {
  return "cannot write '" + path_ + "': " + std::strerror(errno);
}

std::string OutputFile::open(const std::string& path) {
  path_ = path;
  std::string name = path + ".XXXXXX";
  const int fd = mkstemp(name.data());
  if (fd < 0) return failure();
  temporary_ = name;
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(fd, 0666 & ~mask);  // mkstemp gives access to the owner only
  file_ = fdopen(fd, "w");
  return file_ != nullptr ? "" : failure();
}

std::string OutputFile::commit(const std::string& content) {
  const bool written = std::fwrite(content.data(), 1, content.size(), file_) == content.size();
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!written || !closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) return failure();
  temporary_.clear();
  return "";
}

}  // namespace incore::cli
