// Fields of CSV, as RFC 4180 has it.
#pragma once

#include <string>

namespace incore::tools {

// |text|, in quotes where it needs them.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace incore::tools
