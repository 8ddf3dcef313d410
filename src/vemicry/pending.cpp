// To be replaced, file by file.
#include "vemicry/api.h"
#include "vemicry/disassemble.h"
#include "vemicry/elf.h"
namespace incore::vemicry {
bool is_elf(std::span<const uint8_t>) {
  return false;
}
std::string read_elf(std::span<const uint8_t>, Image*) {
  return "no reader";
}
}  // namespace incore::vemicry
incore_status incore_vemicry_load_file(const char*, const incore_vemicry_config*,
                                       incore_vemicry_program**, char* reason, size_t reason_len) {
  incore::vemicry::give_reason("no loader", reason, reason_len);
  return INCORE_ERROR_FORMAT;
}
void incore_vemicry_program_free(incore_vemicry_program* program) {
  delete program;
}
incore_status incore_vemicry_area(const incore_vemicry_config* config,
                                  double* out_gate_equivalents) {
  const incore::vemicry::Config c = incore::vemicry::config_of(config);
  *out_gate_equivalents = 20000.0 * c.r + 200.0 * c.p * c.q;
  return INCORE_OK;
}
