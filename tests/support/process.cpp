#include "support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

extern char** environ;

namespace incore::test {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw std::runtime_error(what + ": " + std::strerror(error));
}

struct Pipe {
  int read_end, write_end;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe", errno);
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
  static void close_end(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
  }
};

// Appends what |fd| has; closes it at its end.
void drain(int& fd, std::string& text) {
  char buffer[65536];
  const ssize_t len = read(fd, buffer, sizeof buffer);
  if (len > 0)
    text.append(buffer, static_cast<size_t>(len));
  else if (len == 0 || errno != EINTR)
    Pipe::close_end(fd);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

}  // namespace

namespace {

// True if the file is ELF for this program's own machine and byte order.
bool is_of_this_machine(const std::string& path) {
  const auto machine = [](const std::string& file) {
    char head[20] = {};
    std::ifstream(file, std::ios::binary).read(head, sizeof head);
    return std::string(head, 6) + std::string(head + 18, 2);
  };
  return machine(path) == machine("/proc/self/exe");
}

// The kernel below an emulator cannot start programs of the emulated machine, and does not know
// this one by the name that it has inside.
std::vector<std::string> command(const std::vector<std::string>& argv) {
  const std::string emulator = INCORE_EMULATOR;
  if (emulator.empty() || !is_of_this_machine(argv.at(0))) return argv;
  std::vector<std::string> result;
  std::istringstream words(emulator);
  for (std::string word; words >> word;) result.push_back(word);
  result.insert(result.end(), argv.begin(), argv.end());
  if (argv[0] == "/proc/self/exe")
    result[result.size() - argv.size()] = std::filesystem::read_symlink(argv[0]);
  return result;
}

}  // namespace

ProcessResult run(const std::vector<std::string>& program, const std::string& stdin_data,
                  const std::vector<std::string>& extra_env) {
  const std::vector<std::string> argv = command(program);
  std::vector<std::string> environment(extra_env);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name(*entry, std::strcspn(*entry, "=") + 1);
    bool replaced = false;
    for (const std::string& extra : extra_env)
      replaced = replaced || extra.compare(0, name.size(), name) == 0;
    if (!replaced) environment.push_back(*entry);
  }

  Pipe in, out, err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read_end, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write_end, 2);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv.at(0).c_str(), &actions, nullptr,
                                 pointers(argv).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("cannot run " + argv[0], error);
  Pipe::close_end(in.read_end);
  Pipe::close_end(out.write_end);
  Pipe::close_end(err.write_end);

  // Input and both outputs at once, so that neither side waits for the other. A child that does not
  // read its input is no failure, so its SIGPIPE must not reach us.
  struct sigaction ignore = {}, before = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  ProcessResult result = {-1, 0, "", ""};
  size_t written = 0;
  fcntl(in.write_end, F_SETFL, O_NONBLOCK);
  if (stdin_data.empty()) Pipe::close_end(in.write_end);
  while (out.read_end >= 0 || err.read_end >= 0) {
    pollfd polled[3] = {
        {in.write_end, POLLOUT, 0}, {out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}};
    if (poll(polled, 3, -1) < 0 && errno != EINTR) fail("poll", errno);
    if (polled[0].revents != 0) {
      const ssize_t len =
          write(in.write_end, stdin_data.data() + written, stdin_data.size() - written);
      if (len > 0) written += static_cast<size_t>(len);
      if ((len < 0 && errno != EAGAIN && errno != EINTR) || written == stdin_data.size())
        Pipe::close_end(in.write_end);
    }
    if (polled[1].revents != 0) drain(out.read_end, result.out);
    if (polled[2].revents != 0) drain(err.read_end, result.err);
  }
  sigaction(SIGPIPE, &before, nullptr);

  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("waitpid", errno);
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  else
    result.exit_code = WEXITSTATUS(status);
  return result;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "incore_test.XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) fail("mkdtemp", errno);
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryDirectory::write(const std::string& name, const std::string& content) const {
  const std::string path = path_ + "/" + name;
  std::ofstream out(path, std::ios::binary);
  out << content;
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
  return path;
}

}  // namespace incore::test
