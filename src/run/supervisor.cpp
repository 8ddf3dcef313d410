#include "run/supervisor.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <span>
#include <string_view>

#include "base/descriptor.h"
#include "run/cpuinfo.h"
#include "run/filter.h"
#include "run/group.h"
#include "run/injector.h"
#include "run/mappings.h"
#include "run/process_image.h"
#include "run/qemu/cpus.h"
#include "run/qemu/redirect.h"
#include "run/seeded_random.h"
#include "run/text.h"

namespace incore::run {
namespace {

std::string errno_text() {
  return strerror(errno);
}

std::string needs_newer_linux() {
  utsname system = {};
  uname(&system);
  return std::string("this needs the seccomp of Linux 5.9 or newer, and here is ") +
         system.sysname + " " + system.release;
}

// Whether Linux can put a descriptor into a supervised process, which is the newest of what we ask
// of it. This one is for no process.
bool is_new_enough(int listener) {
  seccomp_notif_addfd addition = {};
  return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &addition) == 0 || errno != EINVAL;
}

// A process that asks waits for the answer, so both may share a core, which spares waking another.
// Linux before 6.6 does not know this.
void wake_on_this_core(int listener) {
  constexpr unsigned long kSetFlags = SECCOMP_IOW(4, __u64);  // SECCOMP_IOCTL_NOTIF_SET_FLAGS
  constexpr unsigned long kSyncWakeUp = 1;                    // SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP
  ioctl(listener, kSetFlags, kSyncWakeUp);
}

// ---- descriptors between the supervisor and its child ----

void send_descriptor(int socket, int fd) {
  char control[CMSG_SPACE(sizeof fd)] = {};
  char byte = 0;
  iovec data = {&byte, 1};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(header), &fd, sizeof fd);
  sendmsg(socket, &message, kSendsListener);
}

// The descriptor, or -1 if the other side is gone.
int receive_descriptor(int socket) {
  char control[CMSG_SPACE(sizeof(int))] = {};
  char byte;
  iovec data = {&byte, 1};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0) return -1;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr) return -1;
  int fd;
  memcpy(&fd, CMSG_DATA(header), sizeof fd);
  return fd;
}

// What the child says when it could not exec: a word on the step and an errno.
struct StartFailure {
  char step[80];
  int error;
};

// A negative errno if it cannot be installed.
int try_to_install(const Filter& filter) {
  try {
    return install_filter(filter);
  } catch (const std::bad_alloc&) {
    return -ENOMEM;
  }
}

// In an outer run's group, or under a filter of its own, whose listener goes to the supervisor.
bool enter_run(const Request& request, const OuterRun& outer, int socket, StartFailure* failure) {
  if (outer.group() > 0) {
    snprintf(failure->step, sizeof failure->step, "cannot join the outer incore run");
    failure->error = EIO;
    return outer.enter();
  }
  const int listener = try_to_install({.for_power = request.emulator != nullptr,
                                       .watched = static_cast<bool>(request.on_memory),
                                       .seeded = request.repeatable});
  if (listener < 0) {
    snprintf(failure->step, sizeof failure->step, "%s",
             listener == -EBUSY
                 ? "another program supervises this one by seccomp (an outer incore run?)"
                 : "cannot install the seccomp filter");
    failure->error = -listener;
    return false;
  }
  send_descriptor(socket, listener);
  close(listener);
  return true;
}

[[noreturn]] void become_program(const Request& request, const OuterRun& outer, char* const* argv,
                                 int socket, int failure_pipe) {
  setenv("INCORE_RUN", "1", 1);
  if (request.repeatable) {  // where a sandbox forbids it, addresses vary
    constexpr unsigned long kQuery = 0xFFFFFFFF;
    personality(static_cast<unsigned long>(personality(kQuery)) | ADDR_NO_RANDOMIZE);
  }
  StartFailure failure = {};
  if (enter_run(request, outer, socket, &failure)) {
    syscall(SYS_execve, request.path.c_str(), argv, environ, 0, 0, uint64_t{kFirstExec} << 32);
    snprintf(failure.step, sizeof failure.step, "cannot execute '%.20s'", request.path.c_str());
    failure.error = errno;
  }
  [[maybe_unused]] const ssize_t n = write(failure_pipe, &failure, sizeof failure);
  _exit(127);
}

