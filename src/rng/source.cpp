#include "rng/source.h"

namespace incore {

bool is_available(const RngSource& source) {
  return source.fill != nullptr && detect_features().has_all(source.needs);
}

}  // namespace incore
