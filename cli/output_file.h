// Files that a command writes: complete or not at all.
#pragma once

#include <cstdio>
#include <string>

namespace incore::cli {

// A file to be written at |path|: open() makes a temporary file beside it, so that a path that
// cannot be written is known before any work is done; commit() writes and renames it; without
// commit() nothing is left behind.
class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Both return an error in words, empty if all went well.
  std::string open(const std::string& path);
  std::string commit(const std::string& content);

 private:
  std::string failure() const;

  std::string path_;
  std::string temporary_;  // empty: there is none
  std::FILE* file_ = nullptr;
};

}  // namespace incore::cli
