// Putting the run-time into a new program image, before its first instruction.
#pragma once

#include <sys/types.h>

#include <string>

#include "run/protocol.h"

namespace incore::run {

// False if the first instruction of the stopped process cannot be fetched: there is nothing to
// prepare, and it ends by that fault.
bool starts_in_code(pid_t pid);

// |pid| is stopped under ptrace, behind a successful exec and at the border to user mode. Maps the
// run-time and the configuration page and makes the image begin in the run-time. Returns an error
// in words, empty if all went well.
std::string inject_runtime(pid_t pid, const Config& config);

}  // namespace incore::run
