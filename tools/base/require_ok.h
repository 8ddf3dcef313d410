// For calls of the library that fail only where nothing can be done about it.
#pragma once

#include <stdexcept>

#include "incore/status.h"

namespace incore::tools {

// Throws std::runtime_error for any status but INCORE_OK.
inline void require_ok(incore_status status) {
  if (status != INCORE_OK) throw std::runtime_error(incore_status_message(status));
}

}  // namespace incore::tools
