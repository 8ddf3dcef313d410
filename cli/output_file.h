// Files that a command writes: complete or not at all.
#pragma once

#include <string>

namespace incore::cli {

// Writes |content| to a temporary file beside |path| and renames it. Returns an error in words, empty if all went well.
std::string write_output_file(const std::string& path, const std::string& content);

}  // namespace incore::cli
