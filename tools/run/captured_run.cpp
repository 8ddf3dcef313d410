#include "tools/run/captured_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <thread>
#include <vector>

namespace incore::tools {
namespace {

constexpr size_t kPart = 1 << 16;

// False: not all could be written.
bool write_all(int fd, const char* bytes, size_t len) {
  while (len != 0) {
    const ssize_t n = write(fd, bytes, len);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    len -= static_cast<size_t>(n);
  }
  return true;
}

// What incore_run() changes; only the calling thread's mask.
class SignalState {
 public:
  SignalState() {
    pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
    sigaction(SIGINT, nullptr, &interrupt_);
    sigaction(SIGQUIT, nullptr, &quit_);
  }
  ~SignalState() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGQUIT, &quit_, nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  SignalState(const SignalState&) = delete;
  SignalState& operator=(const SignalState&) = delete;

 private:
  sigset_t mask_;
  struct sigaction interrupt_, quit_;
};

// Puts |fd|, which it closes, in the place of descriptor |number| for its own time.
class Replaced {
 public:
  Replaced(int number, int fd) : number_(number), original_(fcntl(number, F_DUPFD_CLOEXEC, 3)) {
    dup2(fd, number);
    close(fd);
  }
  ~Replaced() {
    if (original_ < 0) {
      close(number_);
    } else {
      dup2(original_, number_);
      close(original_);
    }
  }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;
  int original() const { return original_; }

 private:
  const int number_, original_;
};

// Reads a pipe to its end, or to what is in it when the run has ended: a daemon may keep it open.
class Reader {
 public:
  Reader(int pipe, int original, bool shows) : pipe_(pipe), original_(original), shows_(shows) {
    [[maybe_unused]] const int made = pipe2(stop_, O_CLOEXEC);
    fcntl(pipe_, F_SETFL, O_NONBLOCK);
    sigset_t all, before;  // signals are the supervisor's
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { read_all(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~Reader() { close(pipe_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  std::string end() {
    close(stop_[1]);
    thread_.join();
    close(stop_[0]);
    return std::move(bytes_);
  }
  int error() const { return error_; }  // an errno, of what is shown

 private:
  void read_all() {
    pollfd fds[] = {{pipe_, POLLIN, 0}, {stop_[0], POLLIN, 0}};
    std::vector<char> part(kPart);
    for (;;) {
      poll(fds, 2, -1);
      ssize_t n;
      while ((n = read(pipe_, part.data(), part.size())) > 0) take(part.data(), n);
      if (n == 0 || fds[1].revents != 0) return;
    }
  }
  void take(const char* bytes, ssize_t len) {
    bytes_.append(bytes, static_cast<size_t>(len));
    if (shows_ && error_ == 0 && !write_all(original_, bytes, static_cast<size_t>(len)))
      error_ = errno;
  }

  const int pipe_, original_;
  const bool shows_;
  int stop_[2] = {-1, -1};
  std::string bytes_;
  int error_ = 0;
  std::thread thread_;
};

}  // namespace

RepeatedInput::~RepeatedInput() {
  if (memory_ >= 0) close(memory_);
}

std::string RepeatedInput::read() {
  constexpr size_t kMost = size_t{1} << 30;
  struct stat info;
  if (fstat(STDIN_FILENO, &info) != 0 || S_ISCHR(info.st_mode)) return "";
  memory_ = memfd_create("stdin", MFD_CLOEXEC);
  std::vector<char> part(kPart);
  size_t len = 0;
  for (ssize_t n; (n = ::read(STDIN_FILENO, part.data(), part.size())) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::string("standard input: ") + strerror(errno);
    if ((len += static_cast<size_t>(n)) > kMost)
      return "standard input has more than 1 GiB, the most that is repeated";
    if (!write_all(memory_, part.data(), static_cast<size_t>(n)))
      return std::string("cannot keep standard input: ") + strerror(errno);
  }
  return "";
}

int RepeatedInput::open() const {
  if (memory_ < 0) return -1;
  return ::open(("/proc/self/fd/" + std::to_string(memory_)).c_str(), O_RDONLY | O_CLOEXEC);
}

CapturedRun run_captured(const incore_run_options& options, const char* const* argv,
                         const RepeatedInput& input, bool shows, std::string* out_error) {
  CapturedRun run;
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) {
    *out_error = std::string("cannot make a pipe: ") + strerror(errno);
    return run;
  }
  std::fflush(nullptr);
  const SignalState signals;
  const int given = input.open();
  const Replaced in(STDIN_FILENO, given < 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : given);
  const Replaced out_here(STDOUT_FILENO, out[1]), err_here(STDERR_FILENO, err[1]);
  Reader out_reader(out[0], out_here.original(), shows);
  Reader err_reader(err[0], err_here.original(), shows);
  run.status = incore_run(&options, argv, &run.report);
  std::fflush(nullptr);
  run.out = out_reader.end();
  run.err = err_reader.end();
  for (const Reader* reader : {&out_reader, &err_reader})
    if (reader->error() != 0)
      *out_error = std::string("an output of the program: ") + strerror(reader->error());
  return run;
}

}  // namespace incore::tools
