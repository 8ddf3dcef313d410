// Paths below are relative to the folder, without a slash in front; "" is the folder itself.
#include "run/qemu/sysroot.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/descriptor.h"

namespace incore::run::qemu {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

std::string canonical(const std::string& path) {
  std::error_code error;
  return fs::canonical(path, error).string();
}

bool is_below(const std::string& path, const std::string& folder) {
  return path.rfind(folder + "/", 0) == 0;
}

// By the C library: a directory_iterator of GCC 12 ends the process where there is no memory.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
  if (entries == nullptr) return names;
  while (const dirent* const entry = readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

}  // namespace

std::string Sysroot::folder_with(const std::string& loader) {
  if (folder_ == "/") return access(loader.c_str(), F_OK) == 0 ? folder_ : "";
  root_ = canonical(folder_);
  if (is_below(canonical(folder_ + loader), root_) && is_straight("")) return folder_;
  const bool has_view = (!view_.empty() && access(view_.c_str(), F_OK) == 0) || make_view();
  if (has_view && access((view_ + loader).c_str(), F_OK) == 0) return view_;
  return access((folder_ + loader).c_str(), F_OK) == 0 ? folder_ : "";
}

// Needs no memory of C++, since it is called when there is none.
void Sysroot::remove_view() noexcept {
  constexpr int kMostOpen = 16;
  if (!view_.empty())
    nftw(
        view_.c_str(), [](const char* path, const struct stat*, int, FTW*) { return remove(path); },
        kMostOpen, FTW_DEPTH | FTW_PHYS);
  view_.clear();
}

bool Sysroot::make_view() {
  std::error_code error;
  if (root_.empty() || root_ == "/" || !fs::is_directory(root_, error)) return false;
  fs::path temporary = fs::temp_directory_path(error);
  if (!error) temporary = fs::absolute(temporary, error);
  view_ = (temporary / "incore-sysroot-XXXXXX").string();
  if (error || mkdtemp(view_.data()) == nullptr) {
    view_.clear();
    return false;
  }
  mirror("");
  // Where /usr holds them, these are links to there, which a package of its own brings.
  for (const std::string name : {"bin", "sbin", "lib", "lib64"})
    if (fs::is_directory(view_ + "/usr/" + name, error) &&
        access((view_ + "/" + name).c_str(), F_OK) != 0)
      link(view_ + "/usr/" + name, name);
  return true;
}

void Sysroot::link(const std::string& target, const std::string& path) const {
  std::error_code ignored;
  fs::create_symlink(target, view_ + "/" + path, ignored);
}

// Fills the view's |folder|, which exists.
void Sysroot::mirror(const std::string& folder) {
  std::error_code error;
  for (const std::string& name : names_in(root_ + "/" + folder)) {
    const std::string path = joined(folder, name);
    const std::string target = inside(path);
    if (target.empty()) {
      link(root_ + "/" + path, path);  // to nothing, or to this machine's file
    } else if (is_straight(target)) {
      link(root_ + "/" + target, path);
    } else if (target != path) {
      link(view_ + "/" + target, path);
    } else if (fs::create_directory(view_ + "/" + path, error)) {
      mirror(path);
    }
  }
}

// False if something at or below |path| is a link that leads elsewhere than it would below `/`.
bool Sysroot::is_straight(const std::string& path) {
  struct stat top, status;
  const std::string outer = root_ + "/" + path;
  if (lstat(root_.c_str(), &top) != 0 || lstat(outer.c_str(), &status) != 0 ||
      !S_ISDIR(status.st_mode) || status.st_dev != top.st_dev)
    return true;
  const auto [known, is_new] = straight_.emplace(path, true);  // true also ends circles of links
  if (!is_new) return known->second;
  for (const std::string& name : names_in(outer)) {
    const std::string entry = joined(path, name), target = inside(entry);
    const bool leads_inside =
        target.empty() || target == entry || canonical(outer + "/" + name) == root_ + "/" + target;
    if (leads_inside && (target.empty() || is_straight(target))) continue;
    return straight_[path] = false;
  }
  return true;
}

// Where |path| leads if links in it cannot lead out of the folder; "" if nowhere.
std::string Sysroot::inside(const std::string& path) const {
  struct stat status;
  if (lstat((root_ + "/" + path).c_str(), &status) == 0 && !S_ISLNK(status.st_mode)) return path;
  const Descriptor root(open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (root.get() < 0) return "";
  open_how how = {};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT;
  const Descriptor file(
      static_cast<int>(syscall(SYS_openat2, root.get(), path.c_str(), &how, sizeof how)));
  if (file.get() < 0) return "";
  const std::string target = canonical("/proc/self/fd/" + std::to_string(file.get()));
  return is_below(target, root_) ? target.substr(root_.size() + 1) : "";
}

}  // namespace incore::run::qemu
