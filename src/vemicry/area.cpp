// The area model: the size of the vector unit in gate equivalents. Machines that were synthesized
// have what yosys counted; for others each part of the unit is a sum of terms in q, p and r that
// was fitted to those (area_data.inc, made by scripts/vemicry-area.py). docs/vemicry/area.md says
// what is counted.
#include "vemicry/area.h"

#include <cmath>

namespace incore::vemicry {
namespace {

struct Measured {
  uint32_t q, p, r;
  uint32_t lanes, registers, crossbar, control;  // gate equivalents
};

struct Size {
  double q, p, r;
  double words;  // of a register in each lane
  double bits;   // log2(p)
};

#include "vemicry/area_data.inc"

}  // namespace

double area(const Config& config) {
  for (const Measured& m : kMeasured)
    if (m.q == config.q && m.p == config.p && m.r == config.r)
      return m.lanes + m.registers + m.crossbar + m.control;
  const Size s = {static_cast<double>(config.q), static_cast<double>(config.p),
                  static_cast<double>(config.r),
                  static_cast<double>((config.p + config.r - 1) / config.r), std::log2(config.p)};
  return lanes(s) + registers(s) + crossbar(s) + control(s);
}

}  // namespace incore::vemicry
