#include "tools/vemicry/hardware_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "incore/vemicry.h"
#include "tools/base/output_file.h"
#include "tools/base/quote.h"

namespace incore::tools {
namespace {

namespace fs = std::filesystem;

constexpr int kNotFound = 127;  // the shell's code for a program that there is not

}  // namespace

std::string error_in(const std::string& log) {
  const size_t at = log.find("ERROR: ");
  return at == std::string::npos ? "" : log.substr(at, log.find('\n', at) - at);
}

HardwareFolder::~HardwareFolder() {
  std::error_code ignored;
  if (is_temporary_) fs::remove_all(path_, ignored);
}

std::string HardwareFolder::make(const std::string& path) {
  std::error_code error;
  if (!path.empty()) {
    path_ = path;
    fs::create_directories(path, error);
    if (error) return fmt::format("cannot make {}: {}", in_quotes(path), error.message());
  } else {
    std::string temporary = fs::temp_directory_path(error) / "incore-vemicry-XXXXXX";
    if (error || mkdtemp(temporary.data()) == nullptr)
      return fmt::format("cannot make a temporary folder: {}", std::strerror(errno));
    path_ = temporary;
    is_temporary_ = true;
  }
  incore_vemicry_file file;
  for (size_t i = 0; incore_vemicry_get_rtl(i, &file) == INCORE_OK; ++i)
    if (std::string mistake = write(file.name, std::string(file.text, file.len)); !mistake.empty())
      return mistake;
  return "";
}

std::string HardwareFolder::write(const std::string& name, const std::string& text) const {
  return write_file(fs::path(path_) / name, text);
}

std::string HardwareFolder::content(const std::string& name) const {
  std::ifstream file(fs::path(path_) / name, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

int HardwareFolder::run(const std::vector<std::string>& command, const std::string& log) const {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int out = chdir(path_.c_str()) == 0
                        ? open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
                        : -1;
    if (out >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
      execvp(arguments[0], arguments.data());
    _exit(errno == ENOENT ? kNotFound : 1);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string HardwareFolder::run_yosys(const std::string& name, const std::string& script) const {
  if (std::string mistake = write(name + ".ys", script); !mistake.empty()) return mistake;
  const int code = run({"yosys", "-T", "-s", name + ".ys"}, name + ".log");
  if (code == kNotFound) return kNoYosys;
  if (code == 0) return "";
  const std::string error = error_in(content(name + ".log"));
  return error.empty() ? "yosys failed" : "yosys failed: " + error;
}

}  // namespace incore::tools
