#include "tools/random/random_sink.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "tools/base/interrupt.h"

namespace incore::tools {
namespace {

constexpr size_t kHexLineBytes = 32;

}  // namespace

RandomSink::RandomSink(OutputFile& file, bool hex) : file_(file), hex_(hex) {
  struct stat status = {};
  waits_ = fstat(file.fd(), &status) != 0 || !S_ISREG(status.st_mode);
}

RandomSink::Result RandomSink::write(std::span<const uint8_t> bytes) {
  if (!hex_) return write_all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string text;
  text.reserve(2 * bytes.size() + bytes.size() / kHexLineBytes);
  for (const uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
    if (++in_line_ == kHexLineBytes) end_line(&text);
  }
  return write_all(text.data(), text.size());
}

RandomSink::Result RandomSink::finish() {
  std::string text;
  if (in_line_ != 0) end_line(&text);
  return write_all(text.data(), text.size());
}

uint64_t RandomSink::bytes() const {
  if (!hex_) return num_written_;
  constexpr uint64_t kLine = 2 * kHexLineBytes + 1;
  return num_written_ / kLine * kHexLineBytes + num_written_ % kLine / 2;
}

void RandomSink::end_line(std::string* text) {
  *text += '\n';
  in_line_ = 0;
}

RandomSink::Result RandomSink::write_all(const char* data, size_t len) {
  // A pipe that is ready takes this much without making us wait (POSIX, write).
  const size_t most = waits_ ? PIPE_BUF : len;
  while (len != 0) {
    if (waits_ && wait_until_ready(file_.fd(), POLLOUT, 0) == Ready::interrupted)
      return Result::interrupted;
    const ssize_t n = ::write(file_.fd(), data, std::min(len, most));
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) {
      error_ = std::strerror(errno);
      return errno == EPIPE ? Result::closed : Result::error;
    }
    num_written_ += static_cast<uint64_t>(n);
    data += n;
    len -= static_cast<size_t>(n);
  }
  return Result::done;
}

}  // namespace incore::tools
