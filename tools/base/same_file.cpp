#include "tools/base/same_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <tuple>

#include "tools/base/quote.h"

namespace incore::tools {
namespace {

// A regular file is its device and inode, and one that is not there the folder's and its name.
using Identity = std::tuple<dev_t, ino_t, std::string>;

std::optional<Identity> identity_of(const std::string& path, int standard_stream) {
  struct stat status = {};
  const int found = path == "-" ? fstat(standard_stream, &status) : stat(path.c_str(), &status);
  if (found == 0)
    return S_ISREG(status.st_mode) ? std::optional<Identity>({status.st_dev, status.st_ino, ""})
                                   : std::nullopt;
  const std::filesystem::path target = link_target(path);
  const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
  if (stat(folder.c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino, target.filename().string()};
}

std::string name_of(const NamedFile& file) {
  return file.path == "-" ? file.option : file.option + " " + quoted_if_needed(file.path);
}

}  // namespace

std::string link_target(const std::string& path) {
  constexpr int kMostLinks = 40;  // as the kernel has it
  std::filesystem::path target = path;
  std::error_code error;
  for (int i = 0; i < kMostLinks; ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) break;  // no link
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target.string();
}

std::string shared_file(const std::vector<NamedFile>& inputs,
                        const std::vector<NamedFile>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::optional<Identity> output = identity_of(outputs[i].path, STDOUT_FILENO);
    if (!output) continue;
    for (const NamedFile& input : inputs)
      if (identity_of(input.path, STDIN_FILENO) == output)
        return fmt::format("{} is the input: it would be lost; name another file",
                           name_of(outputs[i]));
    for (size_t j = 0; j < i; ++j)
      if (identity_of(outputs[j].path, STDOUT_FILENO) == output)
        return fmt::format("{} and {} are one file: name two", name_of(outputs[j]),
                           name_of(outputs[i]));
  }
  return "";
}

}  // namespace incore::tools
