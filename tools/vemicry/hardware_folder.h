// A folder with the Verilog model, and the tools for hardware that run in it.
#pragma once

#include <string>
#include <vector>

namespace incore::tools {

inline constexpr const char* kNoYosys = "yosys is not installed, or not in the PATH";

class HardwareFolder {
 public:
  HardwareFolder() = default;
  ~HardwareFolder();
  HardwareFolder(const HardwareFolder&) = delete;
  HardwareFolder& operator=(const HardwareFolder&) = delete;

  // All that return text return what is wrong, in words; empty if nothing is.

  // Makes the folder |path|, which stays, or if that is empty one that is removed in the end, and
  // puts the files of the model there.
  std::string make(const std::string& path);
  std::string write(const std::string& name, const std::string& text) const;
  // The text of a file; empty if it cannot be read.
  std::string content(const std::string& name) const;
  // Runs a program of the PATH in the folder; all that it says goes to the file |log|. Returns its
  // exit code, or 127 if there is no such program.
  int run(const std::vector<std::string>& command, const std::string& log) const;
  // Runs yosys with |script|, kept as <name>.ys with what it says as <name>.log.
  std::string run_yosys(const std::string& name, const std::string& script) const;

 private:
  std::string path_;
  bool is_temporary_ = false;
};

// The first line of |log| that begins with ERROR; empty: none.
std::string error_in(const std::string& log);

}  // namespace incore::tools
