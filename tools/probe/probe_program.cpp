#include "tools/probe/probe_program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "incore/run.h"
#include "tools/run/captured_run.h"

extern "C" const char incore_probe_image[], incore_probe_image_end[];

namespace incore::tools {
namespace {

// The program as a file without a name, for as long as it lives. Programs that it starts can open
// it by its path.
class ProgramFile {
 public:
  ProgramFile() : fd_(memfd_create("incore-probe", 0)) {
    const std::span<const char> image = probe_image();
    for (size_t at = 0; fd_ >= 0 && at < image.size();) {
      const ssize_t n = write(fd_, image.data() + at, image.size() - at);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return;
      at += static_cast<size_t>(n);
    }
    is_complete_ = fd_ >= 0;
  }
  ~ProgramFile() {
    if (fd_ >= 0) close(fd_);
  }
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;

  bool is_complete() const { return is_complete_; }
  std::string path() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd_);
  }

 private:
  const int fd_;
  bool is_complete_ = false;
};

// How the program ended. With 2 it has said why.
bool ended_well(int code, std::string* out_error) {
  constexpr int kBadInput = 2;
  if (code != 0 && code != kBadInput)
    *out_error = "incore-probe ended with exit code " + std::to_string(code);
  return code == 0;
}

bool failed(const std::string& error, std::string* out_error) {
  *out_error = error;
  return false;
}

std::string read_to_end(int fd) {
  std::string text;
  char part[1 << 16];
  for (ssize_t n; (n = read(fd, part, sizeof part)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    text.append(part, static_cast<size_t>(n));
  }
  return text;
}

bool run_here(const std::vector<const char*>& argv, std::string* out_document,
              std::string* out_error) {
  int out[2];
  if (pipe2(out, O_CLOEXEC) != 0)
    return failed(std::string("cannot make a pipe: ") + strerror(errno), out_error);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, argv[0], &actions, nullptr,
                                const_cast<char* const*>(argv.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  if (error == 0) *out_document = read_to_end(out[0]);
  close(out[0]);
  if (error == ENOEXEC)
    return failed("this Linux runs no 32-bit x86 programs, and incore-probe is one (see --cpu)",
                  out_error);
  if (error != 0)
    return failed(std::string("cannot start incore-probe: ") + strerror(error), out_error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return ended_well(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), out_error);
}

bool run_on_model(const std::string& model, bool emulates_stale_keys,
                  const std::vector<const char*>& argv, std::string* out_document,
                  std::string* out_error) {
  const uint64_t seed = 0;  // noise as the model makes it
  incore_run_options options = {};
  options.model = model.c_str();
  options.rng_seed = &seed;
  options.emulate_stale_key = emulates_stale_keys ? 1 : 0;
  std::string error;
  CapturedRun run = run_captured(options, argv.data(), RepeatedInput(), false, &error);
  std::fputs(run.err.c_str(), stderr);
  if (!error.empty()) return failed(error, out_error);
  if (run.status != INCORE_OK) return failed(run.report.message, out_error);
  *out_document = std::move(run.out);
  return ended_well(run.report.exit_code, out_error);
}

}  // namespace

std::span<const char> probe_image() {
  return {incore_probe_image, incore_probe_image_end};
}

bool run_probe(const std::string& model, bool emulates_stale_keys,
               const std::vector<std::string>& arguments, std::string* out_document,
               std::string* out_error) {
  out_error->clear();
  const ProgramFile program;
  if (!program.is_complete())
    return failed(std::string("no memory for incore-probe: ") + strerror(errno), out_error);
  const std::string path = program.path();
  std::vector<const char*> argv = {path.c_str()};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  argv.push_back(nullptr);
  return model.empty() ? run_here(argv, out_document, out_error)
                       : run_on_model(model, emulates_stale_keys, argv, out_document, out_error);
}

}  // namespace incore::tools
