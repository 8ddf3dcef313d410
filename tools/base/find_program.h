// Programs of other packages.
#pragma once

#include <string>

namespace incore::tools {

// The file that the PATH has for |program|; empty: none.
std::string find_program(const std::string& program);

}  // namespace incore::tools
