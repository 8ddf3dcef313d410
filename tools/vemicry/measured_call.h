// A user's call, made and measured.
#pragma once

#include <string>

#include "incore/vemicry.h"
#include "tools/vemicry/user_call.h"

namespace incore::tools {

// Makes the call on a machine like |config|, as incore_vemicry_measure_call does.
// INCORE_ERROR_FORMAT: there is no such program for it.
incore_status measure_user_call(const UserCall& call, const incore_vemicry_config& config,
                                uint64_t limit, incore_vemicry_figures* out_figures,
                                std::string* out_reason);

}  // namespace incore::tools
