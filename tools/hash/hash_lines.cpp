#include "tools/hash/hash_lines.h"

#include <fmt/core.h>

#include <cstring>

#include "tools/base/exit.h"
#include "tools/base/json.h"
#include "tools/base/quote.h"
#include "tools/hash/hash_check.h"

namespace incore::tools {
namespace {

void print_line(const HashLines& lines, const HashAlgorithm& algorithm, const std::string& name,
                const std::string& digest) {
  // With |zero| a name needs no escape: nothing in it can end the line.
  const std::string shown = lines.zero ? name : escaped_name(name);
  const char* mark = shown == name ? "" : "\\";
  const char end = lines.zero ? '\0' : '\n';
  if (lines.tag)
    fmt::print("{}{} ({}) = {}{}", mark, algorithm.tag, shown, digest, end);
  else
    fmt::print("{}{} {}{}{}", mark, digest, lines.binary ? '*' : ' ', shown, end);
}

}  // namespace

bool print_hashes(const std::vector<std::string>& files, const HashAlgorithm& algorithm,
                  const HashLines& lines, Json* out_report) {
  bool all_read = true;
  for (const std::string& name : files) {
    const FileHash hash = hash_file(name, algorithm);
    Json entry = {{"name", name}, {"algorithm", algorithm.name}};
    if (hash.error != 0) {
      fail(kDiffers, quoted_if_needed(name) + ": " + std::strerror(hash.error));
      entry["error"] = std::strerror(hash.error);
      all_read = false;
    } else if (out_report == nullptr) {
      print_line(lines, algorithm, name, hash.digest);
    } else {
      entry["digest"] = hash.digest;
    }
    if (out_report != nullptr) (*out_report)["files"].push_back(entry);
  }
  return all_read;
}

}  // namespace incore::tools
