// Where random bytes go: a file, pipe or device gets them as they are or in hexadecimal, and what
// it has really taken is counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tools/base/output_file.h"

namespace incore::tools {

class RandomSink {
 public:
  // |file| is open.
  RandomSink(OutputFile& file, bool hex);

  enum class Result {
    done,
    interrupted,
    closed,  // the reader of a pipe has left
    error    // error() says what
  };
  Result write(std::span<const uint8_t> bytes);
  // The end of the last line.
  Result finish();

  const std::string& error() const { return error_; }
  // Random bytes that have been written.
  uint64_t bytes() const;

 private:
  void end_line(std::string* text);
  Result write_all(const char* data, size_t len);

  OutputFile& file_;
  const bool hex_;
  bool waits_;  // writing may have to wait
  size_t in_line_ = 0;
  uint64_t num_written_ = 0;
  std::string error_;
};

}  // namespace incore::tools
