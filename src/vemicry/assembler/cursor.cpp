#include "vemicry/assembler/cursor.h"

namespace incore::vemicry {
namespace {

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool Cursor::take(std::string_view text) {
  skip_spaces();
  if (rest().substr(0, text.size()) != text) return false;
  at_ += text.size();
  return true;
}

std::string_view Cursor::take_name() {
  skip_spaces();
  const char* const begin = at_;
  if (at_ != end_ && is_first_name_char(*at_))
    while (at_ != end_ && is_name_char(*at_)) ++at_;
  return {begin, static_cast<size_t>(at_ - begin)};
}

uint64_t Cursor::take_number() {
  skip_spaces();
  const char* const begin = at_;
  int base = 10;
  if (peek() == '0') {
    const char kind = peek(1);
    base = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : 8;
    at_ += base == 8 ? 1 : 2;
  }
  bool any = base == 8;
  uint64_t value = 0;
  for (; at_ != end_ && is_name_char(*at_); ++at_) {
    const int digit = digit_value(*at_);
    if (digit >= base) throw Mistake{begin, "this is not a number"};
    if (value > (~uint64_t{0} - static_cast<uint64_t>(digit)) / static_cast<uint64_t>(base))
      throw Mistake{begin, "the number does not fit into 64 bits"};
    value = value * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit);
    any = true;
  }
  if (!any) throw Mistake{begin, "a number is missing its digits"};
  return value;
}

uint8_t Cursor::take_escape() {  // behind the backslash
  if (at_ == end_) fail("a character is missing behind the backslash");
  const char c = *at_++;
  if (c >= '0' && c <= '7') {
    int value = c - '0';
    for (int i = 0; i < 2 && peek() >= '0' && peek() <= '7'; ++i) value = value * 8 + *at_++ - '0';
    return static_cast<uint8_t>(value);
  }
  if (c == 'x') {
    int value = 0;
    while (digit_value(peek()) < 16) value = (value * 16 + digit_value(*at_++)) & 0xFF;
    return static_cast<uint8_t>(value);
  }
  constexpr std::string_view kLetters = "abfnrtv", kMeanings = "\a\b\f\n\r\t\v";
  const size_t i = kLetters.find(c);
  return static_cast<uint8_t>(i == std::string_view::npos ? c : kMeanings[i]);
}

uint8_t Cursor::take_character() {
  ++at_;
  if (at_ == end_) fail("a character is missing behind the quote");
  uint8_t value = static_cast<uint8_t>(*at_++);
  if (value == '\\') value = take_escape();
  if (peek() == '\'') ++at_;
  return value;
}

std::string Cursor::take_string() {
  skip_spaces();
  if (peek() != '"') fail("a string in double quotes is missing");
  const char* const begin = at_++;
  std::string bytes;
  while (at_ != end_ && *at_ != '"') {
    char c = *at_++;
    if (c == '\\') c = static_cast<char>(take_escape());
    bytes.push_back(c);
  }
  if (at_ == end_) throw Mistake{begin, "the string does not end"};
  ++at_;
  return bytes;
}

size_t quotation_len(std::string_view text) {
  const auto behind_char = [&](size_t i) {
    return i + (i < text.size() && text[i] == '\\' ? 2 : 1);
  };
  size_t i = 0;
  if (text.empty()) return 0;
  if (text[0] == '\'') {
    i = behind_char(1);
    if (i < text.size() && text[i] == '\'') ++i;
  } else if (text[0] == '"') {
    for (i = 1; i < text.size() && text[i] != '"' && text[i] != '\n';) i = behind_char(i);
    if (i < text.size() && text[i] == '"') ++i;
  }
  return i < text.size() ? i : text.size();
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  text = trimmed(text);
  if (text.empty()) return parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size();) {
    if (const size_t len = quotation_len(text.substr(i)); len != 0) {
      i += len;
      continue;
    }
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] == ',' && depth <= 0) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
    ++i;
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

}  // namespace incore::vemicry
