// Digests of files as lines, in the forms of GNU sha256sum.
#pragma once

#include <string>
#include <vector>

#include "tools/base/json.h"
#include "tools/hash/hash_file.h"

namespace incore::tools {

struct HashLines {
  bool binary = false;  // '*' before the name
  bool tag = false;     // ALGORITHM (NAME) = DIGEST
  bool zero = false;    // NUL ends a line, and names are not escaped
};

// Prints a line for each of |files|, or collects in |out_report| if that is not null. False if a
// file cannot be read.
bool print_hashes(const std::vector<std::string>& files, const HashAlgorithm& algorithm,
                  const HashLines& lines, Json* out_report);

}  // namespace incore::tools
