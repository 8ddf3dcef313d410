#include "output_file.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace incore::cli {

std::string write_output_file(const std::string& path, const std::string& content) {
  const std::string pattern = path + ".XXXXXX";
  std::vector<char> temporary(pattern.begin(), pattern.end());
  temporary.push_back(0);
  const int fd = mkstemp(temporary.data());
  const auto failure = [&path] { return "cannot write '" + path + "': " + std::strerror(errno); };
  if (fd < 0) return failure();
  const mode_t mask = umask(0);
  umask(mask);
  std::FILE* file = fdopen(fd, "w");
  const bool written = file != nullptr && fchmod(fd, 0666 & ~mask) == 0 &&
                       std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const bool closed = file != nullptr ? std::fclose(file) == 0 : close(fd) == 0;
  if (written && closed && std::rename(temporary.data(), path.c_str()) == 0) return "";
  const std::string error = failure();
  unlink(temporary.data());
  return error;
}

}  // namespace incore::cli
