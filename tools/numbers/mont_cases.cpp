#include "tools/numbers/mont_cases.h"

#include <fmt/format.h>

#include <stdexcept>

namespace incore::tools {
namespace {

constexpr const char* kBlanks = " \t\r\v\f";
// The longest line that a case can have: its key and its digits. A longer one is not read to its
// end.
constexpr size_t kMaxLine = 5000;

}  // namespace

void MontCaseReader::fail(const std::string& what) const {
  throw std::invalid_argument(fmt::format("{}:{}: {}", name_, line_, what));
}

// The next line with anything on it, without the blanks around.
bool MontCaseReader::next_line(std::string* out_line) {
  std::string line;
  bool more = true;
  while (more) {
    line.clear();
    char c = 0;
    while ((more = static_cast<bool>(in_.get(c))) && c != '\n') {
      line.push_back(c);
      if (line.size() > kMaxLine) {
        ++line_;
        fail(fmt::format("a line of more than {} characters", kMaxLine));
      }
    }
    if (more || !line.empty()) ++line_;
    const size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string::npos) continue;
    *out_line = line.substr(first, line.find_last_not_of(kBlanks) + 1 - first);
    return true;
  }
  if (in_.bad()) fail("cannot be read");
  return false;
}

std::string MontCaseReader::field(const char* key) {
  const std::string begin = std::string(key) + "=";
  std::string line;
  if (!next_line(&line)) fail(fmt::format("the file ends where {}... should follow", begin));
  if (!line.starts_with(begin)) fail(fmt::format("a line that begins with {} is expected", begin));
  return line.substr(begin.size());
}

Bytes MontCaseReader::number(const char* key, size_t words) {
  const std::string digits = field(key);
  try {
    const Bytes number = parse_number(digits);
    if (number.size() <= 2 * words) return number;
  } catch (const std::invalid_argument& wrong) {
    fail(fmt::format("{}: {}", key, wrong.what()));
  }
  fail(fmt::format("{} has more than {} words of 16 bits", key, words));
}

bool MontCaseReader::next(MontCase* out_case) {
  std::string separator;
  if (!next_line(&separator)) return false;
  if (separator.find('=') != std::string::npos)
    fail("a line that separates the cases is expected, such as -----");
  MontCase c;
  const Bytes n = number("n", 2);
  c.words = 0;
  for (const uint8_t byte : n) c.words = c.words << 8 | byte;
  if (c.words == 0 || c.words > kMaxCaseWords)
    fail(fmt::format("n is {} words; accepted are 1 to {} (hex {:x}), {} bits", c.words,
                     kMaxCaseWords, kMaxCaseWords, 16 * kMaxCaseWords));
  c.m = number("m", c.words);
  if (!is_odd(c.m) || bit_length(c.m) < 2) fail("m is not an odd number above 1");
  c.a = number("a", c.words);
  if (!is_below(c.a, c.m)) fail("a is not below m");
  c.b = number("b", c.words);
  if (!is_below(c.b, c.m)) fail("b is not below m");
  const std::string k = number_text(number("k", 2));
  if (k != fmt::format("{:x}", 16 * c.words))
    fail(fmt::format("k={} is not 16 n, which is {:x}", k, 16 * c.words));
  c.rm = number("rm", c.words);
  if (!is_below(c.rm, c.m)) fail("rm is not below m");
  c.c = number("c", c.words);
  *out_case = c;
  return true;
}

std::string mont_case_text(const MontCase& c) {
  return fmt::format("-----\nn={:x}\nm={}\na={}\nb={}\nk={:x}\nrm={}\nc={}\n", c.words,
                     number_text(c.m), number_text(c.a), number_text(c.b), 16 * c.words,
                     number_text(c.rm), number_text(c.c));
}

}  // namespace incore::tools
