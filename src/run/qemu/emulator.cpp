#include "run/qemu/emulator.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "elf/file.h"
#include "run/mapped_file.h"
#include "run/text.h"
#include "scan/elf_image.h"

// plugin.c as a shared object, put here by plugin_image.S.
extern "C" const unsigned char incore_power_plugin[], incore_power_plugin_end[];

namespace incore::run::qemu {

// What depends on the byte order: the emulator, and where Debian puts the C library.
struct Port {
  const char* emulator;
  const char* sysroot;
  const char* package;
};

namespace {

const Port& port_of(scan::Machine machine) {
  static constexpr Port kBig = {"qemu-ppc64", "/usr/powerpc64-linux-gnu", "libc6-ppc64-cross"},
                        kLittle = {"qemu-ppc64le", "/usr/powerpc64le-linux-gnu",
                                   "libc6-ppc64el-cross"};
  return machine == scan::Machine::powerpc64 ? kBig : kLittle;
}

// A QEMU that takes plugins offers them the functions that ours calls.
bool takes_plugins(const std::string& path) {
  constexpr char kFunction[] = "qemu_plugin_register_vcpu_insn_exec_cb";
  const MappedFile file(path);
  return file.error().empty() &&
         memmem(file.data(), file.size(), kFunction, sizeof kFunction) != nullptr;
}

// Looks along PATH for the emulator, dynamic or static, as Debian names them.
std::string find_emulator(const char* name, bool with_plugins, std::string* out_error) {
  std::string without_plugins;
  for (const std::string& candidate : {std::string(name), std::string(name) + "-static"}) {
    for (const std::string& file : along_path(candidate)) {
      struct stat status;
      if (stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
          access(file.c_str(), X_OK) != 0)
        continue;
      if (!with_plugins || takes_plugins(file)) return file;
      without_plugins = file;
    }
  }
  if (without_plugins.empty())
    *out_error = std::string("neither ") + name + " nor " + name +
                 "-static was found along PATH; PowerPC programs run under it (package qemu-user)";
  else
    *out_error = "'" + without_plugins +
                 "' takes no plugins, so it cannot count instructions; that of the package "
                 "qemu-user can";
  return "";
}

// What the link |path| says; "" if it is none.
std::string link_target(const std::string& path) {
  std::error_code error;
  return std::filesystem::read_symlink(path, error).string();
}

// What |argv| writes to its standard output.
std::string output_of(const std::vector<std::string>& argv) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  std::vector<char*> pointers;
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t pid;
  const bool is_started =
      posix_spawn(&pid, pointers[0], &actions, nullptr, pointers.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  char part[4096];
  for (ssize_t len; is_started && (len = read(ends[0], part, sizeof part)) > 0;)
    output.append(part, static_cast<size_t>(len));
  close(ends[0]);
  if (is_started) waitpid(pid, nullptr, 0);
  return output;
}

// A file in memory that other processes open as proc_path().
int make_memory_file(const char* name, const void* content, size_t len) {
  const int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) return -1;
  const bool is_made = content == nullptr ? ftruncate(fd, static_cast<off_t>(len)) == 0
                                          : write(fd, content, len) == static_cast<ssize_t>(len);
  if (is_made) return fd;
  close(fd);
  return -1;
}

// It holds while this process lives. The program's own table of descriptors stays free of it.
std::string proc_path(int fd) {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd);
}

}  // namespace

Emulator::~Emulator() {
  if (plugin_ >= 0) close(plugin_);
  if (counters_file_ >= 0) close(counters_file_);
  if (counters_ != nullptr) munmap(counters_, sizeof *counters_);
}

std::string Emulator::count_insns() {
  plugin_ = make_memory_file("incore-power-plugin", incore_power_plugin,
                             static_cast<size_t>(incore_power_plugin_end - incore_power_plugin));
  counters_file_ = make_memory_file("incore-power-counters", nullptr, sizeof *counters_);
  void* memory = MAP_FAILED;
  if (plugin_ >= 0 && counters_file_ >= 0)
    memory = mmap(nullptr, sizeof *counters_, PROT_READ, MAP_SHARED, counters_file_, 0);
  if (memory == MAP_FAILED)
    return std::string("cannot make the files that count instructions: ") + strerror(errno);
  counters_ = static_cast<incore_power_counters*>(memory);
  return "";
}

