// Files that a command writes: complete or not at all.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace incore::tools {

// A file to be written at |path|: open() makes a temporary file beside it, so that a path that
// cannot be written is known before any work is done; commit() closes and renames it; without
// commit() nothing is left behind. What is no regular file (a device, a pipe, standard output)
// cannot be replaced by a rename: it gets the bytes at once.
class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Of a new file: a program may be executed by those who may read it, a secret is its owner's
  // only.
  enum class Kind { data, program, secret };

  // All return an error in words, empty if all went well.
  std::string open(const std::string& path, Kind kind = Kind::data);
  std::string open_stdout();
  std::string write(const void* data, size_t len);
  std::string commit();
  std::string commit(const std::string& content);  // write() and commit()

  // For work that was stopped midway: what has been written stays as |*out_path|, the path with
  // ".partial" behind it. Where there is no temporary file *out_path is empty.
  std::string keep_partial(std::string* out_path);

  int fd() const;  // for writers that must not wait; -1 if it is not open

 private:
  std::string open_stream(int fd);
  std::string failure() const;

  std::string name_;       // for messages
  std::string path_;       // with symbolic links resolved: the target is replaced, not the link
  std::string temporary_;  // empty: there is none
  std::FILE* file_ = nullptr;
};

// |content| as the file |path|. Returns an error in words.
std::string write_file(const std::string& path, const std::string& content);

}  // namespace incore::tools
