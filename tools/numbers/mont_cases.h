// Files of test cases for Montgomery multiplication, as the sample MM reads them (PadLock guide,
// 6.5). A case is a line that separates, then lines of hex:
//   -----
//   n=2          words of 16 bits, at most 110 (4352 bits)
//   m=10a4201d   odd modulus
//   a=a46aa5a    below m, and so is b
//   b=b4a3016
//   k=20         bits: 16 n
//   rm=a65c865   R^2 mod m, R = 2^k
//   c=d71a93     a * b mod m
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "tools/base/number.h"

namespace incore::tools {

inline constexpr size_t kMaxCaseWords = 272;

struct MontCase {
  size_t words;  // of 16 bits
  Bytes m, a, b, rm, c;
};

class MontCaseReader {
 public:
  // |name| is for messages.
  MontCaseReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

  // False at the end of the file. Throws std::invalid_argument, with file and line, for what is no
  // case.
  bool next(MontCase* out_case);

 private:
  bool next_line(std::string* out_line);
  std::string field(const char* key);
  Bytes number(const char* key, size_t words);
  [[noreturn]] void fail(const std::string& what) const;

  std::istream& in_;
  std::string name_;
  size_t line_ = 0;
};

// |c| as the lines of such a file.
std::string mont_case_text(const MontCase& c);

}  // namespace incore::tools
