#include "run/text.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/descriptor.h"

namespace incore::run {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string read_text(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char block[4096];
  for (;;) {
    const ssize_t len = read(file.get(), block, sizeof block);
    if (len < 0 && errno == EINTR) continue;
    if (len <= 0) return text;
    text.append(block, static_cast<size_t>(len));
  }
}

std::vector<std::string> along_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::vector<std::string> files;
  for (const std::string_view folder :
       split(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin", ':'))
    files.push_back((folder.empty() ? "." : std::string(folder)) + "/" + name);
  return files;
}

}  // namespace incore::run
