#include "vemicry/pipeline.h"

namespace incore::vemicry {

void Pipeline::add(const Step&, const State&) {
  ++cycles_;
}

}  // namespace incore::vemicry
