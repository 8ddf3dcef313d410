#include "tools/base/exit.h"

#include <algorithm>
#include <cstdio>

#include "tools/base/output.h"
#include "tools/base/quote.h"

namespace incore::tools {
namespace {

std::string current_command;

}  // namespace

void set_command(const std::string& command) {
  current_command = command;
}

int fail(int code, const std::string& message) {
  flush_output();
  std::fprintf(stderr, "incore%s%s: %s\n", current_command.empty() ? "" : " ",
               current_command.c_str(), one_line(message).c_str());
  return code;
}

int fail_with_lines(int code, std::string_view lines) {
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    fail(code, std::string(lines.substr(0, end)));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return code;
}

}  // namespace incore::tools
