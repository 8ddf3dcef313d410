#include "tools/base/colour.h"

#include <unistd.h>

#include <cstdlib>

namespace incore::tools {
namespace {

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool stdout_has_colours() {
  static const bool has_colours = isatty(STDOUT_FILENO) != 0 && !is_set("NO_COLOR") &&
                                  is_set("TERM") && std::string(std::getenv("TERM")) != "dumb";
  return has_colours;
}

std::string coloured(Verdict verdict, const std::string& text, bool has_colours) {
  if (!has_colours) return text;
  const char* const code = verdict == Verdict::right   ? "32"
                           : verdict == Verdict::wrong ? "31"
                                                       : "33";
  return "\033[" + std::string(code) + "m" + text + "\033[0m";
}

}  // namespace incore::tools
