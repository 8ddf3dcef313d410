// The programs of programs/vemicry, as the build put them into the library.
#include "vemicry/workload.h"

// The table is generated (CMakeLists.txt).
extern "C" const incore::vemicry::ProgramFile incore_vemicry_programs[];

namespace incore::vemicry {

const ProgramFile* find_program(std::string_view name) {
  for (const ProgramFile* file = incore_vemicry_programs; file->name != nullptr; ++file)
    if (name == file->name) return file;
  return nullptr;
}

}  // namespace incore::vemicry
