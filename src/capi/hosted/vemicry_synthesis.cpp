// The vector unit in Verilog: its files, as the build put them into the library, and its size.
#include "capi/hosted/vemicry.h"
#include "vemicry/area.h"

using namespace incore::vemicry;

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

incore_status incore_vemicry_area(const incore_vemicry_config* config,
                                  double* out_gate_equivalents) {
  if (out_gate_equivalents == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded([&] {
    const Config machine = config_of(config);
    if (!machine.mistake().empty()) incore::refuse(INCORE_ERROR_RANGE);
    *out_gate_equivalents = area(machine);
  });
}
