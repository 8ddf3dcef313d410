#include "tools/aes/aes_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "tools/base/quote.h"

namespace incore::tools {

volatile std::sig_atomic_t stop_signal = 0;

StopSignals::StopSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { stop_signal = signal; };  // no SA_RESTART: read() ends
  for (size_t i = 0; i < kNumSignals; ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (size_t i = 0; i < kNumSignals; ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

void require_written(const std::string& error) {
  if (stop_signal != 0) throw Interrupted();
  if (!error.empty()) throw std::runtime_error(error);
}

void wipe(std::vector<uint8_t>& bytes) {
  if (!bytes.empty()) explicit_bzero(bytes.data(), bytes.size());  // no bytes may be at no address
}

Secret::~Secret() {
  wipe(bytes);
}

void Secret::grow(size_t len) {
  Secret larger(len);
  std::copy(bytes.begin(), bytes.end(), larger.bytes.begin());
  bytes.swap(larger.bytes);
}

InputFile::InputFile(const std::string& path, bool dash_is_stdin)
    : name_(dash_is_stdin && path == "-" ? "standard input" : in_quotes(path)),
      fd_(dash_is_stdin && path == "-" ? STDIN_FILENO
                                       : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat status = {};
  if (fd_ < 0 || fstat(fd_, &status) != 0) fail_to_read();
  if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    fail_to_read();
  }
  if (S_ISREG(status.st_mode)) size_ = static_cast<uint64_t>(status.st_size);
}

InputFile::~InputFile() {
  if (fd_ > STDIN_FILENO) close(fd_);
}

size_t InputFile::read(uint8_t* out, size_t out_len) const {
  for (;;) {
    if (stop_signal != 0) throw Interrupted();
    const ssize_t len = ::read(fd_, out, out_len);
    if (len >= 0) return static_cast<size_t>(len);
    if (errno != EINTR) fail_to_read();
  }
}

size_t InputFile::read_full(uint8_t* out, size_t out_len) const {
  size_t len = 0;
  while (len < out_len) {
    const size_t got = read(out + len, out_len - len);
    if (got == 0) break;
    len += got;
  }
  return len;
}

void InputFile::fail_to_read() const {
  throw std::runtime_error("cannot read " + name_ + ": " + strerror(errno));
}

}  // namespace incore::tools
