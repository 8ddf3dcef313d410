#include "tools/boot/gdb_remote.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/base/gdb_packet.h"
#include "tools/base/hex.h"

namespace incore::tools {
namespace {

constexpr int kPatienceMs = 10000;

bool is_stop(const std::string& packet) {
  return !packet.empty() && (packet[0] == 'T' || packet[0] == 'S');
}

}  // namespace

GdbRemote::~GdbRemote() {
  close(fd_);
}

void GdbRemote::flush() {
  for (size_t sent = 0; sent < out_.size();) {
    const ssize_t n = send(fd_, out_.data() + sent, out_.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw ConnectionLost("QEMU takes no more commands");
    sent += static_cast<size_t>(n);
  }
  out_.clear();
}

// False: nothing came.
bool GdbRemote::read_some(int timeout_ms) {
  pollfd ready = {fd_, POLLIN, 0};
  const int n = poll(&ready, 1, timeout_ms);
  if (n < 0 && errno == EINTR) return false;
  if (n == 0) return false;
  char buffer[8192];
  const ssize_t len = recv(fd_, buffer, sizeof buffer, 0);
  if (len <= 0) throw ConnectionLost("QEMU has ended");
  in_.append(buffer, static_cast<size_t>(len));
  return true;
}

// Of what has been read. Packets are never acknowledged: QEMU takes the next command for that, and
// what it reads while the guest runs for a wish to stop it.
bool GdbRemote::next_packet(std::string* out) {
  const size_t begin = in_.find('$');
  if (begin == std::string::npos) {
    in_.clear();  // acknowledgements
    return false;
  }
  const size_t end = in_.find('#', begin);
  if (end == std::string::npos || in_.size() < end + 3) return false;
  *out = in_.substr(begin + 1, end - begin - 1);
  in_.erase(0, end + 3);
  if (!out->empty() && ((*out)[0] == 'W' || (*out)[0] == 'X'))
    throw ConnectionLost("the guest has ended");
  return true;
}

std::string GdbRemote::receive() {
  std::string packet;
  while (!next_packet(&packet))
    if (!read_some(kPatienceMs)) throw ConnectionLost("QEMU does not answer");
  return packet;
}

void GdbRemote::drop_answers() {
  for (; num_unanswered_ != 0; --num_unanswered_)
    if (const std::string answer = receive(); answer != "OK")
      throw ConnectionLost("QEMU refuses a command: '" + answer + "'");
}

std::string GdbRemote::ask(std::string_view packet) {
  out_ += gdb_packet(packet);
  flush();
  drop_answers();
  return receive();
}

void GdbRemote::queue(std::string_view packet) {
  out_ += gdb_packet(packet);
  ++num_unanswered_;
}

void GdbRemote::resume(std::string_view packet) {
  out_ += gdb_packet(packet);
  flush();
  drop_answers();
}

void GdbRemote::interrupt() {
  out_ += '\003';
  flush();
}

bool GdbRemote::take_stop(std::string* out_packet) {
  do
    if (next_packet(out_packet) && is_stop(*out_packet)) return true;
  while (read_some(0));
  return false;
}

std::string GdbRemote::monitor(std::string_view command) {
  std::string text;
  std::string answer = ask("qRcmd," + to_hex(command.data(), command.size()));
  while (!answer.empty() && answer[0] == 'O' && answer != "OK") {
    const std::vector<uint8_t> bytes = from_leading_hex(std::string_view(answer).substr(1));
    text.append(bytes.begin(), bytes.end());
    answer = receive();
  }
  return text;
}

}  // namespace incore::tools
