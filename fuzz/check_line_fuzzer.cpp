// Any text as the list of `incore hash --check`, line by line: what is accepted has an algorithm, a
// digest of its length and a name.
#include <sstream>

#include "check.h"
#include "tools/hash/hash_check.h"

using namespace incore::tools;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  std::istringstream text(std::string(data, data + len));
  int single_blank = -1;
  for (std::string line; std::getline(text, line);) {
    CheckLine parsed;
    if (!parse_check_line(line, nullptr, &single_blank, &parsed)) continue;
    FUZZ_CHECK(parsed.algorithm != nullptr && !parsed.name.empty());
    FUZZ_CHECK(parsed.digest.size() == 2 * parsed.algorithm->digest_len);
    FUZZ_CHECK(parsed.digest.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos);
    FUZZ_CHECK(line.find(parsed.digest) != std::string::npos);

    // The line that `incore hash` would write for it comes back as it was.
    const std::string escaped = escaped_name(parsed.name);
    CheckLine again;
    int two_blanks = -1;
    FUZZ_CHECK(
        parse_check_line((escaped == parsed.name ? "" : "\\") + parsed.digest + "  " + escaped,
                         parsed.algorithm, &two_blanks, &again));
    FUZZ_CHECK(again.name == parsed.name && again.digest == parsed.digest);
  }
  return 0;
}
