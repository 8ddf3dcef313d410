// `incore hash --check`: reads lists of digests and compares, with the lines and messages of GNU
// sha256sum.
#pragma once

#include <string>
#include <vector>

#include "tools/base/json.h"
#include "tools/hash/hash_file.h"

namespace incore::tools {

struct CheckOptions {
  const HashAlgorithm* algorithm = nullptr;  // null: by the line's tag or by the digest's length
  bool quiet = false;                        // no line for a file that is right
  bool silent = false;                       // no line for any file, and no counts
  bool strict = false;                       // a line that is no digest line makes the check fail
  bool warn = false;                         // a message for each such line
  bool ignore_missing = false;               // files that do not exist are passed over
};

// One line of a list.
struct CheckLine {
  const HashAlgorithm* algorithm;
  std::string digest;
  std::string name;
};
// False if |line| is not one. |*inout_single_blank| is the habit of the lists read so far: -1 until
// a line shows it, 1 if they have one blank before the name, as some old programs write, 0 if they
// have the usual two characters.
bool parse_check_line(std::string line, const HashAlgorithm* algorithm, int* inout_single_blank,
                      CheckLine* out_line);

// Checks |lists| ("-" is standard input). Prints to stdout, or collects in |out_report| if that is
// not null. True if all is right.
bool check_lists(const std::vector<std::string>& lists, const CheckOptions& options,
                 Json* out_report);

// |name| with backslashes and line ends escaped. A digest line that holds such a name begins with a
// backslash.
std::string escaped_name(const std::string& name);

}  // namespace incore::tools
