// A call of a function in a user's program, to be measured: what it gets, and what it must leave.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace incore::tools {

// A file whose bytes are, or must be, at a label.
struct UserBytes {
  std::string label, path;
  std::string bytes = {};  // by read_call_files()
};

struct UserArgument {
  std::string label;  // whose address it is; empty: a number
  uint32_t number = 0;
};

struct UserCall {
  std::string file, function;
  std::vector<UserArgument> arguments;
  std::vector<UserBytes> inputs, outputs;
  uint64_t num_bytes = 0;  // of data that it works on; 0: not a matter of bytes

  // All that it names.
  std::vector<std::string> labels() const;
  // "FILE:FUNCTION", and the arguments if there are some.
  std::string name() const;
};

// Reads the files of |inputs| and |outputs|. Returns what is wrong, in words, or empty.
std::string read_call_files(UserCall* inout_call);

}  // namespace incore::tools
