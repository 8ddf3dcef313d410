#include "tools/base/find_program.h"

#include <unistd.h>

#include <cstdlib>

namespace incore::tools {

std::string find_program(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (rest += ':'; !rest.empty();) {
    const size_t end = rest.find(':');
    const std::string file = (end == 0 ? "." : rest.substr(0, end)) + "/" + program;
    rest.erase(0, end + 1);
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

}  // namespace incore::tools
