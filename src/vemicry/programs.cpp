// The programs of programs/vemicry, as the build put them into the library.
#include <algorithm>

#include "vemicry/workload.h"

// The table is generated (CMakeLists.txt).
extern "C" const incore::vemicry::ProgramFile incore_vemicry_programs[];

namespace incore::vemicry {

const ProgramFile* find_program(std::string_view name) {
  for (const ProgramFile* file = incore_vemicry_programs; file->name != nullptr; ++file)
    if (name == file->name) return file;
  return nullptr;
}

std::string program_text(std::string_view names) {
  std::string text;
  for (size_t begin = 0; begin < names.size();) {
    const size_t end = std::min(names.find(' ', begin), names.size());
    const ProgramFile* const file = find_program(names.substr(begin, end - begin));
    if (file == nullptr) return "";
    text.append(reinterpret_cast<const char*>(file->bytes), file->len);
    begin = end + 1;
  }
  return text;
}

}  // namespace incore::vemicry
