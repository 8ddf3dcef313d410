#include "run/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>

#include "run/text.h"

namespace incore::run {
namespace {

constexpr ssize_t kMachineEnd = 20;  // of the ELF header's part that names the machine

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_386:
      return "32-bit x86";
    case EM_X86_64:
      return "x86-64";
    case EM_PPC:
      return "32-bit PowerPC";
    case EM_AARCH64:
      return "AArch64";
    case EM_ARM:
      return "ARM";
    case EM_RISCV:
      return "RISC-V";
    case EM_MIPS:
      return "MIPS";
    case EM_S390:
      return "S/390";
    default:
      return "machine number " + std::to_string(machine);
  }
}

// What is wrong with the interpreter in |line|, a script's first one. The kernel looks for it only
// when it executes the script.
std::string script_error(const std::string& path, std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t", 2);
  if (begin == std::string::npos) return "'" + path + "' names no interpreter behind #!";
  const std::string interpreter(line.substr(begin, line.find_first_of(" \t", begin) - begin));
  if (access(interpreter.c_str(), X_OK) == 0) return "";
  return "'" + path + "' needs the interpreter '" + interpreter + "': " + strerror(errno);
}

std::string file_error(const std::string& path, ProgramKind& out_kind) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return "'" + path + "': " + strerror(errno);
  if (S_ISDIR(info.st_mode)) return "'" + path + "' is a directory";
  if (!S_ISREG(info.st_mode)) return "'" + path + "' is not a regular file";
  if (access(path.c_str(), X_OK) != 0) return "'" + path + "' is not executable";

  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return errno == EACCES ? ""
                           : "'" + path + "': " + strerror(errno);  // execute-only files may run
  unsigned char head[256] = {};                                     // as much as the kernel reads
  const ssize_t len = read(fd, head, sizeof head);
  close(fd);
  if (len >= 2 && head[0] == '#' && head[1] == '!') {
    out_kind = ProgramKind::script;
    const std::string_view text(reinterpret_cast<const char*>(head), static_cast<size_t>(len));
    return script_error(path, text.substr(0, text.find('\n')));
  }
  if (len < kMachineEnd || memcmp(head, ELFMAG, SELFMAG) != 0)
    return "'" + path + "' is not a program: neither ELF nor a script that begins with #!";
  const bool big_endian = head[EI_DATA] == ELFDATA2MSB;
  const unsigned machine = big_endian ? head[18] << 8 | head[19] : head[19] << 8 | head[18];
  const bool is_64bit = head[EI_CLASS] == ELFCLASS64;
  if (machine == EM_PPC64 && is_64bit) {
    out_kind = ProgramKind::power;
    return "";
  }
  if ((machine == EM_X86_64 && is_64bit) || (machine == EM_386 && !is_64bit)) return "";
  if (machine == EM_X86_64)
    return "'" + path +
           "' is an x32 program (x86-64 with 32-bit pointers); only x86-64, i386 and 64-bit "
           "PowerPC "
           "programs can be run";
  return "'" + path + "' is a program for " + machine_name(machine) +
         "; only x86-64, i386 and 64-bit PowerPC programs can be run";
}

}  // namespace

Program find_program(const std::string& name) {
  const auto look_at = [](const std::string& path) {
    Program program = {path, "", ProgramKind::x86};
    program.error = file_error(path, program.kind);
    return program;
  };
  if (name.empty()) return {"", "the program's name is empty"};
  if (name.find('/') != std::string::npos) return look_at(name);

  std::string found_but_wrong;
  for (const std::string& candidate : along_path(name)) {
    struct stat info;
    if (stat(candidate.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    if (access(candidate.c_str(), X_OK) == 0) return look_at(candidate);
    found_but_wrong = candidate;
  }
  if (!found_but_wrong.empty()) return {"", "'" + found_but_wrong + "' is not executable"};
  return {"", "'" + name + "' was not found along PATH"};
}

}  // namespace incore::run
