// The environment variable INCORE_KERNEL.
#pragma once

#include <string>

namespace incore::cli {

// What is wrong with it; empty if nothing is. Every command stops if something is.
std::string kernel_environment_mistake();

}  // namespace incore::cli
