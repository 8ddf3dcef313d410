#include "tools/base/wrapped.h"

#include <algorithm>

namespace incore::tools {

std::string wrapped(const std::string& begin, const std::string& text, size_t indent,
                    size_t columns) {
  std::string result, line = begin;
  bool new_line = true;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!new_line && line.size() + 1 + word.size() > columns) {
      result += line + "\n";
      line = std::string(indent, ' ') + word;
    } else {
      line += (new_line ? "" : " ") + word;
    }
    new_line = false;
    at = end + 1;
  }
  return result + line + "\n";
}

}  // namespace incore::tools
