// A file name as a message shows it: as it is, or quoted as the shell would take it where blanks or
// the like are in it.
#pragma once

#include <string>

namespace incore::cli {

std::string quoted_if_needed(const std::string& name);

}  // namespace incore::cli