std::string Emulator::missing_libraries(const Command& command) const {
  if (command.sysroot.empty()) return "";
  // Asked so, the C library's loader lists the libraries and does not start the program.
  std::vector<std::string> argv = command.arguments;
  argv.insert(argv.begin() + 1, {"-E", "LD_TRACE_LOADED_OBJECTS=1"});
  const std::string lines = output_of(argv);
  constexpr std::string_view kMissing = " => not found";
  std::string names;
  for (const std::string_view line : split(lines, '\n'))
    if (const size_t end = line.find(kMissing); end != std::string::npos)
      names += (names.empty() ? "" : ", ") +
               std::string(line.substr(0, end).substr(line.find_first_not_of('\t')));
  if (names.empty()) return "";
  return "it lacks " + names + "; libraries are looked for below '" + command.sysroot +
         "', or below the folder that QEMU_LD_PREFIX names, such as one where 'dpkg -x' has put "
         "their packages";
}

void Emulator::leave_files() const {
  for (auto& [folder, sysroot] : sysroots_) sysroot.leave_view();
}

void Emulator::remove_files() const {
  for (auto& [folder, sysroot] : sysroots_) sysroot.remove_view();
}

// The folder for QEMU that has |interpreter|, the program's loader; "" with an error if none has.
std::string Emulator::find_sysroot(const std::string& interpreter, const Port& port,
                                   Command& command) const {
  std::vector<std::string> roots = {port.sysroot, "/"};
  const char* const given = std::getenv("QEMU_LD_PREFIX");
  std::error_code ignored;
  if (given != nullptr)
    roots = {std::filesystem::absolute(given[0] != '\0' ? given : "/", ignored).string()};
  std::string looked_for;
  for (const std::string& root : roots) {
    command.sysroot = root;
    // Debian's own folders need no look at their links.
    const std::string found =
        given == nullptr ? (access((root + interpreter).c_str(), F_OK) == 0 ? root : "")
                         : sysroots_.try_emplace(root, root).first->second.folder_with(interpreter);
    if (!found.empty()) return found;
    const std::string file = (root == "/" ? "" : root) + interpreter;
    looked_for += (looked_for.empty() ? "'" : " and '") + file + "'";
    if (const std::string target = link_target(file); !target.empty())
      looked_for += ", a link to '" + target + "', which is not there";
  }
  command.error = "needs its loader (its ELF interpreter); looked for " + looked_for +
                  " (package " + port.package + ", or a folder in QEMU_LD_PREFIX)";
  return "";
}

Emulator::Command Emulator::command(const std::string& path, const std::string& path_inside,
                                    const std::string& name) const {
  const MappedFile file(path);
  scan::ElfImage image;
  const std::string wrong =
      file.error().empty() ? image.parse(file.data(), file.size()) : file.error();
  // What can be searched, which is told behind a semicolon, is of no interest here.
  if (!wrong.empty()) return {"", {}, "", "'" + path + "': " + wrong.substr(0, wrong.find(';'))};

  Command command;
  const Port& port = port_of(image.machine());
  command.path = find_emulator(port.emulator, counters_ != nullptr, &command.error);
  if (!command.error.empty()) return command;
  command.arguments = {command.path, "-cpu", cpu_};
  if (!image.interpreter().empty()) {
    const std::string folder = find_sysroot(std::string(image.interpreter()), port, command);
    if (!command.error.empty()) {
      command.error = "'" + path + "' " + command.error;
      return command;
    }
    command.arguments.insert(command.arguments.end(), {"-L", folder});
  }
  if (counters_ != nullptr)
    command.arguments.insert(
        command.arguments.end(),
        {"-plugin", proc_path(plugin_) + ",counters=" + proc_path(counters_file_)});
  const bool is_like_option = path_inside.rfind("-", 0) == 0;
  command.arguments.insert(command.arguments.end(),
                           {"-0", name, is_like_option ? "./" + path_inside : path_inside});
  return command;
}

bool is_power_program(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  uint8_t head[20] = {};
  const ssize_t len = read(fd, head, sizeof head);
  close(fd);
  return len == static_cast<ssize_t>(sizeof head) && elf::is_elf(head) &&
         head[EI_CLASS] == ELFCLASS64 &&
         ELF_FIELD(elf::File(head).format(), head, Ehdr, e_machine) == EM_PPC64;
}

}  // namespace incore::run::qemu
