// The size of the vector unit, by a model of what synthesis of rtl/vemicry gave.
#pragma once

#include "vemicry/config.h"

namespace incore::vemicry {

// In gate equivalents (NAND2 of the same technology); |config| has no mistake.
double area(const Config& config);

}  // namespace incore::vemicry
