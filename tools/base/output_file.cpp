#include "tools/base/output_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tools/base/quote.h"
#include "tools/base/same_file.h"

namespace incore::tools {
namespace {

// The new name gets to the disk, where the file system can do that.
void sync_folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

}  // namespace

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

std::string OutputFile::failure() const {
  return "cannot write " + name_ + ": " + std::strerror(errno);
}

std::string OutputFile::open_stream(int fd) {
  if (fd < 0) return failure();
  file_ = fdopen(fd, "w");
  if (file_ == nullptr) return failure();
  std::setvbuf(file_, nullptr, _IONBF, 0);  // errors show at the write that meets them
  return "";
}

std::string OutputFile::open(const std::string& path, Kind kind) {
  name_ = in_quotes(path);
  path_ = path;
  struct stat status = {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode))  // a directory is refused here
    return open_stream(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (exists) {
    if (access(path.c_str(), W_OK) != 0) return failure();
    char* resolved = realpath(path.c_str(), nullptr);
    if (resolved == nullptr) return failure();
    path_ = resolved;
    std::free(resolved);
  } else {
    path_ = link_target(path);
  }
  std::string name = path_ + ".XXXXXX";
  const int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return failure();
  temporary_ = name;
  // mkostemp gives access to the owner only; a file that is replaced keeps its own mode.
  const mode_t mask = umask(0);
  umask(mask);
  const mode_t usual = kind == Kind::secret ? 0600 : 0666;
  mode_t mode = exists ? status.st_mode & 0777 : usual & ~mask;
  if (kind == Kind::program) mode |= 0111 & ~mask;
  fchmod(fd, mode);
  return open_stream(fd);
}

std::string OutputFile::open_stdout() {
  name_ = "standard output";
  const int flags = fcntl(STDOUT_FILENO, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {  // fdopen() would say "Invalid argument"
    errno = EBADF;
    return failure();
  }
  return open_stream(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
}

std::string OutputFile::write(const void* data, size_t len) {
  return std::fwrite(data, 1, len, file_) == len ? "" : failure();
}

std::string OutputFile::commit() {
  // What is renamed is on the disk, so that after a power cut the path has the old content or this.
  const bool safe = temporary_.empty() || fsync(fd()) == 0;
  const int sync_error = errno;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!safe) errno = sync_error;
  if (!safe || !closed) return failure();
  if (temporary_.empty()) return "";
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return failure();
  temporary_.clear();
  sync_folder_of(path_);
  return "";
}

std::string OutputFile::keep_partial(std::string* out_path) {
  out_path->clear();
  if (temporary_.empty()) return "";
  path_ += ".partial";
  const std::string error = commit();
  if (error.empty()) *out_path = path_;
  return error;
}

int OutputFile::fd() const {
  return file_ != nullptr ? fileno(file_) : -1;
}

std::string OutputFile::commit(const std::string& content) {
  const std::string error = write(content.data(), content.size());
  return error.empty() ? commit() : error;
}

std::string write_file(const std::string& path, const std::string& content) {
  OutputFile file;
  const std::string error = file.open(path);
  return error.empty() ? file.commit(content) : error;
}

}  // namespace incore::tools
