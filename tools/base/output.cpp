#include "tools/base/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "tools/base/exit.h"

namespace incore::tools {
namespace {

// stdio says only that there was an error; this is the first one.
int output_error = 0;

}  // namespace

void prepare_output() {
  // A handler, since a signal that is ignored stays so in programs that are executed.
  struct sigaction action = {}, before;
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  if (sigaction(SIGXFSZ, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
    sigaction(SIGXFSZ, &action, nullptr);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // open() takes the lowest number that is free; the wrong way round it is of no use.
    if (open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) < 0) return;
  }
}

bool flush_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno;
  return std::ferror(stdout) == 0 && output_error == 0;
}

bool is_of_output(const std::system_error& error) {
  if (std::ferror(stdout) == 0) return false;
  if (output_error == 0) output_error = error.code().value();
  return true;
}

int finish_output(int code) {
  if (flush_output()) return code;
  if (output_error == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
    return 128 + SIGPIPE;  // it is blocked
  }
  const std::string why = output_error != 0 ? std::string(": ") + std::strerror(output_error) : "";
  return fail(kBadInput, "cannot write standard output" + why);
}

}  // namespace incore::tools
