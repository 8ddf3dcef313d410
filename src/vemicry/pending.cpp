// To be replaced, file by file.
#include "vemicry/api.h"
incore_status incore_vemicry_area(const incore_vemicry_config* config,
                                  double* out_gate_equivalents) {
  const incore::vemicry::Config c = incore::vemicry::config_of(config);
  *out_gate_equivalents = 20000.0 * c.r + 200.0 * c.p * c.q;
  return INCORE_OK;
}
