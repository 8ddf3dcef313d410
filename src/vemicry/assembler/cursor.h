// Reading assembly from left to right: spaces, names, numbers, strings; and how a mistake in it is
// reported.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace incore::vemicry {

// A mistake in the source: thrown where it is noticed, caught once for each statement.
struct Mistake {
  const char* where;  // in the text of the statement; else its beginning is meant
  std::string text;
  bool is_fatal = false;  // nothing behind it makes sense
};

inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}
inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
// Of names.
inline bool is_first_name_char(char c) {
  return is_letter(c) || c == '_' || c == '.' || c == '$';
}
inline bool is_name_char(char c) {
  return is_first_name_char(c) || is_digit(c);
}

std::string lower_case(std::string_view text);
std::string_view trimmed(std::string_view text);

class Cursor {
 public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  const char* where() const { return at_; }
  std::string_view rest() const { return {at_, static_cast<size_t>(end_ - at_)}; }
  char peek(size_t ahead = 0) const {
    return ahead < static_cast<size_t>(end_ - at_) ? at_[ahead] : '\0';
  }
  void skip(size_t num_chars) { at_ += num_chars; }
  void skip_spaces() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
  // These skip spaces first.
  bool at_end() {
    skip_spaces();
    return at_ == end_;
  }
  bool take(std::string_view text);
  std::string_view take_name();  // empty if there is none
  uint64_t take_number();        // 10, 0x1F, 0b101, 017
  uint8_t take_character();      // 'c' or 'c
  std::string take_string();     // "..."

  [[noreturn]] void fail(std::string text) const { throw Mistake{at_, std::move(text)}; }
  void expect_end() {
    if (!at_end()) fail("'" + std::string(rest()) + "' is too much here");
  }

 private:
  uint8_t take_escape();

  const char* at_;
  const char* end_;
};

// |text| at the commas that are not in brackets or strings, without spaces around the parts. None
// for an empty text.
std::vector<std::string_view> split_at_commas(std::string_view text);

// How many characters the quotation at the beginning of |text|, "..." or 'c', has; 0: it is none.
size_t quotation_len(std::string_view text);

}  // namespace incore::vemicry
