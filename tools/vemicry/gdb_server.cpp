#include "tools/vemicry/gdb_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace incore::tools {
namespace {

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  ~Socket() {
    if (fd_ >= 0) close(fd_);
  }
  Socket(const Socket&) = delete;
  int fd() const { return fd_; }

  // False: the other side is gone.
  bool send_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }
  // What has come within |timeout_ms|, -1 for ever; false: the other side is gone.
  bool receive(int timeout_ms, std::string* out_bytes) const {
    out_bytes->clear();
    pollfd ready = {fd_, POLLIN, 0};
    const int num = poll(&ready, 1, timeout_ms);
    if (num == 0 || (num < 0 && errno == EINTR)) return true;
    char buffer[16384];
    const ssize_t len = num < 0 ? -1 : recv(fd_, buffer, sizeof buffer, 0);
    if (len <= 0) return false;
    out_bytes->assign(buffer, static_cast<size_t>(len));
    return true;
  }

 private:
  const int fd_;
};

std::string failure(const char* what) {
  return fmt::format("--gdb: {}: {}", what, std::strerror(errno));
}

// A debugger's connection; negative: there is none, and |*out_error| says why.
int wait_for_debugger(uint16_t port, std::string* out_error) {
  const Socket listening(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t len = sizeof address;
  const int yes = 1;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (listening.fd() < 0 ||
      setsockopt(listening.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      bind(listening.fd(), generic, len) != 0 || listen(listening.fd(), 1) != 0 ||
      getsockname(listening.fd(), generic, &len) != 0) {
    *out_error = failure("cannot listen on 127.0.0.1");
    return -1;
  }
  fmt::print(stderr, "incore vemicry: waiting for GDB at 127.0.0.1:{}\n", ntohs(address.sin_port));
  std::fflush(stderr);
  int fd;
  do fd = accept4(listening.fd(), nullptr, nullptr, SOCK_CLOEXEC);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) *out_error = failure("no debugger came");
  if (fd >= 0) (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return fd;
}

}  // namespace

GdbServed serve_gdb(uint16_t port, GdbMachine* target) {
  GdbServed served;
  const Socket debugger(wait_for_debugger(port, &served.error));
  if (debugger.fd() < 0) return served;
  GdbSession session(target);
  std::string bytes;
  bool is_there = true;
  while (is_there && session.end() == GdbSession::End::none) {
    is_there = debugger.receive(session.is_running() ? 0 : -1, &bytes);
    session.receive(bytes);
    if (is_there && session.is_running()) session.run_some();
    is_there = is_there && debugger.send_all(session.take_output());
  }
  if (is_there) {  // what was sent must arrive: the other side closes first, or says no more
    (void)shutdown(debugger.fd(), SHUT_WR);
    for (int i = 0; i < 10 && debugger.receive(100, &bytes); ++i) {
    }
  }
  served.ended = session.end() == GdbSession::End::none || session.end() == GdbSession::End::killed;
  if (session.end() == GdbSession::End::detached) target->run_alone();
  return served;
}

}  // namespace incore::tools
