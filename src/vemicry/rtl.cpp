// The files of rtl/vemicry, as the build put them into the library.
#include "vemicry/workload.h"

#include "incore/vemicry.h"

// The table is generated (CMakeLists.txt).
extern "C" const incore::vemicry::ProgramFile incore_vemicry_rtl[];

incore_status incore_vemicry_get_rtl(size_t file, incore_vemicry_file* out_file) {
  if (out_file == nullptr) return INCORE_ERROR_NULL;
  for (const auto* entry = incore_vemicry_rtl; entry->name != nullptr; ++entry)
    if (file-- == 0) {
      *out_file = {entry->name, reinterpret_cast<const char*>(entry->bytes), entry->len};
      return INCORE_OK;
    }
  return INCORE_ERROR_RANGE;
}