Config make_config(const Request& request) {
  Config config = {};
  config.config_len = sizeof config;
  config.verbose = request.verbose ? 1 : 0;
  config.count_model_time = request.count_model_time ? 1 : 0;
  config.rng_seeded = request.rng_seed.has_value() ? 1 : 0;
  config.rng_seed = request.rng_seed.value_or(0);
  config.check = request.check ? 1 : 0;
  config.emulate_stale_key = request.emulate_stale_key ? 1 : 0;
  config.skipped_checks = request.skipped_checks;
  config.trace = request.on_insn ? 1 : 0;
  config.trace_keys = request.trace_keys ? 1 : 0;
  config.debugged = request.debug ? 1 : 0;
  if (request.model != nullptr) {
    config.model = request.model->model;
    std::copy(std::begin(request.model->rows), std::end(request.model->rows),
              std::begin(config.rows));
    snprintf(config.model_name, sizeof config.model_name, "%s", request.model->model.name);
  }
  return config;
}

// A new descriptor of the model's /proc/cpuinfo, to be read; negative if that fails.
int open_cpuinfo(const Config& config, bool is_32bit) {
  padlock::Model model = config.model;  // a nested run's pointers are not valid here
  const std::string host = read_text("/proc/cpuinfo");
  if (model.num_cpuid > std::size(config.rows) || host.empty()) return -1;
  model.cpuid = config.rows;
  const std::string text =
      cpuinfo_text(model, is_32bit ? padlock::CodeSize::bits32 : padlock::CodeSize::bits64, host);
  const Descriptor memory(memfd_create("cpuinfo", MFD_CLOEXEC));
  if (write(memory.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) return -1;
  return open(("/proc/self/fd/" + std::to_string(memory.get())).c_str(), O_RDONLY | O_CLOEXEC);
}

// The memory that |call| wants filled with random bytes; none if it wants something else. A read of
// a file is told by its name alone: to ask more of it may take an answer of a process that waits
// for ours.
std::span<const __u64> random_wanted(const seccomp_data& call, pid_t tid) {
  constexpr int kRead32 = 3, kGetrandom32 = 355;
  constexpr unsigned kFlags = GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE;
  const bool is_32bit = call.arch == AUDIT_ARCH_I386;
  if (call.nr == (is_32bit ? kGetrandom32 : __NR_getrandom)) {
    const auto flags = static_cast<unsigned>(call.args[2]);
    if ((flags & ~kFlags) != 0 || flags == (GRND_RANDOM | GRND_INSECURE)) return {};
    return {call.args, 2};
  }
  if (call.nr != (is_32bit ? kRead32 : __NR_read)) return {};
  char name[16];
  const std::string link =
      "/proc/" + std::to_string(tid) + "/fd/" + std::to_string(static_cast<int>(call.args[0]));
  const ssize_t len = readlink(link.c_str(), name, sizeof name);
  const std::string_view file(name, len < 0 ? 0 : static_cast<size_t>(len));
  if (file != "/dev/urandom" && file != "/dev/random") return {};
  return {call.args + 1, 2};
}

bool is_exec(const seccomp_data& call) {
  constexpr int kExecve32 = 11, kExecveat32 = 358;
  return call.arch == AUDIT_ARCH_I386 ? call.nr == kExecve32 || call.nr == kExecveat32
                                      : call.nr == __NR_execve || call.nr == __NR_execveat;
}

class Supervisor {
 public:
  // With a group in |outer|, that supervises the program.
  Supervisor(const Request& request, const Config& config, const OuterRun& outer)
      : request_(request), outer_(outer), random_(config.rng_seed) {
    groups_.emplace_back(config, outer.group() > 0 ? &outer : nullptr);
  }
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;
  Result run();

 private:
  std::string start();
  void serve();
  void reap();
  void note_exit(pid_t pid, int status);
  void answer_notification();
  void answer(const seccomp_notif& notification);
  int64_t answer_call(const seccomp_notif& notification);
  int64_t find_sites(pid_t pid, const __u64* arguments);
  int64_t write_bytes(pid_t pid, const __u64* arguments);
  int64_t give_random(pid_t pid, uint64_t out, uint64_t len);
  void seed_at_random(pid_t pid);
  void answer_program(const seccomp_notif& notification);
  void follow_exec(const seccomp_notif& notification);
  void emulate_exec(const seccomp_notif& notification);
  void prepare_image(pid_t pid, Group& group, int fd);
  void kill_unprepared(pid_t pid, const std::string& error) const;
  StartInfo replace_cpuids(pid_t pid, const ProcessMemory& memory,
                           std::span<const Mapping> mappings, const Config& config);
  void explain_failed_exec(const seccomp_notif& notification, const Config& config) const;
  size_t group_of(pid_t pid) const;
  int64_t open_group(pid_t pid, uint64_t config_address, uint64_t len);
  int64_t give_findings(pid_t pid, const Group& group, uint64_t out, uint64_t capacity) const;
  int64_t give_descriptor(uint64_t notification_id, int fd, uint32_t flags) const;
  int64_t give_memory(uint64_t notification_id, size_t group, uint32_t flags) const;
  int64_t give_cpuinfo(const seccomp_notif& notification) const;
  void take_trace() {
    if (request_.on_insn) trace_.take(stats()->trace, outlives_ ? nullptr : request_.on_insn);
  }
  Stats* stats() const { return groups_[0].memory->stats(); }
  void respond(uint64_t id, int64_t value, uint32_t flags = 0);
  void serve_in_background();
  void start_debugger();
  void say_command(pid_t pid, const std::vector<std::string>& arguments) const {
    std::string text = "[" + std::to_string(pid) + "]";
    for (const std::string& argument : arguments) text += " " + argument;
    say(text);
  }
  // Names of programs may hold anything; the terminal must not obey them.
  void say(std::string text) const {
    for (char& c : text)
      if ((c >= 0 && c < ' ') || c == 0x7F) c = '?';
    fprintf(stderr, "incore run: %s\n", text.c_str());
  }

  const Request& request_;
  const OuterRun& outer_;
  std::vector<Group> groups_;  // the first is our own, the others are those of nested runs
  ProvedSites proved_sites_;
  SeededRandom random_;
  Trace trace_;
  bool outlives_ = false;  // we only answer those who outlive the program
  int listener_ = -1;
  int signal_fd_ = -1;
  pid_t child_ = -1;
  pid_t debugger_ = -1;
  bool debugger_started_ = false;
  bool child_exited_ = false;
  bool follower_gone_ = false;  // no process is left under the filter
  int exit_code_ = 0;
};

// A program that nobody supervises any more, after an exception, cannot go on.
Supervisor::~Supervisor() {
  if (child_ > 0 && !child_exited_) {
    kill(child_, SIGKILL);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  for (const int fd : {listener_, signal_fd_})
    if (fd >= 0) close(fd);
}

// Forks the child, which takes the filter and sends back its listener. Returns an error in words.
std::string Supervisor::start() {
  Descriptor listeners, child_listeners, failures, child_failures;
  if (int ends[2]; socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
    listeners.reset(ends[0]);
    child_listeners.reset(ends[1]);
  }
  if (int ends[2]; pipe2(ends, O_CLOEXEC) == 0) {
    failures.reset(ends[0]);
    child_failures.reset(ends[1]);
  }
  if (listeners.get() < 0 || failures.get() < 0) return "cannot make a channel: " + errno_text();
  prctl(PR_SET_CHILD_SUBREAPER,
        1);  // so that daemons stay our descendants, which ptrace may require
  fflush(nullptr);
  std::vector<char*> argv;
  for (const std::string& argument : request_.arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  child_ = fork();
  if (child_ < 0) return "cannot fork: " + errno_text();
  if (child_ == 0) {
    listeners.reset();
    become_program(request_, outer_, argv.data(), child_listeners.get(), child_failures.get());
  }
  child_listeners.reset();
  child_failures.reset();
  if (request_.verbose && request_.emulator != nullptr) say_command(child_, request_.arguments);

  // The program decides on SIGINT and SIGQUIT from the terminal; what is sent to us alone is passed
  // on to it.
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  for (int s : {SIGCHLD, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) sigaddset(&signals, s);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  signal_fd_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);

  listener_ = receive_descriptor(listeners.get());
  listeners.reset();
  wake_on_this_core(listener_);
  if (listener_ >= 0 && !is_new_enough(listener_)) return needs_newer_linux();
  if (listener_ >= 0 || outer_.group() > 0) serve();
  while (debugger_ > 0 && (waitpid(debugger_, nullptr, 0) > 0 || errno != EINTR)) debugger_ = -1;
  StartFailure failure = {};
  const bool failed =
      read(failures.get(), &failure, sizeof failure) == static_cast<ssize_t>(sizeof failure);
  if (!child_exited_) {
    int status;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    note_exit(child_, status);
  }
  if (failed && failure.error == ENOMEM) throw std::bad_alloc();
  if (failed && failure.error == ENOENT && access(request_.path.c_str(), F_OK) == 0)
    return "'" + request_.path + "' needs a loader (its ELF interpreter) that is not installed";
  if (failed && listener_ < 0 && (failure.error == EINVAL || failure.error == ENOSYS))
    return needs_newer_linux();
  if (failed) return std::string(failure.step) + ": " + strerror(failure.error);
  return "";
}

// Stops the program, which has not begun, and starts gdb on it. gdb lets the signals pass by which
// the run-time works.
void Supervisor::start_debugger() {
  debugger_started_ = true;
  kill(child_, SIGSTOP);
  const std::string program = std::to_string(child_);
  debugger_ = fork();
  if (debugger_ != 0) return;
  for (const int s : {SIGINT, SIGQUIT}) signal(s, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execlp("gdb", "gdb", "-q", "-iex", "set confirm off", "-iex",
         "handle SIGILL SIGSYS nostop noprint pass", "-iex", "handle SIGSTOP nostop noprint nopass",
         "-p", program.c_str(), nullptr);
  _exit(127);
}

void Supervisor::note_exit(pid_t pid, int status) {
  if (pid == debugger_) {  // however it ended, the program goes on
    debugger_ = -1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      say("gdb cannot be started or has failed; the program goes on without it");
    kill(child_, SIGCONT);
  }
  if (pid != child_) return;  // a daemon that was reparented to us
  child_exited_ = true;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Supervisor::reap() {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
    if (WIFEXITED(status) || WIFSIGNALED(status)) note_exit(pid, status);
}

void Supervisor::serve() {
  pollfd fds[] = {{listener_, POLLIN, 0}, {signal_fd_, POLLIN, 0}};
  reap();
  constexpr int kTraceInterval = 200;  // milliseconds
  while (!child_exited_ && !follower_gone_) {
    if (poll(fds, 2, request_.on_insn ? kTraceInterval : -1) < 0 && errno != EINTR) return;
    take_trace();
    signalfd_siginfo info;
    while (read(signal_fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
      if (info.ssi_signo != SIGCHLD) kill(child_, static_cast<int>(info.ssi_signo));
    if ((fds[0].revents & POLLIN) != 0) answer_notification();
    if ((fds[0].revents & POLLHUP) != 0) follower_gone_ = true;
    reap();
  }
}

void Supervisor::answer_notification() {
  seccomp_notif notification = {};
  if (ioctl(listener_, SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) return;  // its sender is gone
  answer(notification);
}

void Supervisor::respond(uint64_t id, int64_t value, uint32_t flags) {
  seccomp_notif_resp response = {};
  response.id = id;
  response.flags = flags;
  if (flags == 0 && value < 0) response.error = static_cast<int>(value);
  if (flags == 0 && value >= 0) response.val = value;
  ioctl(listener_, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

void Supervisor::answer(const seccomp_notif& notification) {
  if (notification.data.nr == static_cast<int>(kCallNumber))
    respond(notification.id, answer_call(notification));
  else if (request_.emulator != nullptr)
    emulate_exec(notification);
  else
    answer_program(notification);
}

// A call of the program itself: exec, one for random bytes, or one before which its memory is
// looked at.
void Supervisor::answer_program(const seccomp_notif& notification) {
  const auto pid = static_cast<pid_t>(notification.pid);
  if (request_.repeatable)
    if (const auto wanted = random_wanted(notification.data, pid); !wanted.empty())
      return respond(notification.id, give_random(pid, wanted[0], wanted[1]));
  // Before its first exec the child is a copy of us.
  if (request_.on_memory && !outlives_ && (pid != child_ || stats()->images != 0)) {
    take_trace();
    show_memory(pid, request_.on_memory);
  }
  if (is_exec(notification.data))
    follow_exec(notification);
  else
    respond(notification.id, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
}

// ---- calls of the run-time ----

int64_t Supervisor::find_sites(pid_t pid, const __u64* arguments) {
  std::vector<uint64_t> addresses =
      proved_sites_.find(pid, read_mappings(pid), arguments[1], arguments[2], arguments[5] != 0,
                         groups_[group_of(pid)].memory.get());
  addresses.resize(std::min<size_t>(addresses.size(), arguments[4]));
  if (!addresses.empty() &&
      !write_process(pid, arguments[3], addresses.data(), addresses.size() * sizeof addresses[0]))
    return -EFAULT;
  return static_cast<int64_t>(addresses.size());
}

int64_t Supervisor::write_bytes(pid_t pid, const __u64* arguments) {
  const uint64_t count = arguments[2];
  if (count > kMaxSitesAtOnce) return -EINVAL;
  std::vector<uint64_t> sites(count);
  if (!read_process(pid, arguments[1], sites.data(), count * sizeof sites[0])) return -EFAULT;
  const ProcessMemory memory(pid);
  const auto byte = static_cast<uint8_t>(arguments[4]);
  int64_t num_written = 0;
  for (const uint64_t site : sites) {
    if (!memory.write(site + arguments[3], &byte, sizeof byte)) break;
    ++num_written;
  }
  return num_written;
}

// ---- random bytes from the seed ----

int64_t Supervisor::give_random(pid_t pid, uint64_t out, uint64_t len) {
  constexpr uint64_t kMost = (1 << 25) - 1;  // random(4): Linux gives no more at once
  const std::vector<uint8_t> bytes = random_.draw(pid, std::min(len, kMost));
  if (!write_process(pid, out, bytes.data(), bytes.size())) return -EFAULT;
  return static_cast<int64_t>(bytes.size());
}

// The 16 bytes that the auxiliary vector names, from which libc makes its canaries. Its words are
// the program's; types are small, and the first value is not 0.
void Supervisor::seed_at_random(pid_t pid) {
  const std::string vector = read_text("/proc/" + std::to_string(pid) + "/auxv");
  uint32_t halves[2] = {};
  memcpy(halves, vector.data(), std::min(vector.size(), sizeof halves));
  const size_t word_len = halves[1] == 0 ? 8 : 4;
  for (size_t i = 0; i + 2 * word_len <= vector.size(); i += 2 * word_len) {
    uint64_t type = 0, value = 0;
    memcpy(&type, &vector[i], word_len);
    memcpy(&value, &vector[i + word_len], word_len);
    if (type == AT_RANDOM) give_random(pid, value, 16);
  }
}

// ---- nested runs ----

// Where a program image keeps the number of its group.
uint64_t group_address(bool is_32bit) {
  return config_address(is_32bit) + offsetof(Config, group);
}

// That of the image which |pid| runs; ours if it has none.
size_t Supervisor::group_of(pid_t pid) const {
  for (const bool is_32bit : {false, true}) {
    uint32_t group;
    if (read_process(pid, group_address(is_32bit), &group, sizeof group) && group < groups_.size())
      return group;
  }
  return 0;
}

int64_t Supervisor::open_group(pid_t pid, uint64_t config_address, uint64_t len) {
  Config config;
  if (request_.emulator != nullptr || len != sizeof config) return -EINVAL;
  if (!read_process(pid, config_address, &config, sizeof config)) return -EFAULT;
  config.model_name[sizeof config.model_name - 1] = 0;
  config.group = static_cast<uint32_t>(groups_.size());
  groups_.emplace_back(config);
  if (groups_.back().memory->stats() == nullptr) {
    groups_.pop_back();
    return -EMFILE;
  }
  return config.group;
}

// The number that it has in the process which asks.
int64_t Supervisor::give_descriptor(uint64_t notification_id, int fd, uint32_t flags) const {
  seccomp_notif_addfd addition = {};
  addition.id = notification_id;
  addition.srcfd = static_cast<__u32>(fd);
  addition.newfd_flags = flags;
  const int number = ioctl(listener_, SECCOMP_IOCTL_NOTIF_ADDFD, &addition);
  return number < 0 ? -errno : number;
}

int64_t Supervisor::give_memory(uint64_t notification_id, size_t group, uint32_t flags) const {
  if (group >= groups_.size()) return -EINVAL;
  if (groups_[group].memory == nullptr) return -EBADF;
  return give_descriptor(notification_id, groups_[group].memory->fd(), flags);
}

int64_t Supervisor::give_cpuinfo(const seccomp_notif& notification) const {
  const __u64* arguments = notification.data.args;
  if (arguments[1] >= groups_.size()) return -EINVAL;
  const bool is_32bit = notification.data.arch == AUDIT_ARCH_I386;
  const Descriptor file(open_cpuinfo(groups_[arguments[1]].config, is_32bit));
  if (file.get() < 0) return -ENOENT;
  return give_descriptor(notification.id, file.get(), arguments[2] & O_CLOEXEC);
}

int64_t Supervisor::give_findings(pid_t pid, const Group& group, uint64_t out,
                                  uint64_t capacity) const {
  const std::string bytes = to_bytes(group.findings.all());
  if (bytes.size() <= capacity && !write_process(pid, out, bytes.data(), bytes.size()))
    return -EFAULT;
  return static_cast<int64_t>(bytes.size());
}

int64_t Supervisor::answer_call(const seccomp_notif& notification) {
  const __u64* arguments = notification.data.args;
  const pid_t pid = static_cast<pid_t>(notification.pid);
  switch (static_cast<Call>(arguments[0])) {
    case Call::group_fd:
      return give_memory(notification.id, arguments[1], O_CLOEXEC);
    case Call::cannot_start:
      kill_unprepared(pid, start_error(-static_cast<int32_t>(arguments[1])));
      return 0;
    case Call::cpuinfo_fd:
      return give_cpuinfo(notification);
    case Call::find_sites:
      return find_sites(pid, arguments);
    case Call::write_code: {
      if (arguments[3] > sizeof arguments[2]) return -EINVAL;
      return ProcessMemory(pid).write(arguments[1], &arguments[2], arguments[3]) ? 0 : -EFAULT;
    }
    case Call::write_bytes:
      return write_bytes(pid, arguments);
    case Call::is_stable_code:
      return is_stable_code(pid, arguments[1], arguments[2]) ? 1 : 0;
    case Call::hot_cpuid:
      proved_sites_.note_hot(pid, arguments[1]);
      return 0;
    case Call::is_call_site:
      return proved_sites_.is_call_site(pid, arguments[1]) ? 1 : 0;
    case Call::report: {
      CheckReport report;
      if (!read_process(pid, arguments[1], &report, sizeof report)) return -EFAULT;
      if (arguments[2] >= groups_.size()) return -EINVAL;
      return groups_[arguments[2]].findings.add(pid, report);
    }
    case Call::trace_site:
      return trace_.place(pid, arguments[1]);
    case Call::take_trace:
      take_trace();
      return 0;
    case Call::open_group:
      return open_group(pid, arguments[1], arguments[2]);
    case Call::enter_group: {
      const auto group = static_cast<uint32_t>(arguments[1]);
      const bool is_32bit = notification.data.arch == AUDIT_ARCH_I386;
      const bool is_written =
          ProcessMemory(pid).write(group_address(is_32bit), &group, sizeof group);
      return is_written ? 0 : -EFAULT;
    }
    case Call::findings:
      if (arguments[1] >= groups_.size()) return -EINVAL;
      return give_findings(pid, groups_[arguments[1]], arguments[2], arguments[3]);
    case Call::close_group:
      if (arguments[1] == 0 || arguments[1] >= groups_.size()) return -EINVAL;
      groups_[arguments[1]].memory.reset();
      groups_[arguments[1]].findings = Findings();
      return 0;
    case Call::log: {
      char text[257] = {};
      if (arguments[2] >= sizeof text || !read_process(pid, arguments[1], text, arguments[2]))
        return -EFAULT;
      say("[" + std::to_string(pid) + "] " + text);
      return 0;
    }
  }
  return -ENOSYS;
}

// ---- new program images ----

void Supervisor::kill_unprepared(pid_t pid, const std::string& error) const {
  say("process " + std::to_string(pid) + " cannot be prepared and is killed: " + error);
  kill(pid, SIGKILL);
}

void Supervisor::prepare_image(pid_t pid, Group& group, int fd) {
  if (request_.repeatable) seed_at_random(pid);
  StoppedProcess process(pid);
  const bool is_32bit = process.is_32bit();
  std::vector<uint8_t> own;
  const std::vector<uint8_t>& image = group.memory != nullptr
                                          ? group.memory->image(is_32bit, group.config)
                                          : own = runtime_image(is_32bit, group.config);
  const std::vector<Mapping> mappings = read_mappings(pid);
  const ProcessMemory memory(pid);
  StartInfo info = replace_cpuids(pid, memory, mappings, group.config);
  info.program_entry = process.next_instruction();
  const std::string error = process.start_runtime(memory, mappings, info, fd, image);
  if (!error.empty()) return kill_unprepared(pid, error);
  if (group.config.verbose != 0)
    say("[" + std::to_string(pid) + "] new program image, model " + group.config.model_name);
  if (request_.debug && pid == child_ && !debugger_started_) start_debugger();
}

// In a new image. Where more than CPUID is wanted, or there are very many, the run-time asks.
StartInfo Supervisor::replace_cpuids(pid_t pid, const ProcessMemory& memory,
                                     std::span<const Mapping> mappings, const Config& config) {
  StartInfo info = {};
  if (replaces_flags_insns(config)) return info;
  info.more_from = kNoMore;
  std::vector<uint64_t> hot;
  std::vector<uint64_t> sites =
      proved_sites_.find(pid, mappings, 0, ~uint64_t{0}, false, nullptr, &hot);
  if (sites.size() > std::size(info.sites)) {
    info.more_from = sites[std::size(info.sites)];
    sites.resize(std::size(info.sites));
  }
  sites = replace_cpuid(memory, sites, cpuid_trap(config));
  std::copy(sites.begin(), sites.end(), info.sites);
  info.num_sites = sites.size();
  hot.resize(std::min(hot.size(), std::size(info.hot)));
  std::copy(hot.begin(), hot.end(), info.hot);
  info.num_hot = hot.size();
  return info;
}

// A PowerPC program that was to be executed has its own reason to fail.
void Supervisor::explain_failed_exec(const seccomp_notif& notification,
                                     const Config& config) const {
  const auto call = qemu::read_exec_call(notification);
  if (call && qemu::is_power_program(call->path))
    say("'" + call->inside + "' is a PowerPC program, which model " + config.model_name +
        " does not run; give --cpu " + qemu::kDefaultCpu);
}

// The caller stands in execve. We attach to it, let it go on, and meet it either behind the exec,
// in the new image, or back in the old image if the exec failed. Then it is free again. It takes
// the group's memory along.
void Supervisor::follow_exec(const seccomp_notif& notification) {
  const pid_t caller = static_cast<pid_t>(notification.pid);
  const size_t group = group_of(caller);
  if (ptrace(PTRACE_SEIZE, caller, nullptr, PTRACE_O_TRACEEXEC) != 0) {
    say("process " + std::to_string(caller) +
        " cannot be prepared for its exec, which fails (is a debugger attached to it?): " +
        errno_text());
    respond(notification.id, -EPERM);
    return;
  }
  const auto fd = static_cast<int>(give_memory(notification.id, group, 0));
  respond(notification.id, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
  ptrace(PTRACE_INTERRUPT, caller, nullptr, nullptr);

  for (;;) {
    int status;
    const pid_t pid = waitpid(-1, &status, __WALL);
    if (pid < 0) return;
    if (!WIFSTOPPED(status)) {
      note_exit(pid, status);
      if (pid == caller || child_exited_) return;
      continue;
    }
    const int event = status >> 16;
    const bool is_back = event == PTRACE_EVENT_STOP && WSTOPSIG(status) == SIGTRAP;
    if (event == PTRACE_EVENT_EXEC) {
      prepare_image(pid, groups_[group], fd);
    } else if (is_back) {
      explain_failed_exec(notification, groups_[group].config);
      if (fd >= 0) StoppedProcess(pid).close_descriptor(fd);
    } else {  // a signal on its way
      ptrace(PTRACE_CONT, pid, nullptr, event == 0 ? WSTOPSIG(status) : 0);
      continue;
    }
    ptrace(PTRACE_DETACH, pid, nullptr, nullptr);
    return;
  }
}

// The same where PowerPC programs run: under the emulator, which looks to the kernel like any
// program.
void Supervisor::emulate_exec(const seccomp_notif& notification) {
  const auto call = qemu::read_exec_call(notification);
  if (!call || !qemu::is_power_program(call->path)) {
    respond(notification.id, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
    return;
  }
  const qemu::Emulator::Command command =
      request_.emulator->command(call->path, call->inside, call->name);
  if (!command.error.empty()) {
    say(command.error);
    respond(notification.id, -ENOEXEC);
    return;
  }
  if (request_.verbose) say_command(call->pid, command.arguments);
  const std::string error =
      qemu::redirect_exec(*call, command,
                          {.respond = [&](int value) { respond(notification.id, value); },
                           .note_exit = [&](pid_t pid, int status) { note_exit(pid, status); }});
  if (error.empty())
    ++stats()->images;
  else
    say("'" + call->inside + "', executed by process " + std::to_string(call->pid) + ": " + error);
}

// Others may outlive the program, and still need answers.
void Supervisor::serve_in_background() {
  if (follower_gone_) return;
  if (const pid_t server = fork(); server != 0) {
    if (server > 0 && request_.emulator != nullptr) request_.emulator->leave_files();
    return;
  }
  outlives_ = true;
  setsid();
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd : {0, 1, 2}) dup2(null, fd);
  pollfd fds = {listener_, POLLIN, 0};
  try {
    while (poll(&fds, 1, -1) > 0 || errno == EINTR) {
      if ((fds.revents & POLLIN) != 0) answer_notification();
      if ((fds.revents & (POLLHUP | POLLERR)) != 0) break;
      reap();
    }
  } catch (const std::bad_alloc&) {  // the caller of incore_run is another process
  }
  if (request_.emulator != nullptr) request_.emulator->remove_files();
  _exit(0);
}

Result Supervisor::run() {
  Result result;
  if (stats() == nullptr) {
    result.error = errno == ENOSYS ? needs_newer_linux()  // memfd_create is from 3.17
                                   : "cannot make shared memory: " + errno_text();
    return result;
  }
  result.error = start();
  take_trace();
  result.lost_insns = stats()->trace.lost;
  result.exit_code = exit_code_;
  result.findings = outer_.group() > 0 ? outer_.findings() : groups_[0].findings.all();
  result.memory = groups_[0].memory;
  if (result.error.empty() && listener_ >= 0) {
    pollfd listener = {listener_, POLLIN, 0};
    if (poll(&listener, 1, 0) >= 0 && (listener.revents & POLLHUP) == 0) serve_in_background();
  }
  return result;
}

}  // namespace

Result supervise(const Request& request) {
  const Config config = make_config(request);
  const OuterRun outer(config);
  const bool is_nested = outer.group() != 0;
  if (is_nested && (request.on_insn || request.on_memory || request.repeatable)) {
    Result refused;
    refused.error = "the outer incore run traces: give it the option";
    return refused;
  }
  if (outer.group() < 0 || (is_nested && request.emulator != nullptr)) {
    Result refused;
    refused.error = is_nested && request.emulator != nullptr
                        ? "PowerPC programs cannot be run inside another incore run"
                        : std::string("the outer incore run cannot take it: ") +
                              strerror(static_cast<int>(-outer.group()));
    return refused;
  }
  return Supervisor(request, config, outer).run();
}

}  // namespace incore::run
