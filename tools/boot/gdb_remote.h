// The machine in QEMU, through its stub for gdb (GDB manual, appendix E, Remote Serial Protocol).
#pragma once

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace incore::tools {

// The other side has gone, as at the end of the guest.
struct ConnectionLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class GdbRemote {
 public:
  // |fd| is a connected socket, which it closes in the end.
  explicit GdbRemote(int fd) : fd_(fd) {}
  ~GdbRemote();
  GdbRemote(const GdbRemote&) = delete;

  int fd() const { return fd_; }

  // Sends |packet| and returns the answer. Without an answer for ten seconds the other side counts
  // as gone.
  std::string ask(std::string_view packet);
  // Goes out with what comes next, and is answered by "OK".
  void queue(std::string_view packet);
  // Starts the guest again; it will say by itself that it has stopped. |packet|: how, "c" for all.
  void resume(std::string_view packet = "c");
  // Asks for a stop of the running guest.
  void interrupt();

  // A stop has been told of, as "T05thread:01;"; reads what has come, without waiting.
  bool take_stop(std::string* out_packet);

  // What the monitor prints for |command|.
  std::string monitor(std::string_view command);

 private:
  void flush();
  bool read_some(int timeout_ms);
  bool next_packet(std::string* out);
  std::string receive();
  void drop_answers();

  int fd_;
  std::string in_, out_;
  unsigned num_unanswered_ = 0;  // queued packets whose "OK" has not come yet
};

}  // namespace incore::tools
