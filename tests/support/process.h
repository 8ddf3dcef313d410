// Runs a program as a user would, and keeps all that it says.
#pragma once

#include <string>
#include <vector>

namespace incore::test {

// True where this program itself runs under an emulator.
inline constexpr bool kEmulated = sizeof INCORE_EMULATOR > 1;

struct ProcessResult {
  int exit_code;  // -1 if a signal ended it
  int signal;     // 0 if it ended by itself
  std::string out, err;
};

// Runs |argv| (argv[0] is a path, or a name to be found in PATH) with |stdin_data| as its input and
// |extra_env| ("NAME=value") added to this process's environment. Throws if the program cannot be
// started.
ProcessResult run(const std::vector<std::string>& argv, const std::string& stdin_data = "",
                  const std::vector<std::string>& extra_env = {});

// A new directory for one test's files, removed with all that is in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  // Writes |content| to |name| and returns its path.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string path_;
};

}  // namespace incore::test
