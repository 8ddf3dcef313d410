// A regular file in memory, as long as this lives.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/descriptor.h"

namespace incore::run {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  explicit MappedFile(int fd);  // which it closes
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept
      : file_(other.file_.release()),
        info_(other.info_),
        bytes_(std::exchange(other.bytes_, nullptr)),
        len_(std::exchange(other.len_, 0)),
        error_(std::move(other.error_)) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Why it is not there, in words; empty if it is.
  const std::string& error() const { return error_; }
  const uint8_t* data() const { return static_cast<const uint8_t*>(bytes_); }
  size_t size() const { return len_; }
  int fd() const { return file_.get(); }
  const struct stat& info() const { return info_; }

 private:
  Descriptor file_;
  struct stat info_ = {};
  void* bytes_ = nullptr;
  size_t len_ = 0;
  std::string error_;
};

}  // namespace incore::run
