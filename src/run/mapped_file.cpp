#include "run/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

namespace incore::run {

MappedFile::MappedFile(const std::string& path)
    : MappedFile(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}  // a FIFO must not block

MappedFile::MappedFile(int fd) : file_(fd) {
  if (file_.get() < 0 || fstat(file_.get(), &info_) != 0) {
    error_ = strerror(errno);
  } else if (!S_ISREG(info_.st_mode) || info_.st_size == 0) {
    error_ = "is empty or no regular file";
  } else {
    len_ = static_cast<size_t>(info_.st_size);
    bytes_ = mmap(nullptr, len_, PROT_READ, MAP_PRIVATE, file_.get(), 0);
    if (bytes_ == MAP_FAILED) {
      bytes_ = nullptr;
      error_ = strerror(errno);
    }
  }
}

MappedFile::~MappedFile() {
  if (bytes_ != nullptr) munmap(bytes_, len_);
}

}  // namespace incore::run
