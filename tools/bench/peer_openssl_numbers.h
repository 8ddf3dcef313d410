// OpenSSL's big numbers: part of peer_openssl.cpp.
#pragma once

#include "tools/bench/peer.h"

namespace incore::tools {

// Finds the functions in libcrypto; throws std::runtime_error if one is missing.
void open_openssl_numbers(SharedLibrary& library);

// Powers, RSA and products in GF(2^m); empty for other operations.
Work prepare_openssl_numbers(Task& task);

}  // namespace incore::tools
