#include "tools/base/quote.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace incore::tools {
namespace {

// Bytes: a name that is longer loses its middle, and so does a word of a message, or a message.
constexpr size_t kMostOfName = 200, kMostOfWord = 300, kMostOfMessage = 1000;
constexpr char kLeftOut[] = "...";

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// Unicode's categories Cc, Zl, Zp, and what changes the direction of writing.
bool can_be_printed(uint32_t character) {
  const auto within = [=](uint32_t first, uint32_t last) {
    return character >= first && character <= last;
  };
  return !within(0, 0x1F) && !within(0x7F, 0x9F) && !within(0x200E, 0x200F) &&
         !within(0x2028, 0x202E) && !within(0x2066, 0x2069);
}

// The bytes of the character of UTF-8 that begins at |at|, if it can be printed; else 0.
size_t printable_len(const std::string& text, size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const size_t len = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (len == 0 || first > 0xF4 || len > text.size() - at) return 0;
  uint32_t character = len == 1 ? first : first & (0x7Fu >> len);
  for (size_t i = 1; i < len; ++i) {
    if (!is_continuation(text[at + i])) return 0;
    character = character << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
  }
  const bool too_long = len == 3 ? character < 0x800 : len == 4 && character < 0x10000;
  const bool surrogate = character >= 0xD800 && character < 0xE000;
  if (too_long || surrogate || character > 0x10FFFF || !can_be_printed(character)) return 0;
  return len;
}

std::string escape(char c) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
}

// |text| without its middle, if it is longer than |most| bytes; no character is cut.
std::string cut(const std::string& text, size_t most) {
  if (text.size() <= most) return text;
  size_t head = most * 2 / 3, tail = text.size() - (most - head);
  while (head > 0 && is_continuation(text[head])) --head;
  while (tail < text.size() && is_continuation(text[tail])) ++tail;
  return text.substr(0, head) + kLeftOut + text.substr(tail);
}

std::string shell_quotes(const std::string& text) {
  std::string result = "'";
  bool escaping = false;  // within $'...', where control characters can be written
  for (size_t i = 0; i < text.size();) {
    const size_t len = printable_len(text, i);
    if (len == 0) {
      result += escaping ? "" : "'$'";
      result += escape(text[i]);
    } else {
      result += escaping ? "''" : "";
      result += text[i] == '\'' ? "'\\''" : text.substr(i, len);
    }
    escaping = len == 0;
    i += std::max<size_t>(len, 1);
  }
  return result + "'";
}

bool needs_quotes(const std::string& name) {
  if (name.empty() || name[0] == '#' || name[0] == '~') return true;
  for (size_t i = 0, len = 0; i < name.size(); i += len) {
    len = printable_len(name, i);
    if (len == 0 || std::strchr(" !\"$&'()*;<=>?[\\^`|", name[i]) != nullptr) return true;
  }
  return false;
}

}  // namespace

std::string in_quotes(const std::string& text) {
  return shell_quotes(cut(text, kMostOfName));
}

std::string quoted_if_needed(const std::string& name) {
  return needs_quotes(name) ? in_quotes(name) : cut(name, kMostOfName);
}

std::string one_line(const std::string& message) {
  std::string line, word;
  const auto end_word = [&] {
    line += cut(word, kMostOfWord);
    word.clear();
  };
  for (size_t i = 0; i < message.size();) {
    const size_t len = printable_len(message, i);
    word += len == 0 ? escape(message[i]) : message.substr(i, len);
    if (message[i] == ' ') end_word();
    i += std::max<size_t>(len, 1);
  }
  end_word();
  return cut(line, kMostOfMessage);
}

}  // namespace incore::tools
