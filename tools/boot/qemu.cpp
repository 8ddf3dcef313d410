#include "tools/boot/qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "tools/base/find_program.h"
#include "tools/base/input_file.h"
#include "tools/base/json.h"
#include "tools/base/quote.h"

namespace incore::tools {
namespace {

termios terminal;  // as it was: QEMU changes it, and may be ended before it puts it back

std::vector<std::string> arguments(const QemuMachine& m, int events) {
  std::vector<std::string> a = {m.program, "-nodefaults", "-no-user-config", "-display", "none"};
  const auto add = [&a](std::initializer_list<std::string> more) {
    a.insert(a.end(), more.begin(), more.end());
  };
  add({"-serial", "stdio", "-no-reboot", "-accel", "tcg", "-cpu", m.cpu});
  add({"-m", fmt::format("{}M", m.memory_mib), "-smp", std::to_string(m.num_cpus)});
  if (m.ram >= 0)
    add({"-object",
         fmt::format(
             "memory-backend-file,id=incore-ram,size={}M,mem-path=/proc/self/fd/{},share=on",
             m.memory_mib, m.ram),
         "-machine", "pc,memory-backend=incore-ram"});
  else
    add({"-machine", "pc"});
  if (m.gdb >= 0)
    add({"-chardev", fmt::format("socket,id=incore-gdb,fd={}", m.gdb), "-gdb", "chardev:incore-gdb",
         "-S"});
  if (m.plugin >= 0)
    add({"-plugin", fmt::format("/proc/self/fd/{},channel={}", m.plugin, m.channel)});
  if (!m.padlock.model.empty())
    add({"-global", "x86_64-cpu.padlock=" + m.padlock.model, "-global",
         fmt::format("x86_64-cpu.padlock-seed={}", m.padlock.seed), "-global",
         fmt::format("x86_64-cpu.x-padlock-counters=/proc/self/fd/{}", m.padlock.counters)});
  add({"-chardev", fmt::format("socket,id=incore-events,fd={}", events), "-mon",
       "chardev=incore-events,mode=control"});
  add({"-device", "isa-debug-exit,iobase=0xf4,iosize=4", "-device", "pvpanic"});
  add({"-kernel", m.kernel});
  if (!m.initrd.empty()) add({"-initrd", m.initrd});
  if (!m.append.empty()) add({"-append", m.append});
  if (!m.disk.empty())
    add({"-drive", fmt::format("file={},if=ide,format=raw", option_value(m.disk))});
  a.insert(a.end(), m.more.begin(), m.more.end());
  return a;
}

[[noreturn]] void fail_with_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

constexpr const char* kName = "qemu-system-x86_64";

// A QEMU with PadLock has the name of the CPU's property in it.
QemuProgram look_at(const std::string& path) {
  std::string program;
  const bool readable = read_input_file(path, &program).empty();
  return {path, readable && program.find("x-padlock-counters") != std::string::npos};
}

}  // namespace

std::string option_value(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == ',') out += c;
  }
  return out;
}

Qemu::Qemu(const QemuMachine& machine) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail_with_errno("a socket");
  events_ = ends[0];
  const std::vector<std::string> strings = arguments(machine, ends[1]);
  std::vector<char*> argv;
  for (const std::string& string : strings) {
    argv.push_back(const_cast<char*>(string.c_str()));
    command_ += (command_.empty() ? "" : " ") + quoted_if_needed(string);
  }
  argv.push_back(nullptr);
  terminal_saved_ = isatty(STDIN_FILENO) != 0 && tcgetattr(STDIN_FILENO, &terminal) == 0;
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    for (const int fd : {machine.ram, machine.gdb, machine.plugin, machine.channel,
                         machine.padlock.counters, ends[1]})
      if (fd >= 0) fcntl(fd, F_SETFD, 0);
    signal(SIGPIPE, SIG_DFL);
    execv(argv[0], argv.data());
    _exit(127);
  }
  const int error = errno;
  close(ends[1]);
  if (pid_ < 0) {
    close(events_);
    errno = error;
    fail_with_errno("fork");
  }
  const std::string hello = "{\"execute\":\"qmp_capabilities\"}\n";
  (void)!send(events_, hello.data(), hello.size(), MSG_NOSIGNAL);
}

Qemu::~Qemu() {
  end();
  close(events_);
}

bool Qemu::read_events() {
  char buffer[4096];
  const ssize_t n = recv(events_, buffer, sizeof buffer, MSG_DONTWAIT);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  if (n == 0) return false;
  in_.append(buffer, static_cast<size_t>(n));
  for (size_t end; (end = in_.find('\n')) != std::string::npos; in_.erase(0, end + 1))
    take_event(in_.substr(0, end));
  return true;
}

void Qemu::take_event(const std::string& line) {
  const Json message = Json::parse(line);
  // QEMU answers the command of the constructor when it has made the machine, which may fail.
  if (message.contains("return")) started_ = true;
  if (message["event"] == "GUEST_PANICKED") panicked_ = true;
  if (message["event"] == "RESET") was_reset_ = true;
  if (message["event"] == "SHUTDOWN" && reason_.empty()) reason_ = message["data"]["reason"].text();
}

bool Qemu::ends_soon() {
  constexpr int kTries = 100;
  for (int i = 0; !ended_ && i < kTries; ++i) {
    ended_ = waitpid(pid_, &status_, WNOHANG) == pid_;
    if (!ended_) usleep(20000);
  }
  if (ended_) finish();
  return ended_;
}

void Qemu::finish() {
  while (read_events()) {
    pollfd more = {events_, POLLIN, 0};
    if (poll(&more, 1, 0) <= 0) break;
  }
  if (terminal_saved_) tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
}

void Qemu::end() {
  if (ended_) return;
  const std::string quit = "{\"execute\":\"quit\"}\n";
  (void)!send(events_, quit.data(), quit.size(), MSG_NOSIGNAL);
  if (ends_soon()) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) continue;
  ended_ = true;
  finish();
}

Qemu::Verdict Qemu::verdict() const {
  if (WIFSIGNALED(status_))
    return {1, fmt::format("QEMU was ended by signal {}", WTERMSIG(status_))};
  const int status = WEXITSTATUS(status_);
  if (!started_) return {2, fmt::format("QEMU did not start the guest, exit code {}", status)};
  if (panicked_ || reason_ == "guest-panic") return {1, "the guest's kernel has panicked"};
  if (reason_ == "guest-shutdown") return {0, ""};
  if (reason_ == "guest-reset") return {1, "the guest has restarted, as kernels do after a panic"};
  // isa-debug-exit makes 2 * byte + 1 of what the guest writes.
  if (reason_.empty() && (status & 1) != 0) return {status >> 1, ""};
  if (status == 0) return {0, ""};
  return {2, fmt::format("QEMU ended with exit code {}", status)};
}

std::string find_qemu(QemuProgram* out) {
  if (const char* const given = std::getenv("INCORE_QEMU"); given != nullptr && *given != '\0') {
    if (access(given, X_OK) != 0)
      return fmt::format("INCORE_QEMU: {}: {}", in_quotes(given), std::strerror(errno));
    *out = look_at(given);
    return "";
  }
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path up = here.parent_path().parent_path();
  for (const std::filesystem::path& file : {up / "qemu" / kName, up / "libexec" / "incore" / kName})
    if (!error && access(file.c_str(), X_OK) == 0) {
      *out = look_at(file);
      return "";
    }
  if (const std::string file = find_program(kName); !file.empty()) {
    *out = look_at(file);
    return "";
  }
  return std::string(kName) + " is not installed (Debian's package qemu-system-x86)";
}

}  // namespace incore::tools
