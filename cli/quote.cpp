#include "quote.h"

#include <fmt/core.h>

#include <cstring>

namespace incore::cli {

std::string quoted_if_needed(const std::string& name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; };
  bool needed = name.empty() || name[0] == '#' || name[0] == '~';
  for (char c : name)
    needed = needed || is_control(c) || std::strchr(" !\"$&'()*;<=>?[\\^`|", c) != nullptr;
  if (!needed) return name;

  std::string text = "'";
  bool escaping = false;  // within $'...', where control characters can be written
  for (char c : name) {
    if (is_control(c)) {
      if (!escaping) text += "'$'";
      escaping = true;
      if (c == '\n')
        text += "\\n";
      else if (c == '\r')
        text += "\\r";
      else if (c == '\t')
        text += "\\t";
      else
        text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
      continue;
    }
    if (escaping) text += "''";
    escaping = false;
    if (c == '\'')
      text += "'\\''";
    else
      text += c;
  }
  return text + "'";
}

}  // namespace incore::cli
