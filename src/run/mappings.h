// What is mapped where in a live process, and the files behind it.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "run/mapped_file.h"

namespace incore::run {

// One line of /proc/PID/maps.
struct Mapping {
  uint64_t begin, end, file_offset;
  char permissions[5];
  uint64_t device, inode;
  std::string path;  // as the supervisor sees it, unless its root is another; "... (deleted)"

  bool contains(uint64_t address) const { return begin <= address && address < end; }
  uint64_t offset_of(uint64_t address) const { return file_offset + (address - begin); }  // in it
  bool is_file() const { return !path.empty() && path[0] == '/'; }
  bool is_private_file() const { return permissions[3] == 'p' && is_file(); }
  bool is_executable() const { return permissions[2] == 'x'; }
  bool is_of(const struct stat& file) const {
    return file.st_dev == device && file.st_ino == inode;
  }
  bool is_of_runtime() const { return path == kRuntimePath; }

  static constexpr char kRuntimePath[] = "/memfd:incore-run (deleted)";
};

std::vector<Mapping> read_mappings(pid_t pid);

// The file of |mapping|, a mapping of |pid|. A path does not always lead there: the process may
// have another root, and the file may be renamed, deleted or a memfd. Then this is what of the file
// is mapped, at its places in the file, with zeros between.
MappedFile open_mapped_file(pid_t pid, const Mapping& mapping);

}  // namespace incore::run
