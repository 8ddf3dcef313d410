// The job of the sample PHE (PadLock guide, 6.3): the SHA-1 of a file by one REP XSHA1.
#pragma once

#include <string>

#include "incore/padlock.h"

namespace incore::tools {

// Prints "SHA1(|path|)= " and the digest, or FILE ERROR. Without a |padlock| the library computes.
// Returns an exit code.
int run_phe(incore_padlock* padlock, const std::string& path);

}  // namespace incore::tools
